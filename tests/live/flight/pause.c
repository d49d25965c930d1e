// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flight recorders paused and resumed: all events at one moment, or none if the process is killed.
 * On a private bpffs. Each call is a hit of both events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "tests/live/enabling.h"

enum { N_KILLS = 100 };

static int pause_it(void)
{
	struct kt_flight *f = lock_flight();

	pause_in(f);
	kt_flight_free(f);
	return 0;
}

static int resume_it(void)
{
	struct kt_flight *f = lock_flight();

	resume_in(f);
	kt_flight_free(f);
	return 0;
}

static bool is_paused(const struct kt_flight *f)
{
	return !kt_flight_control_state(kt_flight_get_control(f)).is_open;
}

static struct kt_flight_stats_pause read_pause(const struct kt_flight *f)
{
	struct kt_flight_stats_pause pause;
	struct kt_error err;
	struct kt_flight_stats g;

	if (kt_flight_stats_read(&g, f, &err) < 0)
		fail_msg("%s", err.text);
	pause = g.pause;
	kt_flight_stats_clear(&g);
	return pause;
}

/* While paused nothing is counted, whatever else is done, nor created afterwards. */
static void records_nothing(void **state)
{
	struct kt_enable_state opened;
	struct kt_flight *f;
	struct kt_error err;
	uint64_t time;

	(void)state;
	f = start_locked();
	opened = kt_flight_control_state(kt_flight_get_control(f));
	assert_true(opened.is_open);
	assert_int_equal(opened.since, 0);
	resume_in(f);
	assert_int_equal(kt_flight_control_state(kt_flight_get_control(f)).since, 0);
	make_calls(N_CALLS);
	expect_hits(f, N_CALLS, N_CALLS);
	time = kt_clock_now();
	pause_in(f);
	opened = kt_flight_control_state(kt_flight_get_control(f));
	assert_false(opened.is_open);
	assert_in_range(opened.since, time, kt_clock_now());
	pause_in(f);
	assert_int_equal(kt_flight_control_state(kt_flight_get_control(f)).since, opened.since);
	assert_true(read_pause(f).is_paused);
	time = read_pause(f).since;
	assert_in_range(time, 1, kt_clock_now() - opened.since);
	make_calls(N_CALLS);
	expect_hits(f, N_CALLS, N_CALLS);
	assert_true(read_figures(f).is_enabled[ENTER]);
	assert_int_equal(read_figures(f).switched[ENTER], 0);

	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	make_calls(N_CALLS);
	kt_buffer_sets_consume(kt_flight_buffer_sets(f));
	expect_hits(f, N_CALLS, N_CALLS);
	assert_int_equal(kt_buffer_sets_reset(kt_flight_buffer_sets(f), &err), 0);
	make_calls(N_CALLS);
	expect_hits(f, 0, 0);
	assert_true(is_paused(f));
	kt_flight_free(f);

	f = lock_flight();
	make_calls(N_CALLS);
	expect_hits(f, 0, 0);
	assert_true(is_paused(f));
	time = kt_clock_now();
	resume_in(f);
	make_calls(N_CALLS);
	expect_hits(f, N_CALLS, N_CALLS);
	opened = kt_flight_control_state(kt_flight_get_control(f));
	assert_true(opened.is_open);
	assert_in_range(opened.since, time, kt_clock_now());
	assert_false(read_pause(f).is_paused);
	assert_int_equal(kt_flight_control_event(kt_flight_get_control(f), ENTER).number, 1);
	end_flight(f);
}

/* An uncommitted pause leaves the flight unpaused. */
static void switched_while_paused(void **state)
{
	struct kt_flight *f;

	(void)state;
	f = start_locked();
	pause_in(f);
	kt_flight_control_disable(kt_flight_get_control(f), EXIT);
	commit(f);
	assert_true(is_paused(f));
	assert_false(read_figures(f).is_enabled[EXIT]);
	make_calls(N_CALLS);
	expect_hits(f, 0, 0);
	resume_in(f);
	make_calls(N_CALLS);
	expect_hits(f, N_CALLS, 0);
	pause_in(f);
	prepare(f, "syscalls", names[EXIT], EXIT);
	commit(f);
	assert_true(read_figures(f).is_enabled[EXIT]);
	make_calls(N_CALLS);
	expect_hits(f, N_CALLS, 0);
	kt_flight_control_disable(kt_flight_get_control(f), ENTER);
	resume_in(f);
	make_calls(N_CALLS);
	expect_hits(f, N_CALLS, N_CALLS);
	prepare(f, "syscalls", names[ENTER], ENTER);
	pause_in(f);
	make_calls(N_CALLS);
	expect_hits(f, N_CALLS, N_CALLS);
	resume_in(f);
	kt_flight_control_pause(kt_flight_get_control(f));
	kt_flight_free(f);
	f = lock_flight();
	assert_false(is_paused(f));
	make_calls(N_CALLS);
	expect_hits(f, 2 * N_CALLS, 2 * N_CALLS);
	end_flight(f);
}

static void assert_same(struct kt_time_span one, struct kt_time_span other)
{
	assert_true(one.from == other.from);
	assert_true(one.until == other.until);
}

/* An event is complete until the pause and since the resume, whatever is switched meanwhile. */
static void complete_spans(void **state)
{
	struct kt_time_span at_first, later;
	struct kt_flight *f;
	uint64_t time;

	(void)state;
	f = start_locked();
	time = kt_clock_now();
	pause_in(f);
	at_first = span_of(f, EXIT);
	assert_int_equal(at_first.from, 0);
	assert_in_range(at_first.until, time, kt_clock_now());
	kt_flight_control_disable(kt_flight_get_control(f), EXIT);
	commit(f);
	assert_same(span_of(f, EXIT), at_first);
	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	time = kt_clock_now();
	resume_in(f);
	assert_same(span_of(f, EXIT), at_first);
	later = span_of(f, ENTER);
	assert_in_range(later.from, time, kt_clock_now());
	assert_true(later.until == UINT64_MAX);
	assert_same(kt_buffer_sets_complete_in(kt_flight_buffer_sets(f), 0, ENTER), at_first);
	assert_same(kt_buffer_sets_complete_in(kt_flight_buffer_sets(f), 1, ENTER), later);

	pause_in(f);
	prepare(f, "syscalls", names[EXIT], EXIT);
	commit(f);
	assert_same(span_of(f, EXIT), at_first);
	assert_int_equal(span_of(f, ENTER).from, later.from);
	time = kt_clock_now();
	resume_in(f);
	assert_in_range(span_of(f, EXIT).from, time, kt_clock_now());
	assert_true(span_of(f, EXIT).until == UINT64_MAX);
	end_flight(f);
}

/* Missed events count while not paused: one per element, and a few more. */
static void missed(void **state)
{
	enum { N = 100, MOST = N + N / 2 };
	struct kt_flight *f;
	struct kt_buffer_sets *b;
	uint64_t missed;
	int map;

	(void)state;
	f = start_with_missed(4 * N, &map);
	b = kt_flight_buffer_sets(f);
	insert_elements(map, 0, N);
	pause_in(f);
	missed = kt_buffer_sets_missed(b, 0);
	assert_in_range(missed, N, MOST);
	insert_elements(map, N, N);
	assert_int_equal(kt_buffer_sets_missed(b, 0), missed);
	kt_buffer_sets_swap(b);
	insert_elements(map, 2 * N, N);
	assert_int_equal(kt_buffer_sets_missed(b, 0), missed);
	assert_int_equal(kt_buffer_sets_missed_in(b, 0, 0), missed);
	resume_in(f);
	assert_in_range(kt_buffer_sets_missed(b, 0), missed, missed + N / 2);
	insert_elements(map, 3 * N, N);
	assert_in_range(kt_buffer_sets_missed(b, 0), missed + N, missed + MOST);
	assert_int_equal(kt_buffer_sets_missed_in(b, 1, 0), kt_buffer_sets_missed(b, 0) - missed);
	kt_flight_free(f);
	close(map);
	assert_int_equal(remove_flight(), 0);
}

static void both_at_once(void **state)
{
	(void)state;
	switch_while_calling(pause_in, resume_in);
}

/* The state is the old one or the new one. */
static bool check_killed(void)
{
	struct kt_flight *f;
	bool paused;

	f = open_flight();
	paused = is_paused(f);
	make_calls(N_CALLS);
	expect_hits(f, !paused * N_CALLS, !paused * N_CALLS);
	assert_int_equal(span_of(f, ENTER).until != UINT64_MAX, paused);
	kt_flight_free(f);
	f = lock_flight();
	make_calls(N_CALLS);
	expect_hits(f, !paused * 2 * N_CALLS, !paused * 2 * N_CALLS);
	kt_flight_free(f);
	return paused;
}

static void start_paused(void)
{
	struct kt_flight *f = start_locked();

	pause_in(f);
	kt_flight_free(f);
}

static void killed(void **state)
{
	(void)state;
	skip_where_refused();
	kill_while_working(N_KILLS, start_both, pause_it, check_killed);
	kill_while_working(N_KILLS, start_paused, resume_it, check_killed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_nothing), cmocka_unit_test(switched_while_paused),
		cmocka_unit_test(complete_spans),  cmocka_unit_test(missed),
		cmocka_unit_test(both_at_once),    cmocka_unit_test(killed),
	};

	return cmocka_run_group_tests(tests, enter_namespace, NULL);
}
