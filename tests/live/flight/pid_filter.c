// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flight recorders limited to some tasks, to others, and to none again: all events at one moment,
 * or unchanged if the process is killed. On a private bpffs. Each call is a hit of both events.
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
#include "tests/live/enabling.h"

enum { N_KILLS = 40, NOBODY = KT_PIDS_MAX - 1 };

static void skip_in_a_container(void)
{
	skip_where_refused();
	if (!kt_pids_are_the_kernels())
		skip();
}

/* Limits it to that task; 0: no limit. */
static void set_pid(struct kt_flight *f, uint32_t tid)
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

/* 0: no limit. */
static uint32_t read_pid(const struct kt_flight *f)
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

static void *call_in_thread(void *arg)
{
	make_calls(N_CALLS);
	return arg;
}

/* Makes calls in another task of the same process. */
static void make_calls_in_thread(void)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, call_in_thread, NULL), 0);
	pthread_join(thread, NULL);
}

/* Makes calls in this task and another one, and asserts the counters. */
static void expect_of_two_tasks(const struct kt_flight *f, uint64_t hits, uint64_t filtered)
{
	struct kt_error err;
	struct kt_flight_stats g;
	size_t i;

	make_calls(N_CALLS);
	make_calls_in_thread();
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

/* Only that task, whatever else is done. */
static void limited(void **state)
{
	struct kt_flight *f;
	struct kt_error err;
	uint64_t memory;

	(void)state;
	skip_in_a_container();
	f = start_locked();
	memory = kt_flight_memory(f);
	assert_int_equal(read_pid(f), 0);
	expect_of_two_tasks(f, 20, 0);
	set_pid(f, gettid());
	assert_int_equal(read_pid(f), gettid());
	expect_of_two_tasks(f, 30, 10);
	set_pid(f, NOBODY);
	assert_int_equal(read_pid(f), NOBODY);
	expect_of_two_tasks(f, 30, 30);
	set_pid(f, gettid());
	expect_of_two_tasks(f, 40, 40);
	kt_flight_free(f);

	f = lock_flight();
	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	expect_of_two_tasks(f, 50, 50);
	kt_buffer_sets_consume(kt_flight_buffer_sets(f));
	pause_in(f);
	expect_of_two_tasks(f, 50, 50);
	resume_in(f);
	expect_of_two_tasks(f, 60, 60);
	kt_flight_control_disable(kt_flight_get_control(f), ENTER);
	commit(f);
	prepare(f, "syscalls", names[ENTER], ENTER);
	commit(f);
	expect_of_two_tasks(f, 70, 70);
	assert_int_equal(kt_buffer_sets_reset(kt_flight_buffer_sets(f), &err), 0);
	expect_of_two_tasks(f, 10, 10);
	assert_int_equal(count_tids(f), 1);
	assert_int_equal(read_pid(f), gettid());

	set_pid(f, 0);
	expect_of_two_tasks(f, 30, 10);
	assert_int_equal(read_pid(f), 0);
	assert_int_equal(count_tids(f), 0);
	assert_int_equal(kt_flight_memory(f), memory);
	end_flight(f);
}

/* An uncommitted limit leaves no limit and nothing behind. */
static void not_committed(void **state)
{
	struct kt_tid_bitmap tids;
	struct kt_flight *f;
	struct kt_error err;

	(void)state;
	skip_in_a_container();
	f = start_locked();
	assert_int_equal(kt_tid_bitmap_make(&tids, "kt_tids", &err), 0);
	kt_tid_bitmap_add(&tids, NOBODY);
	assert_int_equal(kt_flight_control_set_pid_filter(kt_flight_get_control(f), &tids, &err),
			 0);
	kt_tid_bitmap_free(&tids);
	assert_int_equal(count_tids(f), 1);
	expect_of_two_tasks(f, 20, 0);
	kt_flight_free(f);
	f = open_flight();
	assert_int_equal(count_tids(f), 0);
	expect_of_two_tasks(f, 40, 0);
	end_flight(f);
}

/* Events are complete until the limit and since its removal, not while it changes. */
static void complete_spans(void **state)
{
	struct kt_time_span at_first, later;
	struct kt_flight *f;
	uint64_t time;

	(void)state;
	skip_in_a_container();
	f = start_locked();
	time = kt_clock_now();
	set_pid(f, gettid());
	at_first = span_of(f, ENTER);
	assert_int_equal(at_first.from, 0);
	assert_in_range(at_first.until, time, kt_clock_now());
	set_pid(f, NOBODY);
	assert_int_equal(span_of(f, ENTER).until, at_first.until);
	pause_in(f);
	set_pid(f, 0);
	assert_int_equal(span_of(f, ENTER).until, at_first.until);
	set_pid(f, NOBODY);
	resume_in(f);
	assert_int_equal(span_of(f, ENTER).until, at_first.until);
	assert_int_equal(span_of(f, ENTER).from, 0);
	time = kt_clock_now();
	set_pid(f, 0);
	later = span_of(f, ENTER);
	assert_in_range(later.from, time, kt_clock_now());
	assert_true(later.until == UINT64_MAX);
	end_flight(f);
}

/* Sometimes limited to no task, sometimes to this one: another thread makes the calls. */
static void set_other_pid(struct kt_flight *f)
{
	static uint32_t tid;

	tid = tid == NOBODY ? gettid() : NOBODY;
	set_pid(f, tid);
}

static void remove_limit(struct kt_flight *f)
{
	set_pid(f, 0);
}

static void both_at_once(void **state)
{
	(void)state;
	skip_in_a_container();
	switch_while_calling(set_other_pid, remove_limit);
}

/* The change that the killed process makes. */
static uint32_t from, to;

static int change_pid(void)
{
	struct kt_flight *f = lock_flight();

	set_pid(f, to);
	kt_flight_free(f);
	return 0;
}

static void start_one(void)
{
	struct kt_flight *f = start_locked();

	set_pid(f, from);
	kt_flight_free(f);
}

/* The state is the old one or the new one, and nothing else is left. */
static bool check_killed(void)
{
	struct kt_flight *f;
	uint32_t pids;
	size_t n;

	f = open_flight();
	pids = read_pid(f);
	n = pids != NOBODY ? N_CALLS : 0;
	assert_true(pids == from || pids == to);
	make_calls(N_CALLS);
	expect_hits(f, n, n);
	kt_flight_free(f);
	f = lock_flight();
	assert_int_equal(read_pid(f), pids);
	assert_int_equal(count_tids(f), pids != 0);
	make_calls(N_CALLS);
	expect_hits(f, 2 * n, 2 * n);
	kt_flight_free(f);
	return pids == to;
}

static void kill_while_changing(uint32_t goes_from, uint32_t goes_to)
{
	from = goes_from;
	to = goes_to;
	kill_while_working(N_KILLS, start_one, change_pid, check_killed);
}

static void killed(void **state)
{
	(void)state;
	skip_in_a_container();
	kill_while_changing(0, NOBODY);
	kill_while_changing(NOBODY, gettid());
	kill_while_changing(NOBODY, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limited),        cmocka_unit_test(not_committed),
		cmocka_unit_test(complete_spans), cmocka_unit_test(both_at_once),
		cmocka_unit_test(killed),
	};

	return cmocka_run_group_tests(tests, enter_namespace, NULL);
}
