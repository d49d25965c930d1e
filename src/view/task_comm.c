// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/task_comm.h"

#include <string.h>

#include "base/json.h"

const char *kt_task_comm(uint32_t tid, const char *comm)
{
	return tid == 0 ? "<idle>" : comm ? comm : "<...>";
}

bool kt_task_comm_add(struct json_object *o, uint32_t tid, const char *comm)
{
	const char *name = kt_task_comm(tid, comm);

	return (tid && !comm) || kt_json_add(o, "comm", kt_json_text(name, strlen(name)));
}
