/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace's summary, from which tables.h and document.h make theirs: doc/view.md. */
#ifndef KT_VIEW_TRACE_REPORT_H
#define KT_VIEW_TRACE_REPORT_H

#include <stdbool.h>

#include "base/time_span.h"
#include "trace/event_counts.h"
#include "trace/read/stream_reader.h"
#include "view/cpu_time.h"
#include "view/report_counts.h"

struct kt_event_class;
struct kt_trace_reader;

/* What it is made from; all of it remains the caller's. */
struct kt_trace_report {
	const char *path;
	struct kt_extent extent; /* all is there of it, and told */
	bool is_growing;
	struct kt_report_counts summary;      /* ended */
	struct kt_cpu_time usage;             /* the same */
	const struct kt_trace_reader *reader; /* read to its end: for the names of tasks */
	struct kt_event_counts *counts;       /* NULL: none is there (yet) */
	bool each_task; /* in tables tasks of one name are not one row, but each one of its own */
};

/* In ns. */
uint64_t kt_trace_report_length(const struct kt_trace_report *r);

/* Of n events in that time: in tenths of one a second. */
uint64_t kt_trace_report_rate(const struct kt_trace_report *r, uint64_t n);

/* Records of an event from before that. */
uint64_t kt_trace_report_early(const struct kt_trace_report *r, const struct kt_event_class *e);

/*
 * When all hits of an event are in it (trace/read/metadata_reader.h), as ns behind its beginning;
 * never: of no length. The same in ns of CLOCK_MONOTONIC, also beyond it. And whether that is
 * always.
 */
struct kt_time_span kt_trace_report_complete(const struct kt_trace_report *r,
					     const struct kt_event_class *e);
struct kt_time_span kt_trace_report_span(const struct kt_trace_report *r,
					 const struct kt_event_class *e);
bool kt_trace_report_is_complete(const struct kt_trace_report *r, const struct kt_event_class *e);

/* Whether it is known of a task (hit.task) that it is one of those that are followed. */
bool kt_trace_report_is_followed(const struct kt_trace_report *r, uint32_t task);

/* And that it is none, where some are. Of idle ones it need not be told. */
bool kt_trace_report_is_alien(const struct kt_trace_report *r, uint32_t task);

/*
 * What the balance has lost: a count for each row and cause, the largest first. Losses begin as
 * zeros; without a balance there are none. False where there is no memory.
 */
bool kt_trace_report_losses(const struct kt_trace_report *r, struct kt_count_table *losses);

/* What such a count counts. */
const struct kt_row *kt_trace_report_row(const struct kt_trace_report *r,
					 const struct kt_count *loss);
enum kt_loss kt_trace_report_cause(const struct kt_count *loss);

#endif
