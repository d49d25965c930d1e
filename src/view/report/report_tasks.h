/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report's tables of tasks. */
#ifndef KT_VIEW_REPORT_REPORT_TASKS_H
#define KT_VIEW_REPORT_REPORT_TASKS_H

struct kt_text;
struct kt_trace_report;

/*
 * Prints how long tasks ran, were runnable and blocked, and who woke them, longest run time first;
 * and how many events they hit, if these times are not known or all tables are wanted. Returns 0 or
 * -ENOMEM.
 */
int kt_report_tasks_print(struct kt_text *t, const struct kt_trace_report *r);

#endif
