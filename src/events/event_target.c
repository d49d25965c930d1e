// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/event_target.h"

#include <stddef.h>
#include <string.h>

#include "events/event.h"

static const struct target {
	const char *system, *event, *field;
} targets[] = {
	{"oom", "mark_victim", "pid"},          /* will be killed */
	{"sched", "sched_migrate_task", "pid"}, /* moves to another CPU */
	{"sched", "sched_pi_setprio", "pid"},   /* inherits the priority of a waiter */
	{"sched", "sched_stat_blocked", "pid"}, /* was blocked */
	{"sched", "sched_stat_iowait", "pid"},  /* waited for a disk */
	{"sched", "sched_stat_runtime", "pid"}, /* ran */
	{"sched", "sched_stat_sleep", "pid"},   /* slept */
	{"sched", "sched_stat_wait", "pid"},    /* waited for a CPU */
	{"sched", "sched_switch", "next_pid"},  /* gets the CPU */
	{"sched", "sched_wakeup", "pid"},       /* is awake */
	{"sched", "sched_wakeup_new", "pid"},   /* starts */
	{"sched", "sched_waking", "pid"},       /* is being woken */
	{"signal", "signal_generate", "pid"},   /* is sent a signal */
};

static const char *find_target_name(const struct kt_event *event)
{
	const struct target *t = targets, *end = t + sizeof(targets) / sizeof(*targets);

	while (t < end &&
	       (strcmp(t->event, event->name) != 0 || strcmp(t->system, event->system) != 0))
		t++;
	return t < end ? t->field : NULL;
}

const struct kt_field *kt_event_target(const struct kt_event *event)
{
	const char *name = find_target_name(event);

	return name ? kt_event_field(event, name) : NULL;
}
