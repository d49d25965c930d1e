// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/event_target.h"

#include <stddef.h>
#include <string.h>

#include "events/event.h"

static const struct target {
	const char *system, *event, *field;
} targets[] = {
	{"oom", "mark_victim", "pid"},          /* is to be killed */
	{"sched", "sched_migrate_task", "pid"}, /* goes to another CPU */
	{"sched", "sched_pi_setprio", "pid"},   /* gets the priority of one that waits for it */
	{"sched", "sched_stat_blocked", "pid"}, /* has been blocked so long */
	{"sched", "sched_stat_iowait", "pid"},  /* has waited for a disk */
	{"sched", "sched_stat_runtime", "pid"}, /* has run */
	{"sched", "sched_stat_sleep", "pid"},   /* has slept */
	{"sched", "sched_stat_wait", "pid"},    /* has waited for a CPU */
	{"sched", "sched_switch", "next_pid"},  /* gets a CPU */
	{"sched", "sched_wakeup", "pid"},       /* is awake */
	{"sched", "sched_wakeup_new", "pid"},   /* begins */
	{"sched", "sched_waking", "pid"},       /* is being woken */
	{"signal", "signal_generate", "pid"},   /* is sent a signal */
};

static const char *name_of_target(const struct kt_event *event)
{
	const struct target *t = targets, *end = t + sizeof(targets) / sizeof(*targets);

	while (t < end &&
	       (strcmp(t->event, event->name) != 0 || strcmp(t->system, event->system) != 0))
		t++;
	return t < end ? t->field : NULL;
}

const struct kt_field *kt_event_target(const struct kt_event *event)
{
	const char *name = name_of_target(event);

	return name ? kt_event_field(event, name) : NULL;
}
