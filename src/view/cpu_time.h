/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For how long each task ran, by the switches of tasks in a trace: doc/view.md.
 *
 *	struct kt_usage u;
 *
 *	kt_usage_begin(&u, r);
 *	while (kt_reader_next(r, &hit, &err) > 0)
 *		kt_usage_add(&u, r, &hit);
 *	kt_usage_end(&u, r);
 *	for (i = 0; i < u.tasks.n; i++)
 *		printf("%u: %lu ns\n", u.tasks.counts[i].key, u.tasks.counts[i].count);
 *	kt_usage_free(&u);
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
struct kt_reader;
struct kt_usage_cpu;

struct kt_usage {
	const struct kt_event_class *event; /* sched:sched_switch; NULL: it is not in the trace */
	bool known;                         /* it is, and without a filter */
	const struct kt_member *next;       /* its field: who runs from there on */
	struct kt_counts
		tasks; /* ns by task (hit.task), idle ones as 0; where some are followed theirs */
	uint64_t unknown; /* ns of CPUs; where some are followed at most so much is theirs */
	struct kt_counts busy_on;    /* ns by CPU: of these tasks, but for idle ones */
	struct kt_counts unknown_on; /* the unknown ones by CPU */
	struct kt_usage_cpu *cpus;   /* by number */
	size_t n_cpus;
};

/* The reader is to outlive it. */
void kt_usage_begin(struct kt_usage *u, const struct kt_reader *r);

/* What the reader has just given. False where there is no memory. */
bool kt_usage_add(struct kt_usage *u, const struct kt_reader *r, const struct kt_hit *hit);

/*
 * Once there is no next one: what is left up to each CPU's end. Sorts the tasks, the longest time
 * first, and leaves the rest such that it can be looked up. False where there is no memory.
 */
bool kt_usage_end(struct kt_usage *u, const struct kt_reader *r);

void kt_usage_free(struct kt_usage *u);

#endif
