// SPDX-License-Identifier: GPL-2.0-or-later
/* Traces with streams of rare events, which may reach further back than the others. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/ctf/report.h"
#include "trace/event_counts.h"
#include "trace/read/metadata_reader.h"

/* One event is rare. The others have packets of CPU 3, from 1 s to 2 s. */
static int set_up_rare(void **state)
{
	struct made *m;

	set_up(state);
	m = *state;
	m->metadata.has_rare = true;
	m->events[NUMBER]->channel = KT_RARE;
	rewrite_metadata(m);
	assert_int_equal(unlinkat(m->dir.fd, "cpu3", 0), 0);
	go_to_cpu(m, 3);
	begin(m, MS(1000), 0);
	put_event_at(m, 7, MS(1500));
	assert_int_equal(end(m, MS(2000)), 0);
	return 0;
}

/* Puts rare events of a CPU from that time on: numbers at these times up to 0, until 2 s. */
static void put_rare(struct made *m, unsigned int cpu, uint64_t begin_at, const uint64_t *at)
{
	go_to_stream(m, KT_RARE, cpu);
	begin(m, begin_at, 0);
	for (; *at; at++)
		number(m, *at, 1);
	assert_int_equal(end(m, MS(2000)), 0);
}

#define AT(...) ((const uint64_t[]){__VA_ARGS__, 0})

static void assert_report_lines(struct made *m, const char *sums, const char *events,
				const char *rest, const char *json)
{
	struct kt_event_counts no_losses = {0};
	struct kt_trace_report report = {.path = "t", .counts = &no_losses};
	char text[1024];

	snprintf(text, sizeof(text),
		 "t: 1.000 s from 1970-01-01 00:00:01 on here, Linux 6.1\n"
		 "%s"
		 "\n"
		 "       count      rate/s  event\n"
		 "%s"
		 "  3 more events without a hit\n"
		 "%s",
		 sums, events, rest);
	assert_report(m, &report, text, json);
}

/* Rates, tasks and CPUs cover the time for which all events are there. */
static void earlier_rare_events(void **state)
{
	struct made *m = *state;

	put_rare(m, 3, MS(200), AT(MS(200), MS(999), MS(1000)));
	put_rare(m, 4, MS(700), AT(MS(800)));
	assert_report_lines(
		m,
		"2 events, 2.0/s, none lost\n"
		"3 earlier events; rare events complete since 0.300000 s before the trace\n",
		"           1         1.0  test:number, 3 more before\n"
		"           1         1.0  test:nothing\n",
		"\n"
		"       count       share  task\n"
		"           1      50.0 %  <...>-7\n"
		"           1      50.0 %  <...>-100\n"
		"\n"
		"       count      rate/s  CPU\n"
		"           2         2.0  3\n"
		"           0         0.0  4\n",
		"\"count\":2,\"per_second\":2.0,\"early\":3,");
}

static void only_earlier_rare_events(void **state)
{
	struct made *m = *state;

	put_rare(m, 3, MS(200), AT(MS(999)));
	assert_report_lines(
		m,
		"1 event, 1.0/s, none lost\n"
		"1 earlier event; rare events complete since 0.800000 s before the trace\n",
		"           1         1.0  test:nothing\n"
		"           0         0.0  test:number, 1 more before\n",
		"\n"
		"       count       share  task\n"
		"           1     100.0 %  <...>-7\n"
		"\n"
		"       count      rate/s  CPU\n"
		"           1         1.0  3\n",
		"{\"system\":\"test\",\"event\":\"number\",\"count\":0,\"early\":1,"
		"\"per_second\":0.0}");
}

/* Rare events may be overwritten while the others are not. */
static void shorter_rare_events(void **state)
{
	struct made *m = *state;

	put_rare(m, 3, MS(200), AT(MS(1200)));
	put_rare(m, 4, MS(1400), AT(MS(1400), MS(1700)));
	assert_report_lines(
		m, "4 events, 4.0/s, none lost\n",
		"           3           -  test:number, complete from 0.400000 s on\n"
		"           1         1.0  test:nothing\n",
		"\n"
		"       count       share  task\n"
		"           3      75.0 %  <...>-100\n"
		"           1      25.0 %  <...>-7\n"
		"\n"
		"       count      rate/s  CPU\n"
		"           2         2.0  3\n"
		"           2         2.0  4\n",
		"{\"system\":\"test\",\"event\":\"number\",\"count\":3,\"complete_from\":"
		"1400000000}");
}

/* One CPU's reach back further, another's less far. */
static void shorter_on_one_cpu(void **state)
{
	struct made *m = *state;
	struct kt_trace_report report = {.path = "t"};
	struct kt_trace_reader *r;

	put_rare(m, 3, MS(200), AT(MS(200)));
	put_rare(m, 4, MS(1400), AT(MS(1700)));
	report.reader = r = kt_trace_reader_open(m->dir.path, &m->err);
	sum_up(m, r, &report);
	assert_int_equal(report.summary.early, 1);
	assert_int_equal(report.summary.records, 2);
	assert_int_equal(kt_trace_reader_begin(r), MS(1000));
	assert_int_equal(kt_trace_reader_rare_from(r), MS(1400));
	assert_false(
		kt_trace_report_is_complete(&report, &kt_trace_reader_metadata(r)->events[NUMBER]));
	assert_true(kt_trace_report_is_complete(&report,
						&kt_trace_reader_metadata(r)->events[NOTHING]));
	kt_report_counts_free(&report.summary);
	kt_trace_reader_free(r);
}

static void separate_stream(void **state)
{
	struct made *m = *state;

	go_to_cpu(m, 5);
	begin(m, MS(1000), 0);
	number(m, MS(1000), 1);
	assert_int_equal(end(m, MS(2000)), -EBADMSG);
	go_to_stream(m, KT_RARE, 5);
	begin(m, MS(1000), 0);
	put_event_at(m, 7, MS(1000));
	assert_int_equal(end(m, MS(2000)), -EBADMSG);
}

/*
 * Reads everything and asserts what is reported about a file, or nothing. The trace has no task
 * names.
 */
static void assert_report_of_file(struct made *m, const char *expected)
{
	struct kt_trace_reader *r = kt_trace_reader_open(m->dir.path, &m->err);
	char reported[sizeof(m->err.text)] = "";
	struct kt_hit hit;
	int ret;

	assert_non_null(r);
	while ((ret = kt_trace_reader_next(r, &hit, &m->err)) != 0)
		if (ret < 0 && !strncmp(m->err.text, "rare3", 5))
			strcpy(reported, m->err.text);
	assert_string_equal(reported, expected);
	kt_trace_reader_free(r);
}

static void damaged(void **state)
{
	struct made *m = *state;
	char bytes[1024];
	size_t size;

	put_rare(m, 3, MS(1000), AT(MS(1200)));
	assert_report_of_file(m, "");
	size = load(m, "rare3", bytes, sizeof(bytes));
	bytes[20] = KT_MAIN;
	store(m, "rare3", bytes, size);
	assert_report_of_file(m, "rare3 is damaged at byte 64: a record of another stream's event");
	bytes[20] = KT_CHANNELS;
	store(m, "rare3", bytes, size);
	assert_report_of_file(m, "rare3 is damaged at byte 0: a packet of an unknown stream");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(earlier_rare_events, set_up_rare, tear_down),
		cmocka_unit_test_setup_teardown(only_earlier_rare_events, set_up_rare, tear_down),
		cmocka_unit_test_setup_teardown(shorter_rare_events, set_up_rare, tear_down),
		cmocka_unit_test_setup_teardown(shorter_on_one_cpu, set_up_rare, tear_down),
		cmocka_unit_test_setup_teardown(separate_stream, set_up_rare, tear_down),
		cmocka_unit_test_setup_teardown(damaged, set_up_rare, tear_down),
	};

	return cmocka_run_group_tests_name("rare_events", tests, NULL, NULL);
}
