/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For how long each task ran, by the switches of tasks in a trace: doc/view.md.
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
 * What is not known is nobody's: tasks never get too much. Memory grows with the number of tasks.
 */
#ifndef KT_VIEW_CPU_TIME_H
#define KT_VIEW_CPU_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "view/count_table.h"

struct kt_event_class;
struct kt_hit;
struct kt_trace_reader;
struct kt_cpu_time_cpu;

struct kt_cpu_time {
	const struct kt_event_class *event; /* sched:sched_switch; NULL: it is not in the trace */
	bool known;                         /* it is, and without a filter */
	const struct kt_member *next;       /* its field: who runs from there on */
	struct kt_count_table
		tasks; /* ns by task (hit.task), idle ones as 0; where some are followed theirs */
	uint64_t unknown; /* ns of CPUs; where some are followed at most so much is theirs */
	struct kt_count_table busy_on;    /* ns by CPU: of these tasks, but for idle ones */
	struct kt_count_table unknown_on; /* the unknown ones by CPU */
	struct kt_cpu_time_cpu *cpus;     /* by number */
	size_t n_cpus;
};

/* The reader is to outlive it. */
void kt_cpu_time_begin(struct kt_cpu_time *u, const struct kt_trace_reader *r);

/* What the reader has just given. False where there is no memory. */
bool kt_cpu_time_add(struct kt_cpu_time *u, const struct kt_trace_reader *r,
		     const struct kt_hit *hit);

/*
 * Once there is no next one: what is left up to each CPU's end. Sorts the tasks, the longest time
 * first, and leaves the rest such that it can be looked up. False where there is no memory.
 */
bool kt_cpu_time_end(struct kt_cpu_time *u, const struct kt_trace_reader *r);

void kt_cpu_time_free(struct kt_cpu_time *u);

#endif
