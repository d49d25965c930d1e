/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_VIEW_TASK_COMM_H
#define KT_VIEW_TASK_COMM_H

#include <stdbool.h>
#include <stdint.h>

struct json_object;

/*
 * What a task is called that has that name, or of which none is known (NULL): "<...>" then, as with
 * ftrace. The task 0 is every CPU's idle one, "<idle>".
 */
const char *kt_task_comm(uint32_t tid, const char *comm);

/* The same as "comm" of an object, which has none where it is not known. False as kt_json_add. */
bool kt_task_comm_add(struct json_object *o, uint32_t tid, const char *comm);

#endif
