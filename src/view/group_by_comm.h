/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that had one name, counted as one. */
#ifndef KT_VIEW_GROUP_BY_COMM_H
#define KT_VIEW_GROUP_BY_COMM_H

#include <stdbool.h>

#include "view/count_table.h"

struct kt_trace_report;

/*
 * Of counts by thread, the largest first, those by name: the key is the first task that had it
 * last, and `times` says how many there are. Those that are not followed are apart from those that
 * are. Of threads without a known name each is one of its own, and of a report of each task all.
 * Names begin as zeros, and end with the largest first. False where there is no memory.
 */
bool kt_group_by_comm(struct kt_count_table *names, const struct kt_count_table *tasks,
		      const struct kt_trace_report *r);

#endif
