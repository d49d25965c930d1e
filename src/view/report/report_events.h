/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report's tables of events, system calls, and what takes time between two events. */
#ifndef KT_VIEW_REPORT_REPORT_EVENTS_H
#define KT_VIEW_REPORT_REPORT_EVENTS_H

struct kt_text;
struct kt_trace_report;

/* Prints events by their records, without those of system calls that are in the next table. */
void kt_report_events_print(struct kt_text *t, const struct kt_trace_report *r);

/* Prints a row for each system call that returned, by total time. Returns 0 or -ENOMEM. */
int kt_report_calls_print(struct kt_text *t, const struct kt_trace_report *r);

/* Prints disk requests, interrupts, softirqs and timers, by total time. */
void kt_report_spans_print(struct kt_text *t, const struct kt_trace_report *r);

#endif
