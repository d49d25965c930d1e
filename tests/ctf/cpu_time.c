// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Run times of tasks, from sched_switch events made by tests: each nanosecond has its task or is
 * unknown.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "filter/filter_parser.h"
#include "tests/ctf/task_names.h"
#include "trace/read/trace_reader.h"
#include "view/report/cpu_time.h"

enum { SWITCH = NUMBER };

#define FIELDS "\tfield:pid_t next_pid;\toffset:8;\tsize:4;\tsigned:1;\n"

static int set_up_switches(void **state)
{
	struct made *m;

	set_up(state);
	m = *state;
	put_event(m, SWITCH, "sched", FORMAT("sched_switch", FIELDS));
	rewrite_metadata(m);
	begin_cpu(m, 0, 100);
	return 0;
}

static void put_task_event(struct made *m, unsigned int event, uint64_t time, uint32_t tid,
			   uint32_t next)
{
	record_of_task(m, event, time, tid, &next, event == SWITCH ? sizeof(next) : 0);
}

static void put_switch(struct made *m, uint64_t time, uint32_t from, uint32_t to)
{
	put_task_event(m, SWITCH, time, from, to);
}

/*
 * Asserts times like "7:150 0:50 ?:20; 0:150/0 4:0/20": each task's time and the unknown time; each
 * CPU's busy and unknown time.
 */
static void assert_usage(struct made *m, const char *expected)
{
	struct kt_trace_reader *r = kt_trace_reader_open(m->dir.path, &m->err);
	struct kt_cpu_time u;
	struct kt_hit next;
	static const unsigned int cpus[] = {0, 1, 2, 3, 4, 5, 32767, 32768};
	char text[512] = "";
	int ret, len = 0;
	size_t i;

	assert_non_null(r);
	kt_cpu_time_begin(&u, r);
	while ((ret = kt_trace_reader_next(r, &next, &m->err)) != 0)
		assert_true(ret < 0 || kt_cpu_time_add(&u, r, &next));
	assert_true(kt_cpu_time_end(&u, r));
	for (i = 0; i < u.tasks.n; i++)
		len += sprintf(text + len, "%" PRIu32 ":%" PRIu64 " ",
			       kt_trace_reader_known(r, u.tasks.counts[i].key).tid,
			       u.tasks.counts[i].count);
	len += sprintf(text + len, "?:%" PRIu64 "%s", u.unknown, u.known ? ";" : " not known");
	for (i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		uint64_t busy = kt_count_table_get(&u.busy_on, cpus[i]);
		uint64_t unknown = kt_count_table_get(&u.unknown_on, cpus[i]);

		if (busy || unknown)
			len += sprintf(text + len, " %u:%" PRIu64 "/%" PRIu64, cpus[i], busy,
				       unknown);
	}
	assert_string_equal(text, expected);
	kt_cpu_time_free(&u);
	kt_trace_reader_free(r);
}

/* From each CPU's begin to its end; without an event everything is unknown. */
static void whole_machine(void **state)
{
	struct made *m = *state;

	put_switch(m, 130, 7, 0);
	put_switch(m, 150, 0, 8);
	put_task_event(m, NOTHING, 160, 8, 0);
	lose(m, 200, 0);
	put_switch(m, 210, 8, 7);
	put_switch(m, 210, 7, 0);
	assert_int_equal(end(m, 1000), 0);
	begin_cpu(m, 4, 90);
	put_switch(m, 290, 0, 7);
	assert_int_equal(end(m, 990), 0);
	begin_cpu(m, 32767, 100);
	put_task_event(m, NOTHING, 100, 9, 0);
	assert_int_equal(end(m, 101), 0);
	begin_cpu(m, 32768, 100);
	put_switch(m, 150, 0, 7);
	assert_int_equal(end(m, 900), 0);
	begin_cpu(m, 5, 100);
	assert_int_equal(end(m, 107), 0);
	assert_usage(m, "0:1000 7:730 8:60 9:1 ?:807; 0:90/0 4:700/0 5:0/7 32767:1/0 32768:0/800");
}

/* A reused PID has two rows: the first task's time is not the second one's. */
static void reused_pid(void **state)
{
	struct made *m = *state;

	write_task_names(m,
			 HEAD BEGUN(90, 7, "first") BEGUN(200, 7, "second") BEGUN(201, 8, "other"));
	put_switch(m, 130, 7, 0);
	put_switch(m, 150, 0, 7);
	put_switch(m, 170, 7, 0);
	put_switch(m, 250, 0, 7);
	put_switch(m, 255, 7, 8);
	put_switch(m, 260, 8, 7);
	assert_int_equal(end(m, 300), 0);
	assert_usage(m, "0:100 7:50 7:45 8:5 ?:0; 0:100/0");
}

/* Between two events around a loss the task is unknown; a task's birth tells nothing. */
static void losses_and_gaps(void **state)
{
	struct made *m = *state;

	put_switch(m, 130, 7, 8);
	lose(m, 200, 3);
	put_task_event(m, NOTHING, 220, 8, 0);
	put_switch(m, 250, 8, 7);
	put_switch(m, 270, 7, 8);
	put_switch(m, 300, 9, 8);
	put_switch(m, 301, 8, 7);
	lose(m, 400, 4);
	assert_int_equal(end(m, 500), 0);
	begin_cpu(m, 1, 100);
	lose(m, 150, 1);
	put_switch(m, 200, 7, 0);
	assert_int_equal(end(m, 201), 0);
	begin_cpu(m, 2, 100);
	lose(m, 150, 1);
	assert_int_equal(end(m, 160), 0);
	assert_usage(m, "7:50 0:1 8:1 ?:509; 0:51/349 1:0/100 2:0/60");
}

/* A CPU's time is known up to a damaged place. */
static void damaged(void **state)
{
	struct made *m = *state;
	char bytes[4096];
	size_t size;

	put_switch(m, 130, 7, 8);
	put_switch(m, 170, 8, 0);
	put_switch(m, 180, 0, 8);
	assert_int_equal(end(m, 1000), 0);
	size = load(m, "cpu0", bytes, sizeof(bytes));
	memset(bytes + 64 + m->packet.size - 16, 0xff, 2); /* the last record's id */
	store(m, "cpu0", bytes, size);
	assert_usage(m, "8:40 7:30 ?:0; 0:70/0");
}

static void followed(void **state)
{
	struct made *m = *state;

	m->metadata.follows = true;
	rewrite_metadata(m);
	write_task_names(m, HEAD FOLLOWED(1, 7, "sh") ROW(1, 50, "sh") ROW(120, 8, "sh") FOLLOWED(
				    140, 8, "sh") FOLLOWED(145, 8, "sh") FOLLOWED(300, 9, "sh"));
	begin_cpu(m, 1, 100);
	put_switch(m, 110, 7, 50); /* since the beginning */
	put_switch(m, 150, 8, 0);  /* since it is followed */
	put_switch(m, 200, 50, 7); /* other tasks ran, perhaps several */
	put_task_event(m, NOTHING, 210, 7, 0);
	put_switch(m, 230, 7, 50);
	put_switch(m, 250, 0, 7);
	put_switch(m, 260, 50, 7); /* 7 has left unseen */
	put_switch(m, 290, 7, 99); /* an unknown task */
	put_switch(m, 295, 50, 7);
	put_switch(m, 296, 7, 50);
	put_switch(m, 310, 9, 50); /* since it is followed */
	lose(m, 320, 1);
	put_switch(m, 330, 50, 7); /* 50 ran, or not */
	assert_int_equal(end(m, 400), 0);
	begin_cpu(m, 2, 100);
	put_task_event(m, NOTHING, 150, 50, 0);
	put_switch(m, 160, 0, 7);
	put_switch(m, 165, 7, 0);
	put_switch(m, 168, 7, 0); /* it came back unseen */
	assert_int_equal(end(m, 400), 0);
	begin_cpu(m, 4, 100);
	assert_int_equal(end(m, 400), 0);
	begin_cpu(m, 5, 100);
	lose(m, 101, 1);
	assert_int_equal(end(m, 109), 0);
	assert_usage(m, "7:146 8:10 9:10 ?:47; 1:161/35 2:5/3 5:0/9");
}

static void no_switches(void **state)
{
	struct made *m = *state;

	m->events[SWITCH]->filter = kt_filter_parse(m->events[SWITCH], "next_pid == 7", &m->err);
	rewrite_metadata(m);
	put_switch(m, 130, 0, 7);
	assert_int_equal(end(m, 200), 0);
	assert_usage(m, "?:0 not known");
	put_event(m, SWITCH, "sched",
		  FORMAT("sched_switch", "\tfield:int n;\toffset:8;\tsize:4;\tsigned:1;\n"));
	rewrite_metadata(m);
	assert_usage(m, "?:0 not known");
	put_event(m, SWITCH, "sched",
		  FORMAT("sched_switch",
			 "\tfield:int next_pid[1];\toffset:8;\tsize:4;\tsigned:1;\n"));
	rewrite_metadata(m);
	assert_usage(m, "?:0 not known");
	put_event(m, SWITCH, "other", FORMAT("sched_switch", FIELDS));
	rewrite_metadata(m);
	assert_usage(m, "?:0 not known");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up_switches, tear_down)

/* Time counts from when all CPUs are there; earlier events tell who ran at that time. */
static void later_start(void **state)
{
	struct made *m = *state;

	put_switch(m, 110, 7, 8);
	put_switch(m, 120, 8, 9);
	put_switch(m, 180, 9, 7);
	lose(m, 190, 0);
	assert_int_equal(end(m, 300), 0);
	begin_cpu(m, 1, 150);
	put_switch(m, 160, 5, 6);
	assert_int_equal(end(m, 310), 0);
	begin_cpu(m, 2, 100);
	put_switch(m, 110, 5, 3);
	lose(m, 120, 1);
	put_switch(m, 200, 3, 3);
	assert_int_equal(end(m, 200), 0);
	begin_cpu(m, 4, 100);
	put_switch(m, 110, 5, 3);
	assert_int_equal(end(m, 140), 0);
	assert_usage(m, "6:150 7:120 9:30 5:10 ?:50; 0:150/0 1:160/0 2:0/50");
}

static void put_rare(struct made *m, unsigned int event)
{
	m->metadata.has_rare = true;
	m->events[event]->channel = KT_RARE;
	rewrite_metadata(m);
	assert_int_equal(unlinkat(m->dir.fd, "cpu0", 0), 0);
}

/*
 * Rare events from before all others do not show who ran; later ones do, and lost ones might have.
 */
static void rare_events(void **state)
{
	struct made *m = *state;

	put_rare(m, NOTHING);
	begin_cpu(m, 0, 100);
	put_switch(m, 130, 7, 8);
	assert_int_equal(end(m, 200), 0);
	begin_cpu(m, 1, 100);
	assert_int_equal(end(m, 200), 0);
	go_to_stream(m, KT_RARE, 0);
	begin(m, 20, 0);
	put_task_event(m, NOTHING, 30, 9, 0);
	lose(m, 50, 0);
	lose(m, 190, 1);
	assert_int_equal(end(m, 200), 0);
	go_to_stream(m, KT_RARE, 1);
	begin(m, 20, 0);
	put_task_event(m, NOTHING, 90, 9, 0);
	put_task_event(m, NOTHING, 160, 7, 0);
	assert_int_equal(end(m, 200), 0);
	assert_usage(m, "7:130 ?:70; 0:30/70 1:100/0");
}

/* The same if switches are rare: the report covers the time that other events cover. */
static void rare_switches(void **state)
{
	struct made *m = *state;

	put_rare(m, SWITCH);
	begin_cpu(m, 0, 100);
	put_task_event(m, NOTHING, 110, 7, 0);
	assert_int_equal(end(m, 200), 0);
	go_to_stream(m, KT_RARE, 0);
	begin(m, 20, 0);
	put_switch(m, 30, 9, 7);
	put_switch(m, 130, 7, 8);
	assert_int_equal(end(m, 200), 0);
	go_to_stream(m, KT_RARE, 1);
	begin(m, 150, 0);
	put_switch(m, 160, 9, 8);
	assert_int_equal(end(m, 200), 0);
	assert_usage(m, "8:110 7:30 9:10 ?:0; 0:100/0 1:50/0");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(later_start),   TEST(rare_events),     TEST(rare_switches),
		TEST(whole_machine), TEST(losses_and_gaps), TEST(damaged),
		TEST(followed),      TEST(no_switches),     TEST(reused_pid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
