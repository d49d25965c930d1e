/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a report as tables: events, system calls, tasks and how long they waited, disk requests
 * and interrupts, CPUs, and losses; or groups. Tables have at most KT_REPORT_ROWS rows, unless all
 * are wanted; a line says what is left.
 */
#ifndef KT_VIEW_REPORT_REPORT_TEXT_H
#define KT_VIEW_REPORT_REPORT_TEXT_H

struct kt_trace_report;
struct kt_text;

/* Prints the report. Returns 0 or -ENOMEM; errors of writing are in ferror(t->to). */
int kt_report_text_print(struct kt_text *t, const struct kt_trace_report *r);

#endif
