/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace holds, counted.
 *
 *	struct kt_report_counts s;
 *
 *	kt_report_counts_begin(&s, r);
 *	while (kt_trace_reader_next(r, &hit, &err) > 0)
 *		kt_report_counts_add(&s, &hit);
 *	kt_report_counts_end(&s, r);
 *	printf("%lu records, %lu lost\n", s.records, s.lost);
 *	kt_report_counts_free(&s);
 *
 * Memory grows with the number of tasks, and not with that of records.
 */
#ifndef KT_VIEW_REPORT_COUNTS_H
#define KT_VIEW_REPORT_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "view/count_table.h"

struct kt_hit;
struct kt_trace_reader;
struct kt_metadata;

struct kt_report_counts {
	const struct kt_metadata *metadata;
	uint64_t records, lost;
	struct kt_count *events; /* records by event, by its id: all of the schema's, hit or not */
	size_t n_events;
	uint64_t early;                 /* records from before all is there, and by event */
	struct kt_count_table early_of; /* to be looked up */
	struct kt_count_table tasks;    /* records by task, as hit.task has it */
	struct kt_count_table on_cpu; /* records by CPU: of all that are in the trace, hit or not */
	struct kt_count_table lost_on; /* losses by CPU */
};

/* The reader is to outlive it. All: false where there is no memory. */
bool kt_report_counts_begin(struct kt_report_counts *s, const struct kt_trace_reader *r);
bool kt_report_counts_add(struct kt_report_counts *s, const struct kt_hit *hit);

/* Once there is no next one. Sorts all counts, the largest first. */
bool kt_report_counts_end(struct kt_report_counts *s, const struct kt_trace_reader *r);

void kt_report_counts_free(struct kt_report_counts *s);

#endif
