// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flight recorders that are paused and resumed: all of their events at one moment, or none where
 * who does so is killed. On a bpffs of our own. Each call is a hit of both events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "tests/live/switched.h"

enum { N_KILLS = 100 };

static int pause_it(void)
{
	struct kt_flight *f = hold();

	pause_in(f);
	kt_flight_free(f);
	return 0;
}

static int resume_it(void)
{
	struct kt_flight *f = hold();

	resume_in(f);
	kt_flight_free(f);
	return 0;
}

static bool is_paused(const struct kt_flight *f)
{
	return !kt_flight_control_state(kt_flight_get_control(f)).is_open;
}

static struct kt_flight_stats_pause gauged(const struct kt_flight *f)
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

/* While it is paused nothing counts, whatever else is done; nor is anything made anew behind it. */
static void records_nothing(void **state)
{
	struct kt_enable_state opened;
	struct kt_flight *f;
	struct kt_error err;
	uint64_t time;

	(void)state;
	f = start_held();
	opened = kt_flight_control_state(kt_flight_get_control(f));
	assert_true(opened.is_open);
	assert_int_equal(opened.since, 0);
	resume_in(f);
	assert_int_equal(kt_flight_control_state(kt_flight_get_control(f)).since, 0);
	make_calls(N_CALLS);
	expect(f, N_CALLS, N_CALLS);
	time = kt_clock_now();
	pause_in(f);
	opened = kt_flight_control_state(kt_flight_get_control(f));
	assert_false(opened.is_open);
	assert_in_range(opened.since, time, kt_clock_now());
	pause_in(f);
	assert_int_equal(kt_flight_control_state(kt_flight_get_control(f)).since, opened.since);
	assert_true(gauged(f).is_paused);
	time = gauged(f).since;
	assert_in_range(time, 1, kt_clock_now() - opened.since);
	make_calls(N_CALLS);
	expect(f, N_CALLS, N_CALLS);
	assert_true(figures_of(f).is_enabled[ENTER]);
	assert_int_equal(figures_of(f).switched[ENTER], 0);

	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	make_calls(N_CALLS);
	kt_buffer_sets_consume(kt_flight_buffer_sets(f));
	expect(f, N_CALLS, N_CALLS);
	assert_int_equal(kt_buffer_sets_reset(kt_flight_buffer_sets(f), &err), 0);
	make_calls(N_CALLS);
	expect(f, 0, 0);
	assert_true(is_paused(f));
	kt_flight_free(f);

	f = hold();
	make_calls(N_CALLS);
	expect(f, 0, 0);
	assert_true(is_paused(f));
	time = kt_clock_now();
	resume_in(f);
	make_calls(N_CALLS);
	expect(f, N_CALLS, N_CALLS);
	opened = kt_flight_control_state(kt_flight_get_control(f));
	assert_true(opened.is_open);
	assert_in_range(opened.since, time, kt_clock_now());
	assert_false(gauged(f).is_paused);
	assert_int_equal(kt_flight_control_event(kt_flight_get_control(f), ENTER).number, 1);
	end_flight(f);
}

/* And who was not paused when he thinks better of it is not. */
static void switched_meanwhile(void **state)
{
	struct kt_flight *f;

	(void)state;
	f = start_held();
	pause_in(f);
	kt_flight_control_disable(kt_flight_get_control(f), EXIT);
	commit(f);
	assert_true(is_paused(f));
	assert_false(figures_of(f).is_enabled[EXIT]);
	make_calls(N_CALLS);
	expect(f, 0, 0);
	resume_in(f);
	make_calls(N_CALLS);
	expect(f, N_CALLS, 0);
	pause_in(f);
	prepare(f, "syscalls", names[EXIT], EXIT);
	commit(f);
	assert_true(figures_of(f).is_enabled[EXIT]);
	make_calls(N_CALLS);
	expect(f, N_CALLS, 0);
	kt_flight_control_disable(kt_flight_get_control(f), ENTER);
	resume_in(f);
	make_calls(N_CALLS);
	expect(f, N_CALLS, N_CALLS);
	prepare(f, "syscalls", names[ENTER], ENTER);
	pause_in(f);
	make_calls(N_CALLS);
	expect(f, N_CALLS, N_CALLS);
	resume_in(f);
	kt_flight_control_pause(kt_flight_get_control(f));
	kt_flight_free(f);
	f = hold();
	assert_false(is_paused(f));
	make_calls(N_CALLS);
	expect(f, 2 * N_CALLS, 2 * N_CALLS);
	end_flight(f);
}

static void assert_same(struct kt_time_span one, struct kt_time_span other)
{
	assert_true(one.from == other.from);
	assert_true(one.until == other.until);
}

/* An event is, until it was paused, and since it was resumed, whatever is switched while it is. */
static void complete(void **state)
{
	struct kt_time_span at_first, later;
	struct kt_flight *f;
	uint64_t time;

	(void)state;
	f = start_held();
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

/* What the kernel keeps back counts while it is not paused: for each element one hit, and some. */
static void missed(void **state)
{
	enum { N = 100, MOST = N + N / 2 };
	struct kt_flight *f;
	struct kt_buffer_sets *b;
	uint64_t missed;
	int map;

	(void)state;
	f = start_keeping_back(4 * N, &map);
	b = kt_flight_buffer_sets(f);
	change_map(map, 0, N);
	pause_in(f);
	missed = kt_buffer_sets_missed(b, 0);
	assert_in_range(missed, N, MOST);
	change_map(map, N, N);
	assert_int_equal(kt_buffer_sets_missed(b, 0), missed);
	kt_buffer_sets_swap(b);
	change_map(map, 2 * N, N);
	assert_int_equal(kt_buffer_sets_missed(b, 0), missed);
	assert_int_equal(kt_buffer_sets_missed_in(b, 0, 0), missed);
	resume_in(f);
	assert_in_range(kt_buffer_sets_missed(b, 0), missed, missed + N / 2);
	change_map(map, 3 * N, N);
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

/* It is as it was, or as it was to be. */
static bool check_killed(void)
{
	struct kt_flight *f;
	bool paused;

	f = look();
	paused = is_paused(f);
	make_calls(N_CALLS);
	expect(f, !paused * N_CALLS, !paused * N_CALLS);
	assert_int_equal(span_of(f, ENTER).until != UINT64_MAX, paused);
	kt_flight_free(f);
	f = hold();
	make_calls(N_CALLS);
	expect(f, !paused * 2 * N_CALLS, !paused * 2 * N_CALLS);
	kt_flight_free(f);
	return paused;
}

static void start_paused(void)
{
	struct kt_flight *f = start_held();

	pause_in(f);
	kt_flight_free(f);
}

static void killed(void **state)
{
	(void)state;
	skip_where_refused();
	kill_at_work(N_KILLS, start_both, pause_it, check_killed);
	kill_at_work(N_KILLS, start_paused, resume_it, check_killed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_nothing), cmocka_unit_test(switched_meanwhile),
		cmocka_unit_test(complete),        cmocka_unit_test(missed),
		cmocka_unit_test(both_at_once),    cmocka_unit_test(killed),
	};

	return cmocka_run_group_tests(tests, leave_the_machine, NULL);
}
