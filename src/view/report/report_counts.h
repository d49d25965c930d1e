/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the records of a trace by event, task and CPU.
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
 * Memory grows with the number of tasks, not of records.
 */
#ifndef KT_VIEW_REPORT_REPORT_COUNTS_H
#define KT_VIEW_REPORT_REPORT_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "view/report/count_table.h"

struct kt_hit;
struct kt_trace_reader;
struct kt_metadata;

struct kt_report_counts {
	const struct kt_metadata *metadata;
	uint64_t records, lost;
	struct kt_count *events; /* records by event id, with all events of the metadata */
	size_t n_events;
	uint64_t early;                 /* records before the trace's begin */
	struct kt_count_table early_of; /* the same by event id */
	struct kt_count_table tasks;    /* records by task (hit.task) */
	struct kt_count_table on_cpu;   /* records by CPU, with all CPUs of the trace */
	struct kt_count_table lost_on;  /* lost records by CPU */
};

/* Start with a reader, which must outlive s; add a hit. Return false without memory. */
bool kt_report_counts_begin(struct kt_report_counts *s, const struct kt_trace_reader *r);
bool kt_report_counts_add(struct kt_report_counts *s, const struct kt_hit *hit);

/* Sorts all counts, largest first, after the last hit. Returns false without memory. */
bool kt_report_counts_end(struct kt_report_counts *s, const struct kt_trace_reader *r);

void kt_report_counts_free(struct kt_report_counts *s);

#endif
