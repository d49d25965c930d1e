/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes how long each task was runnable (waited for a CPU) and blocked, its longest run, and who
 * woke it, from context switches and wakeups in a trace (doc/view.md).
 *
 *	struct kt_task_waits w;
 *
 *	kt_task_waits_begin(&w, r);
 *	while (kt_trace_reader_next(r, &hit, &err) > 0)
 *		kt_task_waits_add(&w, r, &hit, false);
 *	kt_task_waits_end(&w, r);
 *	for (i = 0; i < w.n; i++)
 *		printf("%u: %lu ns blocked\n", w.tasks[i].task, w.tasks[i].total[KT_TASK_BLOCKED]);
 *	kt_task_waits_free(&w);
 *
 * Time in which a switch or wakeup may be missing is unknown, so no wait is too long. Memory grows
 * with the number of tasks and of their wakers. Takes some 100 ns per switch or wakeup.
 */
#ifndef KT_VIEW_REPORT_TASK_WAITS_H
#define KT_VIEW_REPORT_TASK_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time_span.h"
#include "view/report/count_table.h"

struct kt_event_class;
struct kt_hit;
struct kt_member;
struct kt_trace_reader;

enum kt_task_state {
	KT_TASK_RUNNING,
	KT_TASK_RUNNABLE, /* it waits for a CPU */
	KT_TASK_BLOCKED,  /* it waits for something else; without wakeups: for anything */
	KT_TASK_STATES,
	KT_TASK_NEW = KT_TASK_STATES, /* no event yet */
	KT_TASK_GONE,
};

/* Times in ns. */
struct kt_task_wait {
	uint32_t task; /* as hit.task */
	enum kt_task_state state;
	uint64_t since;   /* begin of the state */
	unsigned int cpu; /* of the last run */
	bool is_woken;    /* since it last got a CPU: */
	uint64_t woken_at;
	uint32_t waker; /* the task that woke it; 0: an interrupt */
	uint64_t total[KT_TASK_STATES], longest[KT_TASK_STATES];
	uint64_t unknown;
	struct kt_count_table wakers; /* ns that it was blocked until a task woke it; sorted */
};

/* The fields of a wakeup or switch that say which task it is of. */
struct kt_task_event {
	const struct kt_event_class *event; /* NULL: none */
	const struct kt_member *task, *state;
};

struct kt_task_waits {
	bool is_known;    /* switches are in the trace, without a filter */
	bool has_wakeups; /* so are wakeups */
	bool has_births;  /* so are first wakeups of new tasks */
	struct kt_task_event switched, woken, born;
	struct kt_time_span span;   /* in which all of these are in the trace */
	struct kt_task_event exits; /* if recorded, each shows a task that runs */
	struct kt_task_wait *tasks;
	size_t n;
	struct kt_count_table index; /* by task: its index + 1 */
	uint32_t *running;           /* tasks by CPU */
	size_t n_cpus;
};

/* Starts with a reader, which must outlive w. */
void kt_task_waits_begin(struct kt_task_waits *w, const struct kt_trace_reader *r);

/*
 * Adds the hit that the reader returned last. in_interrupt: an interrupt runs on its CPU, which is
 * then the waker, as it is when a CPU is idle. Returns false without memory.
 */
bool kt_task_waits_add(struct kt_task_waits *w, const struct kt_trace_reader *r,
		       const struct kt_hit *hit, bool in_interrupt);

/* Ends all states at the end of the trace, after the last hit. Returns false without memory. */
bool kt_task_waits_end(struct kt_task_waits *w, const struct kt_trace_reader *r);

/* Returns the unknown time of all tasks. */
uint64_t kt_task_waits_unknown(const struct kt_task_waits *w);

/* Adds a task's times to a sum, which begins as zeros. Returns false without memory. */
bool kt_task_wait_merge(struct kt_task_wait *sum, const struct kt_task_wait *t);

/* Returns the waker that ended most of a task's or sum's blocked time; NULL: none is known. */
const struct kt_count *kt_task_wait_top_waker(const struct kt_task_wait *t);

void kt_task_waits_free(struct kt_task_waits *w);

#endif
