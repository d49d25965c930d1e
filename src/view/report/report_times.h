/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a report says of times: how long tasks ran and waited, and how long system calls, disk
 * requests and interrupts took.
 *
 *	struct kt_report_times t;
 *
 *	kt_report_times_begin(&t, r);
 *	while (kt_trace_reader_next(r, &hit, &err) > 0)
 *		kt_report_times_add(&t, r, &hit);
 *	kt_report_times_end(&t, r);
 *	...
 *	kt_report_times_free(&t);
 */
#ifndef KT_VIEW_REPORT_REPORT_TIMES_H
#define KT_VIEW_REPORT_REPORT_TIMES_H

#include <stdbool.h>

#include "view/report/cpu_time.h"
#include "view/report/span_times.h"
#include "view/report/task_waits.h"

struct kt_hit;
struct kt_syscall_table;
struct kt_trace_reader;

/* All zeros: nothing is known. */
struct kt_report_times {
	struct kt_cpu_time cpu; /* its tasks include those that only waited */
	struct kt_task_waits waits;
	struct kt_span_times spans;
	struct kt_syscall_table *calls; /* or NULL */
};

/* Start with a reader, which must outlive t; add a hit. Return false without memory. */
bool kt_report_times_begin(struct kt_report_times *t, const struct kt_trace_reader *r);
bool kt_report_times_add(struct kt_report_times *t, const struct kt_trace_reader *r,
			 const struct kt_hit *hit);

/* Ends and sorts all times, after the last hit. Returns false without memory. */
bool kt_report_times_end(struct kt_report_times *t, const struct kt_trace_reader *r);

void kt_report_times_free(struct kt_report_times *t);

#endif
