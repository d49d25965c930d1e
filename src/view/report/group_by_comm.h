/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups tasks by comm. */
#ifndef KT_VIEW_REPORT_GROUP_BY_COMM_H
#define KT_VIEW_REPORT_GROUP_BY_COMM_H

#include <stdbool.h>

#include "view/report/count_table.h"

struct kt_trace_report;

/*
 * Sums counts by task into counts by comm. A result's key is the first task of that comm in
 * `tasks`, which must be sorted (largest first), and `times` is the number of tasks. Followed tasks
 * are grouped apart from others. Each task without a known comm is a group, and so is each task if
 * the report is of each task. names begins as zeros, and is sorted on return; so does groups, if it
 * is not NULL: for each task it has the key of its result, plus 1. Returns false without memory.
 */
bool kt_group_by_comm(struct kt_count_table *names, struct kt_count_table *groups,
		      const struct kt_count_table *tasks, const struct kt_trace_report *r);

#endif
