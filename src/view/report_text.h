/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report for people, in tables: events by how often they were hit, the busiest tasks, for how
 * long they ran, CPUs, and losses. Of each but the first there are twenty rows at most; what is
 * left is told.
 */
#ifndef KT_VIEW_REPORT_TEXT_H
#define KT_VIEW_REPORT_TEXT_H

struct kt_trace_report;
struct kt_text;

/* 0 or -ENOMEM. What could not be written stands in ferror(t->to). */
int kt_report_text_print(struct kt_text *t, const struct kt_trace_report *r);

#endif
