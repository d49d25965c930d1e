/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace's summary, for people and for programs: doc/view.md. */
#ifndef KT_VIEW_REPORT_H
#define KT_VIEW_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "trace/source.h"
#include "view/summary.h"
#include "view/usage.h"

struct kt_balance;
struct kt_reader;
struct kt_text;

/* What it is made from; all of it remains the caller's. */
struct kt_report {
	const char *path;
	struct kt_extent extent;
	bool is_growing;
	struct kt_summary summary;      /* ended */
	struct kt_usage usage;          /* the same */
	const struct kt_reader *reader; /* read to its end: for the names of tasks */
	struct kt_balance *balance;     /* NULL: none is there (yet) */
};

/* Tables: events by how often they were hit, the busiest tasks, and losses. 0 or -ENOMEM. */
int kt_report_print(struct kt_text *t, const struct kt_report *r);

/* One JSON object on a line; all tasks and losses are in it. 0 or -ENOMEM. */
int kt_report_print_json(FILE *to, const struct kt_report *r);

#endif
