/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace holds, counted.
 *
 *	struct kt_summary s;
 *
 *	kt_summary_begin(&s, r);
 *	while (kt_reader_next(r, &hit, &err) > 0)
 *		kt_summary_add(&s, &hit);
 *	kt_summary_end(&s, r);
 *	printf("%lu records, %lu lost\n", s.records, s.lost);
 *	kt_summary_free(&s);
 *
 * Memory grows with the number of tasks, and not with that of records.
 */
#ifndef KT_VIEW_REPORT_COUNTS_H
#define KT_VIEW_REPORT_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "view/count_table.h"

struct kt_hit;
struct kt_reader;
struct kt_schema;

struct kt_summary {
	const struct kt_schema *schema;
	uint64_t records, lost;
	struct kt_count *events; /* records by event, by its id: all of the schema's, hit or not */
	size_t n_events;
	uint64_t early;            /* records from before all is there, and by event */
	struct kt_counts early_of; /* to be looked up */
	struct kt_counts tasks;    /* records by task, as hit.task has it */
	struct kt_counts on_cpu;   /* records by CPU: of all that are in the trace, hit or not */
	struct kt_counts lost_on;  /* losses by CPU */
};

/* The reader is to outlive it. All: false where there is no memory. */
bool kt_summary_begin(struct kt_summary *s, const struct kt_reader *r);
bool kt_summary_add(struct kt_summary *s, const struct kt_hit *hit);

/* Once there is no next one. Sorts all counts, the largest first. */
bool kt_summary_end(struct kt_summary *s, const struct kt_reader *r);

void kt_summary_free(struct kt_summary *s);

#endif
