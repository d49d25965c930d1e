/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A summary of a trace, printed by view/report/report_text.h and view/report/report_json.h
 * (doc/view.md). */
#ifndef KT_VIEW_REPORT_TRACE_REPORT_H
#define KT_VIEW_REPORT_TRACE_REPORT_H

#include <stdbool.h>

#include "base/time_span.h"
#include "trace/event_counts.h"
#include "trace/read/stream_reader.h"
#include "view/report/report_counts.h"
#include "view/report/report_times.h"

struct kt_event_class;
struct kt_hit_groups;
struct kt_trace_reader;

/* What a report is made from; everything remains the caller's. */
struct kt_trace_report {
	const char *path;
	struct kt_extent extent; /* the time for which the trace is complete */
	bool is_growing;
	struct kt_report_counts summary;      /* ended */
	struct kt_report_times times;         /* ended; or zeros */
	const struct kt_trace_reader *reader; /* read to its end: for the names of tasks */
	struct kt_event_counts *counts;       /* NULL: the trace has none (yet) */
	bool is_partial; /* it is of selected events; CPU times are not known then */
	bool each_task;  /* in tables: a row for each task, instead of one per comm */
	bool all;        /* in tables: all rows, not only the first */
	const struct kt_hit_groups *groups; /* sorted; instead of the other tables; or NULL */
};

/* Returns the length in ns. */
uint64_t kt_trace_report_length(const struct kt_trace_report *r);

/* Returns the rate of n events during the report, in tenths per second. */
uint64_t kt_trace_report_rate(const struct kt_trace_report *r, uint64_t n);

/* Returns how many records of an event are from before the begin. */
uint64_t kt_trace_report_early(const struct kt_trace_report *r, const struct kt_event_class *e);

/*
 * Return when all hits of an event are in the trace (trace/read/metadata_reader.h): in ns from its
 * begin, of no length for never; in ns of CLOCK_MONOTONIC, also outside of the trace; and whether
 * that is always.
 */
struct kt_time_span kt_trace_report_complete(const struct kt_trace_report *r,
					     const struct kt_event_class *e);
struct kt_time_span kt_trace_report_span(const struct kt_trace_report *r,
					 const struct kt_event_class *e);
bool kt_trace_report_is_complete(const struct kt_trace_report *r, const struct kt_event_class *e);

/* Returns whether a task (hit.task) is known to be followed. */
bool kt_trace_report_is_followed(const struct kt_trace_report *r, uint32_t task);

/*
 * Returns whether a task is known not to be followed while some are; idle tasks are never followed.
 */
bool kt_trace_report_is_unfollowed(const struct kt_trace_report *r, uint32_t task);

/*
 * Counts what was lost: a count for each event and cause, largest first. losses begins as zeros,
 * and remains empty without event counts. Returns false without memory.
 */
bool kt_trace_report_losses(const struct kt_trace_report *r, struct kt_count_table *losses);

/* Return the row and cause that such a count is of. */
const struct kt_row *kt_trace_report_row(const struct kt_trace_report *r,
					 const struct kt_count *loss);
enum kt_loss kt_trace_report_cause(const struct kt_count *loss);

#endif
