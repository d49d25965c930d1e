/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a report as one JSON object on a line, with every row. */
#ifndef KT_VIEW_REPORT_REPORT_JSON_H
#define KT_VIEW_REPORT_REPORT_JSON_H

#include <stdio.h>

struct kt_trace_report;

/* Prints the report. Returns 0 or -ENOMEM; errors of writing are in ferror(to). */
int kt_report_json_print(FILE *to, const struct kt_trace_report *r);

#endif
