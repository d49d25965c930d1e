// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flight recorders that are focused on some tasks, on others, and on all again: of all events at
 * one moment, or not at all where who does so is killed. On a bpffs of our own. Each call is a hit
 * of both events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/pids.h"
#include "hook/bpffs.h"
#include "session/tid_bitmap.h"
#include "tests/live/switched.h"

enum { N_KILLS = 40, NOBODY = KT_PIDS_MAX - 1 };

static void skip_elsewhere(void)
{
	skip_where_refused();
	if (!kt_pids_are_the_kernels())
		skip();
}

/* On that task alone; 0: on all. */
static void focus_in(struct kt_flight *f, uint32_t tid)
{
	struct kt_flight_control *s = kt_flight_get_control(f);
	struct kt_tid_bitmap tids = {0};
	struct kt_error err;

	if (tid) {
		assert_int_equal(kt_tid_bitmap_make(&tids, "kt_tids", &err), 0);
		kt_tid_bitmap_add(&tids, tid);
	}
	if (kt_flight_control_set_pid_filter(s, tid ? &tids : NULL, &err) < 0)
		fail_msg("%s", err.text);
	kt_tid_bitmap_free(&tids);
	commit(f);
}

/* 0: on all. */
static uint32_t focus_of(const struct kt_flight *f)
{
	struct kt_tid_bitmap tids;
	struct kt_error err;
	uint32_t tid;

	if (kt_flight_control_pid_filter(kt_flight_get_control(f), &tids, &err) < 0)
		fail_msg("%s", err.text);
	tid = kt_tid_bitmap_next(&tids, 0);
	if (tid < KT_PIDS_MAX)
		assert_int_equal(kt_tid_bitmap_next(&tids, tid + 1), KT_PIDS_MAX);
	kt_tid_bitmap_free(&tids);
	return tid % KT_PIDS_MAX;
}

static void *call_apart(void *arg)
{
	make_calls(N_CALLS);
	return arg;
}

/* In another task of the same process. */
static void make_calls_apart(void)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, call_apart, NULL), 0);
	pthread_join(thread, NULL);
}

/* Calls by this task, and as many by another one: what came of all. */
static void expect_of_both(const struct kt_flight *f, uint64_t hits, uint64_t filtered)
{
	struct kt_error err;
	struct kt_flight_stats g;
	size_t i;

	make_calls(N_CALLS);
	make_calls_apart();
	if (kt_flight_stats_read(&g, f, &err) < 0)
		fail_msg("%s", err.text);
	for (i = 0; i < N_EVENTS; i++) {
		assert_int_equal(g.events[i].counters.hits, hits);
		assert_int_equal(g.events[i].counters.filtered, filtered);
		assert_int_equal(kt_counters_lost(g.events[i].counters), 0);
	}
	kt_flight_stats_clear(&g);
}

static size_t count_tids(const struct kt_flight *f)
{
	int map = kt_flight_control_pid_filter_fd(kt_flight_get_control(f));
	uint32_t i, id;
	size_t n = 0;

	for (i = 0; i < 2; i++)
		n += bpf_map_lookup_elem(map, &i, &id) == 0;
	return n;
}

/* Of it alone; and so it remains, whatever else is done. */
static void records_some(void **state)
{
	struct kt_flight *f;
	struct kt_error err;
	uint64_t memory;

	(void)state;
	skip_elsewhere();
	f = start_held();
	memory = kt_flight_memory(f);
	assert_int_equal(focus_of(f), 0);
	expect_of_both(f, 20, 0);
	focus_in(f, gettid());
	assert_int_equal(focus_of(f), gettid());
	expect_of_both(f, 30, 10);
	focus_in(f, NOBODY);
	assert_int_equal(focus_of(f), NOBODY);
	expect_of_both(f, 30, 30);
	focus_in(f, gettid());
	expect_of_both(f, 40, 40);
	kt_flight_free(f);

	f = hold();
	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	expect_of_both(f, 50, 50);
	kt_buffer_sets_consume(kt_flight_buffer_sets(f));
	pause_in(f);
	expect_of_both(f, 50, 50);
	resume_in(f);
	expect_of_both(f, 60, 60);
	kt_flight_control_disable(kt_flight_get_control(f), ENTER);
	commit(f);
	prepare(f, "syscalls", names[ENTER], ENTER);
	commit(f);
	expect_of_both(f, 70, 70);
	assert_int_equal(kt_buffer_sets_reset(kt_flight_buffer_sets(f), &err), 0);
	expect_of_both(f, 10, 10);
	assert_int_equal(count_tids(f), 1);
	assert_int_equal(focus_of(f), gettid());

	focus_in(f, 0);
	expect_of_both(f, 30, 10);
	assert_int_equal(focus_of(f), 0);
	assert_int_equal(count_tids(f), 0);
	assert_int_equal(kt_flight_memory(f), memory);
	end_flight(f);
}

/* Who was not focused when he thinks better of it is not, and nothing of it is left. */
static void thinks_better(void **state)
{
	struct kt_tid_bitmap tids;
	struct kt_flight *f;
	struct kt_error err;

	(void)state;
	skip_elsewhere();
	f = start_held();
	assert_int_equal(kt_tid_bitmap_make(&tids, "kt_tids", &err), 0);
	kt_tid_bitmap_add(&tids, NOBODY);
	assert_int_equal(kt_flight_control_set_pid_filter(kt_flight_get_control(f), &tids, &err),
			 0);
	kt_tid_bitmap_free(&tids);
	assert_int_equal(count_tids(f), 1);
	expect_of_both(f, 20, 0);
	kt_flight_free(f);
	f = look();
	assert_int_equal(count_tids(f), 0);
	expect_of_both(f, 40, 0);
	end_flight(f);
}

/* Events are complete until it was focused, and since it is not; on whom makes no difference. */
static void complete(void **state)
{
	struct kt_time_span at_first, later;
	struct kt_flight *f;
	uint64_t time;

	(void)state;
	skip_elsewhere();
	f = start_held();
	time = kt_clock_now();
	focus_in(f, gettid());
	at_first = span_of(f, ENTER);
	assert_int_equal(at_first.from, 0);
	assert_in_range(at_first.until, time, kt_clock_now());
	focus_in(f, NOBODY);
	assert_int_equal(span_of(f, ENTER).until, at_first.until);
	pause_in(f);
	focus_in(f, 0);
	assert_int_equal(span_of(f, ENTER).until, at_first.until);
	focus_in(f, NOBODY);
	resume_in(f);
	assert_int_equal(span_of(f, ENTER).until, at_first.until);
	assert_int_equal(span_of(f, ENTER).from, 0);
	time = kt_clock_now();
	focus_in(f, 0);
	later = span_of(f, ENTER);
	assert_in_range(later.from, time, kt_clock_now());
	assert_true(later.until == UINT64_MAX);
	end_flight(f);
}

/* Now on nobody, and now on us: another thread makes the calls. */
static void focus_elsewhere(struct kt_flight *f)
{
	static uint32_t tid;

	tid = tid == NOBODY ? gettid() : NOBODY;
	focus_in(f, tid);
}

static void focus_on_all(struct kt_flight *f)
{
	focus_in(f, 0);
}

static void both_at_once(void **state)
{
	(void)state;
	skip_elsewhere();
	switch_while_calling(focus_elsewhere, focus_on_all);
}

/* What is to be done by who is killed at it: from whom it goes to whom. */
static uint32_t from, to;

static int focus_it(void)
{
	struct kt_flight *f = hold();

	focus_in(f, to);
	kt_flight_free(f);
	return 0;
}

static void start_one(void)
{
	struct kt_flight *f = start_held();

	focus_in(f, from);
	kt_flight_free(f);
}

/* It is as it was, or as it was to be; and that alone is left. */
static bool check_killed(void)
{
	struct kt_flight *f;
	uint32_t pids;
	size_t n;

	f = look();
	pids = focus_of(f);
	n = pids != NOBODY ? N_CALLS : 0;
	assert_true(pids == from || pids == to);
	make_calls(N_CALLS);
	expect(f, n, n);
	kt_flight_free(f);
	f = hold();
	assert_int_equal(focus_of(f), pids);
	assert_int_equal(count_tids(f), pids != 0);
	make_calls(N_CALLS);
	expect(f, 2 * n, 2 * n);
	kt_flight_free(f);
	return pids == to;
}

static void kill_at(uint32_t goes_from, uint32_t goes_to)
{
	from = goes_from;
	to = goes_to;
	kill_at_work(N_KILLS, start_one, focus_it, check_killed);
}

static void killed(void **state)
{
	(void)state;
	skip_elsewhere();
	kill_at(0, NOBODY);
	kill_at(NOBODY, gettid());
	kill_at(NOBODY, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_some), cmocka_unit_test(thinks_better),
		cmocka_unit_test(complete),     cmocka_unit_test(both_at_once),
		cmocka_unit_test(killed),
	};

	return cmocka_run_group_tests(tests, leave_the_machine, NULL);
}
