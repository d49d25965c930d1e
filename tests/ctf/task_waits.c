// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Waits of tasks, from switches and wakeups made by tests: each nanosecond of a task is in one
 * state, or unknown.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "filter/filter_parser.h"
#include "tests/ctf/sched_events.h"
#include "tests/ctf/task_names.h"
#include "trace/read/trace_reader.h"
#include "view/report/report_times.h"

enum { BIRTH = VARYING, SOFTIRQ = LABELLED, EXIT = NOTHING, DEATH = LABELLED };

/* States of the task that leaves a CPU. */
enum { RUNS = 0, SLEEPS = 1, DEAD = 0x10, PREEMPTED = 0x100 };

#define VEC_FIELDS "\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n"

static int set_up_events(void **state)
{
	struct made *m;

	set_up(state);
	m = *state;
	put_sched_events(m);
	put_event(m, BIRTH, "sched", FORMAT("sched_wakeup_new", TASK_FIELDS));
	rewrite_metadata(m);
	begin_cpu(m, 0, 100);
	return 0;
}

static int print_state(char *to, const char *name, const struct kt_task_wait *t,
		       enum kt_task_state state)
{
	if (!t->total[state])
		return 0;
	return sprintf(to, " %s %" PRIu64 "/%" PRIu64, name, t->total[state], t->longest[state]);
}

static int print_task(char *to, const struct kt_trace_reader *r, const struct kt_task_wait *t)
{
	int len = sprintf(to, "%" PRIu32, kt_trace_reader_known(r, t->task).tid);
	size_t i;

	len += print_state(to + len, "ran", t, KT_TASK_RUNNING);
	len += print_state(to + len, "runnable", t, KT_TASK_RUNNABLE);
	len += print_state(to + len, "blocked", t, KT_TASK_BLOCKED);
	for (i = 0; i < t->wakers.n; i++)
		len += sprintf(to + len, " by %" PRIu32 ":%" PRIu64, t->wakers.counts[i].key,
			       t->wakers.counts[i].count);
	if (t->unknown)
		len += sprintf(to + len, " ? %" PRIu64, t->unknown);
	return len + sprintf(to + len, "\n");
}

/*
 * Asserts lines like "7 ran 30/20 runnable 5/5 blocked 10/10 by 8:10 ? 3": total and longest times
 * in each state, who ended how much of the blocked time, and unknown time.
 */
static void assert_waits(struct made *m, const char *expected)
{
	struct kt_trace_reader *r = kt_trace_reader_open(m->dir.path, &m->err);
	struct kt_report_times times;
	struct kt_hit next;
	char text[1024] = "";
	int ret, len = 0;
	size_t i;

	assert_non_null(r);
	assert_true(kt_report_times_begin(&times, r));
	while ((ret = kt_trace_reader_next(r, &next, &m->err)) != 0)
		assert_true(ret < 0 || kt_report_times_add(&times, r, &next));
	assert_true(kt_report_times_end(&times, r));
	for (i = 0; i < times.waits.n; i++)
		len += print_task(text + len, r, &times.waits.tasks[i]);
	if (!times.waits.is_known)
		strcpy(text, "not known");
	assert_string_equal(text, expected);
	kt_report_times_free(&times);
	kt_trace_reader_free(r);
}

/* Blocked until the wakeup, then runnable until it has a CPU. */
static void states(void **state)
{
	struct made *m = *state;

	put_switch(m, 110, 7, SLEEPS, 8);
	put_waking(m, 130, 8, 7);
	put_switch(m, 133, 8, RUNS, 7);
	put_switch(m, 143, 7, SLEEPS, 8);
	put_waking(m, 150, 8, 7);
	put_switch(m, 152, 8, SLEEPS, 7);
	put_switch(m, 160, 7, PREEMPTED, 9);
	put_switch(m, 165, 9, SLEEPS, 7);
	assert_int_equal(end(m, 200), 0);
	assert_waits(m, "7 ran 63/35 runnable 10/5 blocked 27/20 by 8:27\n"
			"8 ran 32/23 runnable 20/10 blocked 48/48\n"
			"9 ran 5/5 runnable 60/60 blocked 35/35\n");
}

/*
 * What a task did before its first event: it ran, was runnable, or was blocked until it was woken.
 * One that is born did nothing. At the end states last on.
 */
static void first_and_last(void **state)
{
	struct made *m = *state;

	put_waking(m, 105, 7, 3); /* 3 was blocked */
	put_waking(m, 106, 7, 4); /* 4 was about to block, and runs on */
	put_by(m, BIRTH, 107, 7, 5);
	put_switch(m, 110, 7, SLEEPS, 3); /* 7 ran */
	put_switch(m, 120, 3, SLEEPS, 5);
	put_switch(m, 130, 5, DEAD, 6); /* 6 was runnable */
	put_waking(m, 140, 6, 7);
	put_waking(m, 150, 6, 9); /* whether 9 is blocked or about to block is open */
	assert_int_equal(end(m, 200), 0);
	begin_cpu(m, 1, 100);
	put_switch(m, 125, 4, RUNS, 0);
	assert_int_equal(end(m, 200), 0);
	assert_waits(m, "3 ran 10/10 runnable 5/5 blocked 85/80 by 7:5\n"
			"4 ran 25/25 runnable 75/75\n"
			"5 ran 10/10 runnable 13/13\n"
			"7 ran 10/10 runnable 60/60 blocked 30/30 by 6:30\n"
			"6 ran 70/70 runnable 30/30\n"
			"9 ? 100\n");
}

/* A wakeup on another CPU may come just before the switch: then the task is runnable at once. */
static void woken_while_it_blocks(void **state)
{
	struct made *m = *state;

	put_waking(m, 109, 7, 7); /* it wakes itself, and does not block */
	put_switch(m, 120, 7, SLEEPS, 8);
	put_switch(m, 150, 8, SLEEPS, 7); /* it was woken at 119 */
	put_switch(m, 160, 7, SLEEPS, 0); /* a wakeup at 155 was in time: it ran on */
	put_switch(m, 180, 0, RUNS, 7);
	put_switch(m, 190, 7, SLEEPS, 0);
	put_switch(m, 195, 0, RUNS, 7); /* nothing has woken it */
	assert_int_equal(end(m, 200), 0);
	begin_cpu(m, 1, 100);
	put_waking(m, 119, 9, 7);
	put_waking(m, 155, 9, 7);
	put_waking(m, 170, 9, 7);
	assert_int_equal(end(m, 200), 0);
	assert_waits(m, "7 ran 45/20 runnable 40/30 blocked 10/10 by 9:10 ? 5\n"
			"8 ran 30/30 runnable 20/20 blocked 50/50\n");
}

/* Where records of any CPU are missing, a state that began before is unknown. */
static void losses(void **state)
{
	struct made *m = *state;

	put_switch(m, 110, 7, SLEEPS, 8);
	lose(m, 120, 3);
	put_waking(m, 130, 8, 7);
	put_switch(m, 140, 8, RUNS, 7);
	put_switch(m, 150, 7, SLEEPS, 8);
	put_switch(m, 155, 8, SLEEPS, 0);
	assert_int_equal(end(m, 200), 0);
	begin_cpu(m, 1, 100);
	record_of_task(m, NOTHING, 152, 20, "", 0);
	lose(m, 160, 1);
	record_of_task(m, NOTHING, 170, 20, "", 0);
	assert_int_equal(end(m, 200), 0);
	assert_waits(m, "7 ran 20/10 runnable 10/10 ? 70\n"
			"8 runnable 20/10 ? 80\n");
}

/* After the end of one CPU, as after a kill of the recorder, its records are missing. */
static void ends_differ(void **state)
{
	struct made *m = *state;

	put_switch(m, 110, 7, SLEEPS, 8);
	put_switch(m, 160, 8, SLEEPS, 0);
	assert_int_equal(end(m, 200), 0);
	begin_cpu(m, 1, 100);
	assert_int_equal(end(m, 150), 0);
	assert_waits(m, "7 ran 10/10 ? 40\n"
			"8 runnable 10/10 ? 50\n");
}

/* Likewise after a damaged record. */
static void damaged(void **state)
{
	struct made *m = *state;
	char bytes[4096];
	size_t size;

	put_switch(m, 110, 7, SLEEPS, 8);
	put_switch(m, 160, 8, SLEEPS, 9);
	assert_int_equal(end(m, 200), 0);
	begin_cpu(m, 1, 100);
	record_of_task(m, NOTHING, 120, 20, "", 0);
	record_of_task(m, NOTHING, 130, 20, "", 0);
	assert_int_equal(end(m, 200), 0);
	size = load(m, "cpu1", bytes, sizeof(bytes));
	memset(bytes + 64 + m->packet.size - 16, 0xff, 2); /* the last record's id */
	store(m, "cpu1", bytes, size);
	assert_waits(m, "7 ran 10/10 ? 10\n"
			"8 runnable 10/10 ? 50\n"
			"9 ? 60\n");
}

/* A task is gone once it is dead; another one with its number begins with its birth. */
static void deaths(void **state)
{
	struct made *m = *state;

	put_switch(m, 110, 9, SLEEPS, 7);
	put_switch(m, 120, 7, DEAD, 0);
	put_by(m, BIRTH, 150, 0, 7);
	put_switch(m, 155, 0, RUNS, 7);
	assert_int_equal(end(m, 200), 0);
	assert_waits(m, "9 ran 10/10 blocked 90/90\n"
			"7 ran 55/45 runnable 15/10\n");
}

/* A task's switch to another one is missing, as some kernels hide events of some tasks. */
static void hidden_switches(void **state)
{
	struct made *m = *state;

	put_switch(m, 110, 9, SLEEPS, 7);
	put_switch(m, 130, 6, SLEEPS, 7);
	put_switch(m, 140, 7, SLEEPS, 5);
	put_switch(m, 150, 7, SLEEPS, 0);
	put_waking(m, 160, 0, 7);
	put_waking(m, 180, 0, 7);
	put_switch(m, 190, 0, RUNS, 7);
	assert_int_equal(end(m, 200), 0);
	assert_waits(m, "9 ran 10/10 blocked 90/90\n"
			"7 ran 20/10 runnable 20/10 ? 60\n"
			"6 ran 30/30 blocked 70/70\n"
			"5 runnable 40/40 ? 60\n");
}

/* Its last switches are missing, but it exits: it did not wait for a CPU until the end. */
static void hidden_at_exit(void **state)
{
	struct made *m = *state;

	put_event(m, DEATH, "sched", FORMAT("sched_process_exit", TASK_FIELDS));
	rewrite_metadata(m);
	assert_int_equal(unlinkat(m->dir.fd, "cpu0", 0), 0);
	begin_cpu(m, 0, 100);
	put_switch(m, 110, 9, PREEMPTED, 8);
	put_by(m, DEATH, 120, 8, 8);
	put_switch(m, 125, 8, DEAD, 7);
	put_by(m, DEATH, 130, 9, 9);
	put_switch(m, 140, 6, SLEEPS, 0);
	assert_int_equal(end(m, 200), 0);
	assert_waits(m, "9 ran 10/10 ? 90\n"
			"8 ran 15/15 runnable 10/10\n"
			"7 runnable 25/25 ? 75\n"
			"6 ran 40/40 blocked 60/60\n");
}

static void followed(void **state)
{
	struct made *m = *state;

	m->metadata.follows = true;
	rewrite_metadata(m);
	write_task_names(m, HEAD ROW(1, 7, "sh") ROW(1, 8, "sh") FOLLOWED(120, 7, "sh"));
	put_switch(m, 130, 7, SLEEPS, 8);
	put_waking(m, 150, 8, 7);
	put_switch(m, 160, 8, RUNS, 7);
	assert_int_equal(end(m, 200), 0);
	assert_waits(m, "7 ran 50/40 runnable 10/10 blocked 20/20 by 8:20\n");
}

/* Then "blocked" includes the wait for a CPU; and without births first states are unknown. */
static void without_wakeups(void **state)
{
	struct made *m = *state;

	put_event(m, WAKING, "sched", FORMAT("sched_wakeup", TASK_FIELDS));
	rewrite_metadata(m);
	put_switch(m, 110, 7, SLEEPS, 8);
	put_waking(m, 130, 8, 7);
	put_switch(m, 140, 8, RUNS, 7);
	assert_int_equal(end(m, 200), 0);
	assert_waits(m, "7 ran 70/60 runnable 10/10 blocked 20/20 by 8:20\n"
			"8 ran 30/30 runnable 70/60\n");
	m->events[WAKING]->filter = kt_filter_parse(m->events[WAKING], "pid == 7", &m->err);
	rewrite_metadata(m);
	assert_waits(m, "7 ran 70/60 blocked 30/30\n"
			"8 ran 30/30 runnable 60/60 blocked 10/10\n");
	put_event(m, BIRTH, "other", FORMAT("sched_wakeup_new", TASK_FIELDS));
	rewrite_metadata(m);
	assert_waits(m, "7 ran 70/60 blocked 30/30\n"
			"8 ran 30/30 runnable 60/60\n");
	m->events[SWITCH]->filter = kt_filter_parse(m->events[SWITCH], "next_pid == 7", &m->err);
	rewrite_metadata(m);
	assert_waits(m, "not known");
}

/* An interrupt is the waker, and not the task that it interrupts. */
static void interrupts(void **state)
{
	struct made *m = *state;

	put_event(m, SOFTIRQ, "irq", FORMAT("softirq_entry", VEC_FIELDS));
	put_event(m, EXIT, "irq", FORMAT("softirq_exit", VEC_FIELDS));
	rewrite_metadata(m);
	assert_int_equal(unlinkat(m->dir.fd, "cpu0", 0), 0);
	begin_cpu(m, 0, 100);
	put_switch(m, 110, 7, SLEEPS, 8);
	put_by(m, SOFTIRQ, 120, 8, 1);
	put_waking(m, 121, 8, 7);
	put_by(m, EXIT, 122, 8, 1);
	put_switch(m, 130, 8, RUNS, 7);
	put_switch(m, 140, 7, SLEEPS, 8);
	put_waking(m, 142, 8, 7);
	put_switch(m, 150, 8, SLEEPS, 7);
	put_switch(m, 160, 7, SLEEPS, 0);
	put_waking(m, 164, 0, 7); /* without an event of the interrupt */
	put_switch(m, 170, 0, RUNS, 7);
	put_by(m, SOFTIRQ, 171, 7, 1);
	lose(m, 172, 1);
	put_switch(m, 173, 7, SLEEPS, 8);
	put_waking(m, 175, 8, 7); /* the softirq is not known to last */
	put_switch(m, 180, 8, RUNS, 7);
	assert_int_equal(end(m, 200), 0);
	assert_waits(m, "7 ran 50/20 runnable 28/9 blocked 19/11 by 0:15 by 8:4 ? 3\n"
			"8 ran 37/20 runnable 40/20 ? 23\n");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up_events, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(states),          TEST(first_and_last), TEST(woken_while_it_blocks),
		TEST(losses),          TEST(ends_differ),    TEST(damaged),
		TEST(hidden_at_exit),  TEST(deaths),         TEST(followed),
		TEST(hidden_switches), TEST(interrupts),     TEST(without_wakeups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
