/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of a report's tables: at most KT_REPORT_ROWS unless all are wanted, and what is left.
 *
 *	kt_report_rows_heading(t, "       count  CPU");
 *	n = kt_report_rows_put(t, r, &counts, put_cpu, &sum);
 *	kt_report_rows_rest(t, n, "more CPU", sum, "event");	// "  2 more CPUs with 12 events; …"
 */
#ifndef KT_VIEW_REPORT_REPORT_ROWS_H
#define KT_VIEW_REPORT_REPORT_ROWS_H

#include <stddef.h>
#include <stdint.h>

struct kt_count;
struct kt_count_table;
struct kt_event_class;
struct kt_text;
struct kt_trace_report;

enum { KT_REPORT_ROWS = 6, KT_REPORT_COLUMN = 12 };

/* What ends the line about rows that are left. */
#define KT_REPORT_HAS_ALL "; --all has all\n"

/* Returns how many rows of a table are printed. */
size_t kt_report_rows_max(const struct kt_trace_report *r);

/* Puts a heading after an empty line. */
void kt_report_rows_heading(struct kt_text *t, const char *heading);

typedef void kt_report_row_fn(struct kt_text *t, const struct kt_trace_report *r,
			      const struct kt_count *c);

/* Puts the first rows of a sorted table. Returns how many are left, and the sum of their counts. */
size_t kt_report_rows_put(struct kt_text *t, const struct kt_trace_report *r,
			  const struct kt_count_table *c, kt_report_row_fn *put, uint64_t *rest);

/* Puts how many rows are left, if any: "  2 more rows with "; with their sum of events. */
void kt_report_rows_rest_name(struct kt_text *t, size_t n, const char *noun);
void kt_report_rows_rest(struct kt_text *t, size_t n, const char *noun, uint64_t sum,
			 const char *of);

/* Put a count and its rate; a share in percent; seconds to the microsecond, padded on the left. */
void kt_report_rows_rate(struct kt_text *t, const struct kt_trace_report *r, uint64_t n);
void kt_report_rows_share(struct kt_text *t, uint64_t n, uint64_t sum, size_t width);
void kt_report_rows_seconds(struct kt_text *t, uint64_t ns, size_t width);

/* Puts an event's name, with its filter if it is not NULL: "irq:softirq_entry where vec == 3" */
void kt_report_rows_event(struct kt_text *t, const char *system, const char *name,
			  const char *filter);

#endif
