// SPDX-License-Identifier: GPL-2.0-or-later
/* Reports on traces made by tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "tests/ctf/report.h"
#include "tests/ctf/task_names.h"
#include "trace/event_counts.h"

/* From the first CPU's begin to the last one's end; losses in descending order. */
static void two_cpus(void **state)
{
	struct made *m = *state;
	struct kt_trace_report report = {.path = "a\033dir"};

	begin(m, MS(5000), 2);
	put_event_at(m, 7, MS(5000));
	number(m, MS(5001), 1);
	put_event_at(m, 7, MS(5002));
	assert_int_equal(end(m, MS(7000)), 0);
	begin(m, MS(7500), 2);
	assert_int_equal(end(m, MS(7500)), 0);
	go_to_cpu(m, 0);
	begin(m, MS(4500), 1);
	put_event_at(m, 0, MS(4500));
	assert_int_equal(end(m, MS(5000)), 0);
	begin(m, MS(6000), 5);
	assert_int_equal(end(m, MS(6000)), 0);

	assert_report(
		m, &report,
		"a\\x1bdir: 2.500 s from 1970-01-01 00:00:05 on here, Linux 6.1\n"
		"event counts are missing, as after a kill: only losses in the rings are known\n"
		"3 events, 1.2/s, 7 lost in the rings\n"
		"  CPU 0: 5 lost\n"
		"  CPU 3: 2 lost\n"
		"1 earlier event\n"
		"\n"
		"       count      rate/s  event\n"
		"           2         0.8  test:nothing, 1 more before\n"
		"           1         0.4  test:number\n"
		"  3 more events without a hit\n"
		"\n"
		"       count       share  task\n"
		"           2      66.6 %  <...>-7\n"
		"           1      33.3 %  <...>-100\n"
		"\n"
		"       count      rate/s  CPU\n"
		"           3         1.2  3\n"
		"           0         0.0  0\n",
		"{\"trace\":\"a\\u001bdir\",\"hostname\":\"here\",\"kernel_release\":\"6.1\","
		"\"tracer_version\":\"1.2.3\",\"since_1970\":0,\"begin\":5000000000,\"end\":"
		"7500000000,\"follows\":false,\"growing\":false,\"ended\":false,\"count\":3,\"per_"
		"second\":1.2,\"early\":1,"
		"\"lost\":7,"
		"\"losses\":[{\"cpu\":0,\"lost\":5},{\"cpu\":3,\"lost\":2}],\"events\":["
		"{\"system\":\"test\",\"event\":\"nothing\",\"count\":2,\"early\":1,\"per_second\":"
		"0.8},"
		"{\"system\":\"test\",\"event\":\"number\",\"count\":1,\"per_second\":0.4},"
		"{\"system\":\"test\",\"event\":\"kinds\",\"count\":0,\"per_second\":0.0},"
		"{\"system\":\"test\",\"event\":\"varying\",\"count\":0,\"per_second\":0.0},"
		"{\"system\":\"test\",\"event\":\"labelled\",\"count\":0,\"per_second\":0.0}],"
		"\"tasks\":[{\"tid\":7,\"count\":2},{\"tid\":100,\"count\":1}],"
		"\"cpus\":[{\"cpu\":3,\"count\":3,\"per_second\":1.2},"
		"{\"cpu\":0,\"count\":0,\"per_second\":0.0}]}\n");
}

static void no_events(void **state)
{
	struct made *m = *state;
	struct kt_trace_report report = {.path = "t", .is_growing = true};

	begin(m, MS(1000), 0);
	assert_int_equal(end(m, MS(1000)), 0);
	assert_report(m, &report,
		      "t: 0.000 s from 1970-01-01 00:00:01 on here, Linux 6.1\n"
		      "still being recorded; this is its state when it was read\n"
		      "0 events, 0.0/s, none lost in the rings\n"
		      "\n"
		      "       count      rate/s  event\n"
		      "  5 events without a hit\n"
		      "\n"
		      "       count      rate/s  CPU\n"
		      "           0         0.0  3\n",
		      NULL);
}

/* Losses that the recorder counted and the streams do not show. */
static void losses(void **state)
{
	struct kt_row rows[] = {
		{NUMBER, 1, {.hits = 10, .records = 3, .lost = {4, 0, 0, 1, 0, 2}}},
		{NUMBER, KT_NO_CPU, {.hits = 9, .lost[KT_LOST_MISSED] = 9}},
		{NOTHING, 0, {.hits = 7, .records = 5, .overwritten = 2}},
		{NOTHING, 120, {.hits = 6, .filtered = 17, .lost = {0, 1, 5}}},
	};
	struct kt_event_counts b = {.missed_forks = 1,
				    .missed_functions = 3,
				    .missed_calls = 2,
				    .missed_unknown = true,
				    .rows = rows,
				    .n = 4};
	struct kt_trace_report report = {.path = "t", .counts = &b};
	struct made *m = *state;

	begin(m, MS(1000), 2);
	put_event_at(m, 7, MS(1000));
	assert_int_equal(end(m, MS(3000)), 0);
	assert_report(
		m, &report,
		"t: 2.000 s from 1970-01-01 00:00:01 on here, Linux 6.1\n"
		"1 event, 0.5/s, 22 of 32 lost; 2 overwritten; 17 filtered\n"
		"1 fork missed by the kernel: its process may not be recorded\n"
		"3 hits of functions missed by the kernel (recursion), of any process\n"
		"2 entries or returns of system calls missed by the kernel (recursion), of any "
		"process\n"
		"missed events are not counted: Linux counts them since 6.7\n"
		"\n"
		"       count      rate/s  event\n"
		"           1         0.5  test:nothing\n"
		"  4 more events without a hit\n"
		"\n"
		"       count       share  task\n"
		"           1     100.0 %  <...>-7\n"
		"\n"
		"       count      rate/s  CPU\n"
		"           1         0.5  3\n"
		"\n"
		"        lost     of hits  cpu  event and cause\n"
		"           9           9    -  test:number, missed (recursion)\n"
		"           5           6  120  test:nothing, on a CPU that came online later\n"
		"           4          10    1  test:number, no room in the ring (-b)\n"
		"           2          10    1  test:number, not written to the trace\n"
		"           1          10    1  test:number, too large for a record (-b) or "
		"unreadable\n"
		"           1           6  120  test:nothing, interrupted while reserving\n",
		"\"growing\":false,\"ended\":true,\"count\":1,\"per_second\":0.5,\"hits\":32,"
		"\"lost\":22,\"overwritten\":2,\"filtered\":17,\"lost_stacks\":0,\"missed_forks\":"
		"1,"
		"\"missed_functions\":3,\"missed_calls\":2,"
		"\"missed_unknown\":true,"
		"\"losses\":["
		"{\"system\":\"test\",\"event\":\"number\",\"hits\":9,\"lost\":9,"
		"\"cause\":\"missed\"},"
		"{\"system\":\"test\",\"event\":\"nothing\",\"cpu\":120,\"hits\":6,"
		"\"lost\":5,\"cause\":\"no_ring\"},"
		"{\"system\":\"test\",\"event\":\"number\",\"cpu\":1,\"hits\":10,"
		"\"lost\":4,\"cause\":\"full\"},"
		"{\"system\":\"test\",\"event\":\"number\",\"cpu\":1,\"hits\":10,"
		"\"lost\":2,\"cause\":\"unwritten\"},"
		"{\"system\":\"test\",\"event\":\"number\",\"cpu\":1,\"hits\":10,"
		"\"lost\":1,\"cause\":\"unfit\"},"
		"{\"system\":\"test\",\"event\":\"nothing\",\"cpu\":120,\"hits\":6,"
		"\"lost\":1,\"cause\":\"contended\"}],\"events\":[");
}

/* Not "none lost": losses are unknown. */
static void unknown_losses(void **state)
{
	struct kt_event_counts b = {.missed_unknown = true};
	struct kt_trace_report report = {.path = "t", .counts = &b};
	struct made *m = *state;

	begin(m, MS(1000), 0);
	assert_int_equal(end(m, MS(1000)), 0);
	assert_report(
		m, &report,
		"t: 0.000 s from 1970-01-01 00:00:01 on here, Linux 6.1\n"
		"0 events, 0.0/s, none known to be lost\n"
		"missed events are not counted: Linux counts them since 6.7\n"
		"\n"
		"       count      rate/s  event\n"
		"  5 events without a hit\n"
		"\n"
		"       count      rate/s  CPU\n"
		"           0         0.0  3\n",
		"\"lost\":0,\"overwritten\":0,\"filtered\":0,\"lost_stacks\":0,\"missed_forks\":0,"
		"\"missed_functions\":0,\"missed_calls\":0,\"missed_unknown\":true,");
}

static void many_losses(void **state)
{
	struct kt_row rows[23];
	struct kt_event_counts b = {.rows = rows, .n = 23};
	struct kt_trace_report report = {.path = "t", .counts = &b};
	struct made *m = *state;
	char text[4096];
	uint32_t i;
	size_t len;

	for (i = 0; i < 23; i++)
		rows[i] = (struct kt_row){NUMBER, i, {.hits = i + 1, .lost[0] = i + 1}};
	begin(m, MS(1000), 0);
	assert_int_equal(end(m, MS(1000)), 0);
	len = snprintf(text, sizeof(text),
		       "t: 0.000 s from 1970-01-01 00:00:01 on here, Linux 6.1\n"
		       "0 events, 0.0/s, 276 of 276 lost\n"
		       "\n"
		       "       count      rate/s  event\n"
		       "  5 events without a hit\n"
		       "\n"
		       "       count      rate/s  CPU\n"
		       "           0         0.0  3\n"
		       "\n"
		       "        lost     of hits  cpu  event and cause\n");
	for (i = 23; i > 17; i--)
		len += snprintf(text + len, sizeof(text) - len, "%12u%12u%5u  %s\n", i, i, i - 1,
				"test:number, no room in the ring (-b)");
	snprintf(text + len, sizeof(text) - len,
		 "  17 more rows with 153 lost events; --all has all\n");
	assert_report(m, &report, text, "{\"system\":\"test\",\"event\":\"number\",\"cpu\":0,");
}

/* More than are printed: the rest is summed up. */
static void many_tasks(void **state)
{
	struct kt_event_counts no_losses = {0};
	struct kt_trace_report report = {.path = "t", .counts = &no_losses};
	struct made *m = *state;
	char text[4096];
	uint32_t tid, i;
	size_t len;

	write_task_names(m, HEAD ROW(0, 1, "sh") ROW(0, 2, "sh"));
	for (tid = 1; tid <= 25; tid++) {
		begin(m, MS(tid), 0);
		for (i = 0; i <= tid; i++)
			put_event_at(m, tid, MS(tid));
		assert_int_equal(end(m, MS(tid)), 0);
	}
	len = snprintf(text, sizeof(text),
		       "t: 0.024 s from 1970-01-01 00:00:00 on here, Linux 6.1\n"
		       "350 events, 14583.3/s, none lost\n"
		       "\n"
		       "       count      rate/s  event\n"
		       "         350     14583.3  test:nothing\n"
		       "  4 more events without a hit\n"
		       "\n"
		       "       count       share  task\n");
	for (tid = 25; tid > 19; tid--)
		len += snprintf(text + len, sizeof(text) - len, "%12u%8u.%u %%  <...>-%u\n",
				tid + 1, 100 * (tid + 1) / 350, 1000 * (tid + 1) / 350 % 10, tid);
	snprintf(text + len, sizeof(text) - len,
		 "  19 more tasks with 209 events; --all has all\n"
		 "\n"
		 "       count      rate/s  CPU\n"
		 "         350     14583.3  3\n");
	assert_report(m, &report, text, NULL);
}

/* Many tasks including idle ones; unknown time is printed last. */
static void cpu_times(void **state)
{
	struct kt_event_counts no_losses = {0};
	struct kt_trace_report report = {.path = "t", .counts = &no_losses};
	struct kt_cpu_time *u = &report.times.cpu;
	struct made *m = *state;
	char text[4096];
	uint32_t tid;
	size_t len;

	for (tid = 0; tid <= 21; tid++)
		assert_true(kt_count_table_add(&u->tasks, tid, MS(1500) - tid * 1001000));
	kt_count_table_sort(&u->tasks);
	u->known = true;
	u->unknown = 12345678;
	assert_true(kt_count_table_add(&u->busy_on, 3, MS(987)));
	assert_true(kt_count_table_add(&u->unknown_on, 3, u->unknown));
	begin(m, MS(1000), 0);
	assert_int_equal(end(m, MS(2000)), 0);
	len = snprintf(text, sizeof(text),
		       "t: 1.000 s from 1970-01-01 00:00:01 on here, Linux 6.1\n"
		       "0 events, 0.0/s, none lost\n"
		       "\n"
		       "       count      rate/s  event\n"
		       "  5 events without a hit\n"
		       "\n"
		       "   running  of 1 CPU  task\n"
		       "    1.50 s   150.0 %%  <idle>\n");
	for (tid = 1; tid < 6; tid++)
		len += snprintf(text + len, sizeof(text) - len,
				"    1.49 s   149.%u %%  <...>-%u\n", 9 - tid, tid);
	snprintf(text + len, sizeof(text) - len,
		 "  16 more tasks with 23.7 s; --all has all\n"
		 "  unattributed: 12.3 ms of CPU time (switches are missing)\n"
		 "\n"
		 "       count      rate/s        busy     unknown  CPU\n"
		 "           0         0.0      98.7 %%       1.2 %%  3\n");
	assert_report(m, &report, text,
		      "\"tasks\":[],\"cpu_times\":[{\"tid\":0,\"comm\":\"<idle>\","
		      "\"cpu_time\":1500000000},{\"tid\":1,\"cpu_time\":1498999000},");

	m->metadata.follows = true;
	rewrite_metadata(m);
	kt_cpu_time_free(u);
	*u = (struct kt_cpu_time){.known = true, .unknown = 1};
	assert_report(
		m, &report,
		"t: 1.000 s from 1970-01-01 00:00:01 on here, Linux 6.1, followed processes only\n"
		"0 events, 0.0/s, none lost\n"
		"\n"
		"       count      rate/s  event\n"
		"  5 events without a hit\n"
		"\n"
		"   running  of 1 CPU  task\n"
		"  unattributed: up to 1 ns of CPU time (switches are missing)\n"
		"\n"
		"       count      rate/s    followed     unknown  CPU\n"
		"           0         0.0       0.0 %       0.0 %  3\n",
		"\"tasks\":[],\"cpu_times\":[],\"cpu_time_unknown\":1,\"cpus\":[{"
		"\"cpu\":3,\"count\":0,\"per_second\":0.0,\"cpu_time\":0,"
		"\"cpu_time_unknown\":0}]}\n");
}

/* The busiest CPU first; also CPUs without an event. */
static void many_cpus(void **state)
{
	struct kt_event_counts no_losses = {0};
	struct kt_trace_report report = {.path = "t", .counts = &no_losses};
	struct made *m = *state;
	char text[4096];
	unsigned int cpu;
	size_t len;

	for (cpu = 4; cpu < 26; cpu++) {
		go_to_cpu(m, cpu);
		begin(m, MS(1000), 0);
		if (cpu % 2)
			put_event_at(m, 7, MS(1000));
		if (cpu == 5)
			put_event_at(m, 7, MS(1000));
		assert_int_equal(end(m, MS(2000)), 0);
	}
	len = snprintf(text, sizeof(text),
		       "t: 1.000 s from 1970-01-01 00:00:01 on here, Linux 6.1\n"
		       "12 events, 12.0/s, none lost\n"
		       "\n"
		       "       count      rate/s  event\n"
		       "          12        12.0  test:nothing\n"
		       "  4 more events without a hit\n"
		       "\n"
		       "       count       share  task\n"
		       "          12     100.0 %%  <...>-7\n"
		       "\n"
		       "       count      rate/s  CPU\n"
		       "           2         2.0  5\n");
	for (cpu = 7; cpu < 17; cpu += 2)
		len += snprintf(text + len, sizeof(text) - len, "           1         1.0  %u\n",
				cpu);
	snprintf(text + len, sizeof(text) - len, "  16 more CPUs with 5 events; --all has all\n");
	assert_report(m, &report, text, "{\"cpu\":24,\"count\":0,\"per_second\":0.0}]}\n");
}

/* Makes events of followed and other tasks, by their last names. */
static void set_up_same_names(struct made *m)
{
	static const struct {
		uint32_t tid, hits;
	} tasks[] = {{0, 9}, {1, 3}, {2, 2}, {3, 4}, {4, 5}, {5, 1}, {6, 4}, {7, 2}, {9, 1}};
	size_t i, n;

	m->metadata.follows = true;
	rewrite_metadata(m);
	write_task_names(m, HEAD ROW(1, 0, "swapper/0") FOLLOWED(1, 1, "cc1") FOLLOWED(1, 2, "cc")
				    FOLLOWED(1500000000, 2, "cc1") ROW(1, 3, "cc1")
					    FOLLOWED(1, 4, "sh") ROW(1, 5, "cc1") ROW(1, 8, "cc1")
						    FOLLOWED(1, 9, "swapper/0"));
	begin(m, MS(1000), 0);
	for (i = 0; i < sizeof(tasks) / sizeof(*tasks); i++)
		for (n = 0; n < tasks[i].hits; n++)
			put_event_at(m, tasks[i].tid, MS(2000));
	assert_int_equal(end(m, MS(2000)), 0);
}

#define NAMESAKES                                                                           \
	"t: 1.000 s from 1970-01-01 00:00:01 on here, Linux 6.1, followed processes only\n" \
	"31 events, 31.0/s, none lost\n"                                                    \
	"\n"                                                                                \
	"       count      rate/s  event\n"                                                 \
	"          31        31.0  test:nothing\n"                                          \
	"  4 more events without a hit\n"                                                   \
	"\n"                                                                                \
	"       count       share  task\n"

/* One row for all tasks of the same name, separately for followed and other tasks. */
static void same_names(void **state)
{
	struct kt_event_counts no_losses = {0};
	struct kt_trace_report report = {.path = "t", .counts = &no_losses, .all = true};
	struct kt_cpu_time *u = &report.times.cpu;
	struct made *m = *state;

	set_up_same_names(m);
	u->known = true;
	assert_true(kt_count_table_add(&u->tasks, 1, MS(250)));
	assert_true(kt_count_table_add(&u->tasks, 4, MS(300)));
	assert_true(kt_count_table_add(&u->tasks, 2, MS(200)));
	kt_count_table_sort(&u->tasks);
	assert_report(m, &report,
		      NAMESAKES "           9      29.0 %  <idle>\n"
				"           5      16.1 %  cc1, 2 tasks\n"
				"           5      16.1 %  cc1, 2 tasks, not followed\n"
				"           5      16.1 %  sh-4\n"
				"           4      12.9 %  <...>-6\n"
				"           2       6.4 %  <...>-7\n"
				"           1       3.2 %  swapper/0-9\n"
				"\n"
				"   running  of 1 CPU  task\n"
				"    450 ms    45.0 %  cc1, 2 tasks\n"
				"    300 ms    30.0 %  sh-4\n"
				"\n"
				"       count      rate/s    followed     unknown  CPU\n"
				"          31        31.0       0.0 %       0.0 %  3\n",
		      "{\"tid\":1,\"comm\":\"cc1\",\"followed\":true,\"count\":3}");
	report.each_task = true;
	assert_report(m, &report,
		      NAMESAKES "           9      29.0 %  <idle>\n"
				"           5      16.1 %  sh-4\n"
				"           4      12.9 %  cc1-3, not followed\n"
				"           4      12.9 %  <...>-6\n"
				"           3       9.6 %  cc1-1\n"
				"           2       6.4 %  cc1-2\n"
				"           2       6.4 %  <...>-7\n"
				"           1       3.2 %  cc1-5, not followed\n"
				"           1       3.2 %  swapper/0-9\n"
				"\n"
				"   running  of 1 CPU  task\n"
				"    300 ms    30.0 %  sh-4\n"
				"    250 ms    25.0 %  cc1-1\n"
				"    200 ms    20.0 %  cc1-2\n"
				"\n"
				"       count      rate/s    followed     unknown  CPU\n"
				"          31        31.0       0.0 %       0.0 %  3\n",
		      NULL);
	kt_cpu_time_free(u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(two_cpus, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_events, set_up, tear_down),
		cmocka_unit_test_setup_teardown(losses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(unknown_losses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(many_losses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(many_tasks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(cpu_times, set_up, tear_down),
		cmocka_unit_test_setup_teardown(many_cpus, set_up, tear_down),
		cmocka_unit_test_setup_teardown(same_names, set_up, tear_down),
	};

	setenv("TZ", "UTC0", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
