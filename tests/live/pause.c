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

#include "hook/program.h"
#include "tests/live/missed.h"
#include "tests/live/switched.h"

enum { N_ROUNDS = 30, N_KILLS = 100, N_CALLS = 10 };

static void pause_in(struct kt_flight *f)
{
	kt_switches_pause(kt_flight_switches(f));
	commit(f);
}

static void resume_in(struct kt_flight *f)
{
	kt_switches_resume(kt_flight_switches(f));
	commit(f);
}

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
	return !kt_switches_opened(kt_flight_switches(f)).is_open;
}

static struct kt_gauge_pause gauged(const struct kt_flight *f)
{
	struct kt_gauge_pause pause;
	struct kt_error err;
	struct kt_gauge g;

	if (kt_gauge_read(&g, f, &err) < 0)
		fail_msg("%s", err.text);
	pause = g.pause;
	kt_gauge_clear(&g);
	return pause;
}

/* While it is paused nothing counts, whatever else is done; nor is anything made anew behind it. */
static void records_nothing(void **state)
{
	struct kt_opened opened;
	struct kt_flight *f;
	struct kt_error err;
	uint64_t time;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_events(N_EVENTS, true), 0);
	f = hold();
	opened = kt_switches_opened(kt_flight_switches(f));
	assert_true(opened.is_open);
	assert_int_equal(opened.since, 0);
	resume_in(f);
	assert_int_equal(kt_switches_opened(kt_flight_switches(f)).since, 0);
	make_calls(N_CALLS);
	expect(f, N_CALLS, N_CALLS);
	time = kt_clock_now();
	pause_in(f);
	opened = kt_switches_opened(kt_flight_switches(f));
	assert_false(opened.is_open);
	assert_in_range(opened.since, time, kt_clock_now());
	pause_in(f);
	assert_int_equal(kt_switches_opened(kt_flight_switches(f)).since, opened.since);
	assert_true(gauged(f).is_paused);
	time = gauged(f).since;
	assert_in_range(time, 1, kt_clock_now() - opened.since);
	make_calls(N_CALLS);
	expect(f, N_CALLS, N_CALLS);
	assert_true(figures_of(f).is_enabled[ENTER]);
	assert_int_equal(figures_of(f).switched[ENTER], 0);

	kt_banks_turn(kt_flight_banks(f));
	make_calls(N_CALLS);
	kt_banks_take(kt_flight_banks(f));
	expect(f, N_CALLS, N_CALLS);
	assert_int_equal(kt_banks_reset(kt_flight_banks(f), &err), 0);
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
	opened = kt_switches_opened(kt_flight_switches(f));
	assert_true(opened.is_open);
	assert_in_range(opened.since, time, kt_clock_now());
	assert_false(gauged(f).is_paused);
	assert_int_equal(kt_switches_at(kt_flight_switches(f), ENTER).number, 1);
	kt_flight_free(f);
	assert_int_equal(remove_flight(), 0);
}

/* And who was not paused when he thinks better of it is not. */
static void switched_meanwhile(void **state)
{
	struct kt_flight *f;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_events(N_EVENTS, true), 0);
	f = hold();
	pause_in(f);
	kt_switches_disable(kt_flight_switches(f), EXIT);
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
	kt_switches_disable(kt_flight_switches(f), ENTER);
	resume_in(f);
	make_calls(N_CALLS);
	expect(f, N_CALLS, N_CALLS);
	prepare(f, "syscalls", names[ENTER], ENTER);
	pause_in(f);
	make_calls(N_CALLS);
	expect(f, N_CALLS, N_CALLS);
	resume_in(f);
	kt_switches_pause(kt_flight_switches(f));
	kt_flight_free(f);
	f = hold();
	assert_false(is_paused(f));
	make_calls(N_CALLS);
	expect(f, 2 * N_CALLS, 2 * N_CALLS);
	kt_flight_free(f);
	assert_int_equal(remove_flight(), 0);
}

static struct kt_span span_of(const struct kt_flight *f, size_t event)
{
	return kt_switches_at(kt_flight_switches(f), event).complete;
}

static void assert_same(struct kt_span one, struct kt_span other)
{
	assert_true(one.from == other.from);
	assert_true(one.until == other.until);
}

/* An event is, until it was paused, and since it was resumed, whatever is switched while it is. */
static void complete(void **state)
{
	struct kt_span at_first, later;
	struct kt_flight *f;
	uint64_t time;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_events(N_EVENTS, true), 0);
	f = hold();
	time = kt_clock_now();
	pause_in(f);
	at_first = span_of(f, EXIT);
	assert_int_equal(at_first.from, 0);
	assert_in_range(at_first.until, time, kt_clock_now());
	kt_switches_disable(kt_flight_switches(f), EXIT);
	commit(f);
	assert_same(span_of(f, EXIT), at_first);
	kt_banks_turn(kt_flight_banks(f));
	time = kt_clock_now();
	resume_in(f);
	assert_same(span_of(f, EXIT), at_first);
	later = span_of(f, ENTER);
	assert_in_range(later.from, time, kt_clock_now());
	assert_true(later.until == UINT64_MAX);
	assert_same(kt_banks_complete_in(kt_flight_banks(f), 0, ENTER), at_first);
	assert_same(kt_banks_complete_in(kt_flight_banks(f), 1, ENTER), later);

	pause_in(f);
	prepare(f, "syscalls", names[EXIT], EXIT);
	commit(f);
	assert_same(span_of(f, EXIT), at_first);
	assert_int_equal(span_of(f, ENTER).from, later.from);
	time = kt_clock_now();
	resume_in(f);
	assert_in_range(span_of(f, EXIT).from, time, kt_clock_now());
	assert_true(span_of(f, EXIT).until == UINT64_MAX);
	kt_flight_free(f);
	assert_int_equal(remove_flight(), 0);
}

/* What the kernel keeps back counts while it is not paused: for each element one hit, and some. */
static void missed(void **state)
{
	enum { N = 100, MOST = N + N / 2 };
	static const char *const events[] = {"kmalloc"};
	struct kt_flight *f;
	struct kt_banks *b;
	uint64_t missed;
	int map;

	(void)state;
	skip_where_refused();
	map = map_to_change(4 * N);
	if (map < 0 || !kt_program_counts_missed())
		skip();
	assert_int_equal(start_these("kmem", events, 1, true), 0);
	f = hold();
	b = kt_flight_banks(f);
	change_map(map, 0, N);
	pause_in(f);
	missed = kt_banks_missed(b, 0);
	assert_in_range(missed, N, MOST);
	change_map(map, N, N);
	assert_int_equal(kt_banks_missed(b, 0), missed);
	kt_banks_turn(b);
	change_map(map, 2 * N, N);
	assert_int_equal(kt_banks_missed(b, 0), missed);
	assert_int_equal(kt_banks_missed_in(b, 0, 0), missed);
	resume_in(f);
	assert_in_range(kt_banks_missed(b, 0), missed, missed + N / 2);
	change_map(map, 3 * N, N);
	assert_in_range(kt_banks_missed(b, 0), missed + N, missed + MOST);
	assert_int_equal(kt_banks_missed_in(b, 1, 0), kt_banks_missed(b, 0) - missed);
	kt_flight_free(f);
	close(map);
	assert_int_equal(remove_flight(), 0);
}

/* Who makes the calls is within one at most when it is paused, and when it is resumed. */
static void both_at_once(void **state)
{
	struct figures before = {0}, off, on;
	struct kt_flight *f;
	pthread_t thread;
	int round;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_events(N_EVENTS, true), 0);
	f = hold();
	thread = begin_calls();
	await_hits(f, 100);
	for (round = 0; round < N_ROUNDS; round++) {
		pause_in(f);
		usleep(1000);
		off = figures_of(f);
		assert_in_range(off.hits[ENTER] - before.hits[ENTER] + 1,
				off.hits[EXIT] - before.hits[EXIT],
				off.hits[EXIT] - before.hits[EXIT] + 2);
		before = off;
		usleep(1000);
		on = figures_of(f);
		assert_int_equal(on.hits[ENTER], off.hits[ENTER]);
		assert_int_equal(on.hits[EXIT], off.hits[EXIT]);
		resume_in(f);
		await_hits(f, off.hits[EXIT] + 100);
	}
	end_calls(thread);
	kt_flight_free(f);
	assert_int_equal(remove_flight(), 0);
}

/* It is as it was, or as it was to be. */
static bool check_killed(void)
{
	struct kt_flight *f;
	bool paused;
	int code;

	f = look(&code);
	assert_non_null(f);
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

static void start_one(bool paused)
{
	assert_int_equal(start_events(N_EVENTS, true), 0);
	if (paused)
		pause_it();
}

static void kill_at(int work(void), bool paused)
{
	int round, n_paused = 0;
	unsigned int us;
	pid_t pid;

	for (round = 0; round < N_KILLS; round++) {
		start_one(paused);
		us = us_of(work);
		assert_int_equal(remove_flight(), 0);
		start_one(paused);
		pid = begin(work);
		kill_within(pid, rand() % (us + 1));
		end(pid);
		n_paused += check_killed();
		assert_int_equal(remove_flight(), 0);
	}
	assert_in_range(n_paused, 1, N_KILLS - 1);
}

static void killed(void **state)
{
	(void)state;
	skip_where_refused();
	kill_at(pause_it, false);
	kill_at(resume_it, true);
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
