/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Switches and wakeups of tasks in a trace made by a test. */
#ifndef KT_TESTS_SCHED_EVENTS_H
#define KT_TESTS_SCHED_EVENTS_H

#include "tests/ctf/made_trace.h"

enum { SWITCH = NUMBER, WAKING = KINDS };

#define SWITCH_FIELDS                                              \
	"\tfield:pid_t next_pid;\toffset:8;\tsize:4;\tsigned:1;\n" \
	"\tfield:long prev_state;\toffset:16;\tsize:8;\tsigned:1;\n"
#define TASK_FIELDS "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"

/* Replaces two events from here on; the caller writes metadata. */
static inline void put_sched_events(struct made *m)
{
	put_event(m, SWITCH, "sched", FORMAT("sched_switch", SWITCH_FIELDS));
	put_event(m, WAKING, "sched", FORMAT("sched_waking", TASK_FIELDS));
}

static inline void put_switch(struct made *m, uint64_t time, uint32_t from, int64_t state,
			      uint32_t to)
{
	struct {
		uint32_t next;
		int64_t state;
	} __attribute__((packed)) fields = {to, state};

	record_of_task(m, SWITCH, time, from, &fields, sizeof(fields));
}

/* An event of one task by another one. */
static inline void put_by(struct made *m, unsigned int event, uint64_t time, uint32_t by,
			  uint32_t task)
{
	record_of_task(m, event, time, by, &task, sizeof(task));
}

static inline void put_waking(struct made *m, uint64_t time, uint32_t waker, uint32_t task)
{
	put_by(m, WAKING, time, waker, task);
}

#endif
