/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report for programs: one JSON object on a line, with every row. */
#ifndef KT_VIEW_REPORT_JSON_H
#define KT_VIEW_REPORT_JSON_H

#include <stdio.h>

struct kt_trace_report;

/* 0 or -ENOMEM. What could not be written stands in ferror(to). */
int kt_report_json_print(FILE *to, const struct kt_trace_report *r);

#endif
