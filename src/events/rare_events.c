// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/rare_events.h"

#include <stddef.h>
#include <string.h>

#include "events/event_names.h"

static const struct kt_event_name rare[] = {
	{"cgroup", "cgroup_destroy_root"}, /* ends */
	{"cgroup", "cgroup_mkdir"},        /* starts */
	{"cgroup", "cgroup_rename"},       /* is renamed */
	{"cgroup", "cgroup_rmdir"},        /* ends */
	{"cgroup", "cgroup_setup_root"},   /* starts */
	{"module", "module_free"},         /* is unloaded */
	{"module", "module_load"},         /* is loaded, with its symbols */
	{"oom", "mark_victim"},            /* will be killed */
	{"sched", "sched_prepare_exec"},   /* is about to execute another program */
	{"sched", "sched_process_exec"},   /* has executed another program */
	{"sched", "sched_process_exit"},   /* ends */
	{"sched", "sched_process_fork"},   /* forks */
	{"task", "task_newtask"},          /* starts */
	{"task", "task_rename"},           /* is renamed */
};

bool kt_event_is_rare(const struct kt_event_name *name)
{
	const struct kt_event_name *r = rare, *end = rare + sizeof(rare) / sizeof(*rare);

	while (r < end && (strcmp(r->event, name->event) != 0 || strcmp(r->system, name->system)))
		r++;
	return r < end;
}
