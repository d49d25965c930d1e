// SPDX-License-Identifier: GPL-2.0-or-later
/* What traces say about their own making: limits, and the events that triggered them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "filter/filter_parser.h"
#include "tests/ctf/report.h"
#include "trace/event_counts.h"

/* Filters are reported as they were written, unless they would break the line. */
static void limits(void **state)
{
	struct made *m = *state;
	struct kt_event_counts no_losses = {0};
	struct kt_trace_report report = {.path = "t", .counts = &no_losses};

	m->metadata.follows = true;
	m->events[NUMBER]->filter =
		kt_filter_parse(m->events[NUMBER], "n == 1 ||\n\tcomm ~ \"\\\001\"", &m->err);
	m->events[VARYING]->filter = kt_filter_parse(m->events[VARYING], "u8 & 1", &m->err);
	rewrite_metadata(m);
	begin(m, MS(1000), 0);
	number(m, MS(1000), 1);
	put_event_at(m, 7, MS(1000));
	assert_int_equal(end(m, MS(2000)), 0);
	assert_report(
		m, &report,
		"t: 1.000 s from 1970-01-01 00:00:01 on here, Linux 6.1, followed processes only\n"
		"2 events, 2.0/s, none lost\n"
		"\n"
		"       count      rate/s  event\n"
		"           1         1.0  test:number where n == 1 ||  comm ~ \"\\\\?\"\n"
		"           1         1.0  test:nothing\n"
		"  3 more events without a hit\n"
		"\n"
		"       count       share  task\n"
		"           1      50.0 %  <...>-7\n"
		"           1      50.0 %  <...>-100\n"
		"\n"
		"       count      rate/s  CPU\n"
		"           2         2.0  3\n",
		"\"follows\":true,\"growing\":false,\"ended\":true,\"count\":2,"
		"\"per_second\":2.0,\"hits\":0,\"lost\":0,\"overwritten\":0,\"filtered\":0,\"lost_"
		"stacks\":0,"
		"\"missed_forks\":0,\"missed_functions\":0,\"missed_calls\":0,\"missed_unknown\":"
		"false,\"losses\":[],"
		"\"events\":["
		"{\"system\":\"test\",\"event\":\"number\",\"filter\":\"n == 1 ||  comm ~ "
		"\\\"\\\\?\\\"\",\"count\":1,\"per_second\":1.0},"
		"{\"system\":\"test\",\"event\":\"nothing\",\"count\":1,\"per_second\":1.0},"
		"{\"system\":\"test\",\"event\":\"kinds\",\"count\":0,\"per_second\":0.0},"
		"{\"system\":\"test\",\"event\":\"varying\",\"filter\":\"u8 & 1\",");
}

/* Asserts the report's lines on why the trace exists; it spans 1 s to 2 s. */
static void assert_provenance(struct made *m, struct kt_provenance from, const char *lines,
			      const char *json)
{
	struct kt_event_counts no_losses = {0};
	struct kt_trace_report report = {.path = "t", .counts = &no_losses};
	char text[1024];

	m->metadata.from = from;
	rewrite_metadata(m);
	snprintf(text, sizeof(text),
		 "t: 1.000 s from 1970-01-01 00:00:01 on here, Linux 6.1\n"
		 "%s"
		 "1 event, 1.0/s, none lost\n"
		 "\n"
		 "       count      rate/s  event\n"
		 "           1         1.0  test:nothing\n"
		 "  4 more events without a hit\n"
		 "\n"
		 "       count       share  task\n"
		 "           1     100.0 %%  <...>-7\n"
		 "\n"
		 "       count      rate/s  CPU\n"
		 "           1         1.0  3\n",
		 lines);
	assert_report(m, &report, text, json);
}

static void triggers(void **state)
{
	struct made *m = *state;

	begin(m, MS(1000), 0);
	put_event_at(m, 7, MS(1000));
	assert_int_equal(end(m, MS(2000)), 0);
	assert_provenance(m, (struct kt_provenance){0}, "", "\"growing\":false,\"ended\":true");
	assert_provenance(m, (struct kt_provenance){.session = "a\033\"b"},
			  "a snapshot of 'a?\"b'\n",
			  "\"growing\":false,\"session\":\"a?\\\"b\",\"ended\":true");
	assert_provenance(
		m,
		(struct kt_provenance){.session = "f",
				       .frozen = {MS(1500), "a", "b", "c ~ \"\\\n*\""},
				       .frozen_at = MS(2000),
				       .taken = {MS(1750), "d", "e", NULL}},
		"a snapshot of 'f'\n"
		"frozen at 1.000000 s, by a:b where c ~ \"\\\\ *\", hit at 0.500000 s\n"
		"taken for d:e, hit at 0.750000 s\n",
		"\"session\":\"f\",\"frozen_at\":2000000000,\"frozen_by\":{\"hit\":1500000000,"
		"\"system\":\"a\",\"event\":\"b\",\"trigger\":\"c ~ \\\"\\\\ "
		"*\\\"\"},\"taken_for\":"
		"{\"hit\":1750000000,\"system\":\"d\",\"event\":\"e\"},\"ended\":true");
	assert_provenance(m,
			  (struct kt_provenance){.session = "f",
						 .frozen = {MS(900), "a", "b", NULL},
						 .frozen_at = MS(2000) + 1,
						 .taken = {MS(2500), NULL, NULL, NULL}},
			  "a snapshot of 'f'\n"
			  "will freeze at 1.000000 s, by a:b, hit 0.100000 s before the trace\n"
			  "taken for a trigger, hit at 1.500000 s\n",
			  "\"taken_for\":{\"hit\":2500000000},");
	assert_provenance(m,
			  (struct kt_provenance){.session = "f",
						 .frozen = {MS(2001), NULL, NULL, NULL},
						 .frozen_at = MS(2001)},
			  "a snapshot of 'f'\n"
			  "frozen at 1.001000 s, by a trigger\n",
			  "\"frozen_at\":2001000000,\"frozen_by\":{\"hit\":2001000000},\"ended\"");
	assert_provenance(m,
			  (struct kt_provenance){.session = "f", .clock_set = -MS(90 * 60 * 1000)},
			  "a snapshot of 'f'\n"
			  "the time of day was set back by 1 h 30 min while it was recorded\n",
			  "\"session\":\"f\",\"clock_set\":-5400000000000,\"ended\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(limits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(triggers, set_up, tear_down),
	};

	setenv("TZ", "UTC0", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
