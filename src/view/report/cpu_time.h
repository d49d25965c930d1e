/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes how long each task ran, from the context switches in a trace (doc/view.md).
 *
 *	struct kt_cpu_time u;
 *
 *	kt_cpu_time_begin(&u, r);
 *	while (kt_trace_reader_next(r, &hit, &err) > 0)
 *		kt_cpu_time_add(&u, r, &hit);
 *	kt_cpu_time_end(&u, r);
 *	for (i = 0; i < u.tasks.n; i++)
 *		printf("%u: %lu ns\n", u.tasks.counts[i].key, u.tasks.counts[i].count);
 *	kt_cpu_time_free(&u);
 *
 * Time is unknown where switches are missing, so no task gets too much. Memory grows with the
 * number of tasks.
 */
#ifndef KT_VIEW_REPORT_CPU_TIME_H
#define KT_VIEW_REPORT_CPU_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "view/report/count_table.h"

struct kt_event_class;
struct kt_hit;
struct kt_trace_reader;
struct kt_cpu_time_cpu;

struct kt_cpu_time {
	const struct kt_event_class *event; /* sched:sched_switch; NULL: not in the trace */
	bool known;                         /* the event is in the trace, without a filter */
	const struct kt_member *next;       /* its field with the next task */
	struct kt_count_table tasks; /* ns by task (hit.task), idle tasks as 0; only followed tasks
					if some are followed */
	uint64_t unknown; /* ns of all CPUs; if some tasks are followed, an upper limit of their
			     unknown time */
	struct kt_count_table busy_on;    /* ns by CPU that these tasks ran, without idle ones */
	struct kt_count_table unknown_on; /* unknown ns by CPU */
	struct kt_cpu_time_cpu *cpus;     /* by number */
	size_t n_cpus;
};

/* Starts with a reader, which must outlive u. */
void kt_cpu_time_begin(struct kt_cpu_time *u, const struct kt_trace_reader *r);

/* Adds the hit that the reader returned last. Returns false without memory. */
bool kt_cpu_time_add(struct kt_cpu_time *u, const struct kt_trace_reader *r,
		     const struct kt_hit *hit);

/*
 * Adds what is left up to each CPU's end, after the last hit. Sorts the tasks, longest time first;
 * the other tables can be looked up. Returns false without memory.
 */
bool kt_cpu_time_end(struct kt_cpu_time *u, const struct kt_trace_reader *r);

void kt_cpu_time_free(struct kt_cpu_time *u);

#endif
