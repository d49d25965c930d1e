// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/rare_events.h"

#include <stddef.h>
#include <string.h>

#include "events/event_names.h"

static const struct kt_event_name rare[] = {
	{"cgroup", "cgroup_destroy_root"}, /* ends */
	{"cgroup", "cgroup_mkdir"},        /* begins */
	{"cgroup", "cgroup_rename"},       /* is called something else */
	{"cgroup", "cgroup_rmdir"},        /* ends */
	{"cgroup", "cgroup_setup_root"},   /* begins */
	{"module", "module_free"},         /* is unloaded */
	{"module", "module_load"},         /* is there, and so are its symbols */
	{"oom", "mark_victim"},            /* is to be killed */
	{"sched", "sched_prepare_exec"},   /* is about to become another program */
	{"sched", "sched_process_exec"},   /* has become one */
	{"sched", "sched_process_exit"},   /* ends */
	{"sched", "sched_process_fork"},   /* begins another */
	{"task", "task_newtask"},          /* begins */
	{"task", "task_rename"},           /* is called something else */
};

bool kt_event_is_rare(const struct kt_event_name *name)
{
	const struct kt_event_name *r = rare, *end = rare + sizeof(rare) / sizeof(*rare);

	while (r < end && (strcmp(r->event, name->event) != 0 || strcmp(r->system, name->system)))
		r++;
	return r < end;
}
