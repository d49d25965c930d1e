/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of a trace made by a test. */
#ifndef KT_TESTS_REPORT_H
#define KT_TESTS_REPORT_H

#include "tests/ctf/made_trace.h"
#include "trace/read/trace_reader.h"
#include "values/text.h"
#include "view/report/report_json.h"
#include "view/report/report_text.h"
#include "view/report/trace_report.h"

#define MS(n) ((n)*UINT64_C(1000000))

/* Puts a record of an event without fields at the packet's time. */
static inline void put_event_at(struct made *m, uint32_t tid, uint64_t time)
{
	record_of_task(m, NOTHING, time, tid, "", 0);
}

static inline void sum_up(struct made *m, struct kt_trace_reader *r, struct kt_trace_report *report)
{
	struct kt_hit next;

	assert_non_null(r);
	assert_true(kt_report_counts_begin(&report->summary, r));
	while (kt_trace_reader_next(r, &next, &m->err) == 1)
		assert_true(kt_report_counts_add(&report->summary, &next));
	assert_true(kt_report_counts_end(&report->summary, r));
	assert_true(kt_trace_reader_extent(r, KT_MAIN, &report->extent));
}

static inline void assert_report(struct made *m, struct kt_trace_report *report, const char *text,
				 const char *json)
{
	struct kt_trace_reader *r = kt_trace_reader_open(m->dir.path, &m->err);
	static struct kt_text t;
	size_t size[2];
	char *out[2];
	FILE *f = open_memstream(&out[1], &size[1]);

	report->reader = r;
	sum_up(m, r, report);
	t.to = open_memstream(&out[0], &size[0]);
	assert_int_equal(kt_report_text_print(&t, report), 0);
	assert_int_equal(kt_report_json_print(f, report), 0);
	fclose(t.to);
	fclose(f);
	assert_string_equal(out[0], text);
	if (json)
		assert_non_null(strstr(out[1], json));
	free(out[0]);
	free(out[1]);
	kt_report_counts_free(&report->summary);
	kt_trace_reader_free(r);
}

#endif
