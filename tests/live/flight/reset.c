// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resetting a flight recorder: its contents are discarded, its counters start again, and a killed
 * process has reset it or not. On a private bpffs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <sys/prctl.h>

#include "session/flight/flight_stats.h"
#include "tests/live/flight.h"

enum { N_KILLS = 40, EARLY_US = 2000, N_OVERRUN = 3000 };

static void reset_locked(struct kt_flight *f)
{
	struct kt_error err;

	if (kt_buffer_sets_reset(kt_flight_buffer_sets(f), &err) < 0)
		fail_msg("%s", err.text);
}

static int reset_flight(void)
{
	struct kt_flight *f = lock_flight();

	reset_locked(f);
	kt_flight_free(f);
	return 0;
}

/* The number of calls is known; each is in one counter. */
static struct kt_flight_stats check_stats(const struct kt_flight *f, uint64_t hits)
{
	struct kt_flight_stats g, figures;
	struct kt_error err;

	if (kt_flight_stats_read(&g, f, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(kt_flight_stats_sum(&g).counters.hits, hits);
	assert_int_equal(kt_flight_stats_sum(&g).missed, 0);
	assert_int_equal(g.channels[channel].held + g.overwritten + g.inactive + g.consumed, hits);
	figures = g;
	figures.events = NULL;
	kt_flight_stats_clear(&g);
	return figures;
}

static void assert_empty(const struct kt_flight *f)
{
	struct kt_flight_stats g;

	g = check_stats(f, 0);
	assert_int_equal(g.channels[channel].held + g.overwritten + g.inactive + g.consumed, 0);
	assert_int_equal(g.channels[channel].bytes, 0);
	assert_true(g.is_first);
	assert_true(g.channels[channel].is_whole);
	assert_true(g.is_reset);
	assert_in_range(g.counted, 1, g.age);
}

/* All or the newest of the calls made now are there, and nothing else. */
static void assert_recording(struct kt_flight *f, int n, bool overruns)
{
	struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	uint64_t held;
	struct kt_flight_stats g;

	make_calls(n);
	g = check_stats(f, n);
	assert_int_equal(g.inactive + g.consumed, 0);
	assert_int_equal(g.overwritten > 0, overruns);
	held = g.channels[channel].held;
	kt_buffer_sets_swap(b);
	assert_int_equal(count_records(b, kt_buffer_sets_inactive(b)), held);
	g = check_stats(f, n);
	assert_int_equal(g.inactive, held);
	kt_buffer_sets_consume(b);
	make_calls(1);
	g = check_stats(f, n + 1);
	assert_int_equal(g.consumed, held);
	assert_int_equal(g.channels[channel].held, 1);
	assert_false(g.is_first);
}

static void check_reset(bool spare)
{
	struct kt_flight *f;
	struct kt_flight_stats g;
	struct kt_error err;
	int i;

	assert_int_equal(start_with(spare), 0);
	f = lock_flight();
	make_calls(7);
	g = check_stats(f, 7);
	assert_false(g.is_reset);
	assert_int_equal(g.counted, g.age);
	for (i = 0; i < 4; i++) {
		reset_locked(f);
		assert_empty(f);
		assert_int_equal(kt_buffer_sets_make_spare(kt_flight_buffer_sets(f), &err), 0);
		assert_recording(f, i % 2 ? N_OVERRUN : 40 + i, i % 2);
		if (i == 2) {
			kt_buffer_sets_swap(kt_flight_buffer_sets(f)); /* and not consumed */
			make_calls(3);
		}
	}
	assert_int_equal(kt_buffer_sets_wants_spare(kt_flight_buffer_sets(f)), spare);
	reset_locked(f);
	assert_int_equal(kt_buffer_sets_rings(kt_flight_buffer_sets(f),
					      kt_buffer_sets_inactive(kt_flight_buffer_sets(f))) !=
				 NULL,
			 spare);
	assert_empty(f);
	end_flight(f);
}

static void with_spare(void **state)
{
	(void)state;
	skip_where_refused();
	check_reset(true);
}

static void without_spare(void **state)
{
	(void)state;
	skip_where_refused();
	check_reset(false);
}

/* The set holds everything or nothing; an older inactive set is discarded first. */
static void check_killed(bool spare)
{
	size_t counts[2] = {0};
	struct kt_flight *f;
	struct kt_buffer_sets *b;
	struct kt_error err;
	unsigned int reset_us;
	struct kt_flight_stats g;
	bool was_reset;
	pid_t pid;
	int i, n, ret;

	assert_int_equal(start_with(spare), 0);
	for (i = 0; i < N_KILLS; i++) {
		reset_us = time_work(reset_flight); /* how long it waits varies */
		n = i % 100 + 1;
		make_calls(n);
		pid = begin_process(reset_flight);
		kill_within(pid, (i % 2 ? 2 * reset_us : EARLY_US) * i / N_KILLS);
		ret = end_process(pid);
		assert_true(ret == 0 || ret == -EINTR);

		make_calls(5);
		f = lock_flight();
		b = kt_flight_buffer_sets(f);
		assert_int_equal(kt_flight_stats_read(&g, f, &err), 0);
		was_reset = kt_flight_stats_sum(&g).counters.hits == 5;
		kt_flight_stats_clear(&g);
		counts[was_reset]++;
		g = check_stats(f, was_reset ? 5 : n + 5);
		assert_int_equal(g.channels[channel].held + g.inactive, was_reset ? 5 : n + 5);
		if (!kt_buffer_sets_is_consumed(b)) {
			kt_buffer_sets_swap(b);
			assert_int_equal(count_records(b, kt_buffer_sets_inactive(b)), n);
			kt_buffer_sets_consume(b);
			n = 0;
		}
		assert_int_equal(kt_buffer_sets_make_spare(b, &err), 0);
		kt_buffer_sets_swap(b);
		assert_int_equal(count_records(b, kt_buffer_sets_inactive(b)),
				 was_reset ? 5 : n + 5);
		kt_buffer_sets_consume(b);
		kt_flight_free(f);
	}
	print_message("# %zu reset, %zu not\n", counts[1], counts[0]);
	assert_true(counts[0] && counts[1]);
	assert_int_equal(remove_flight(), 0);
}

static void killed(void **state)
{
	(void)state;
	skip_where_refused();
	check_killed(true);
}

static void killed_without_spare(void **state)
{
	(void)state;
	skip_where_refused();
	check_killed(false);
}

/* A reader sees the state before or after. */
static int reset_often(void)
{
	int i;

	for (i = 0; i < 50; i++)
		reset_flight();
	return 0;
}

static void read_during_resets(void **state)
{
	struct kt_error err;
	struct kt_flight *f;
	struct kt_flight_stats g;
	uint64_t hits;
	int status, ret, views[2] = {0};
	pid_t pid;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	make_calls(33);
	pid = begin_process(reset_often);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		f = open_flight();
		ret = kt_flight_stats_read(&g, f, &err);
		if (ret == 0) {
			hits = kt_flight_stats_sum(&g).counters.hits;
			assert_true(hits == 0 || hits == 33);
			assert_int_equal(g.channels[channel].held + g.overwritten + g.inactive +
						 g.consumed,
					 hits);
			views[hits == 0]++;
			kt_flight_stats_clear(&g);
		} else {
			assert_int_equal(ret, -EAGAIN);
		}
		kt_flight_free(f);
	}
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
	print_message("# seen %d times before, %d after\n", views[0], views[1]);
	assert_true(views[1] > 0);
	assert_int_equal(remove_flight(), 0);
}

static int call_forever(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		call(NO_TASK);
	return 0;
}

/* Each concurrent hit belongs to the time before or after. */
static void calls_during_reset(void **state)
{
	pid_t callers[2];
	struct kt_error err;
	struct kt_flight *f;
	struct kt_flight_stats g;
	size_t i;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	for (i = 0; i < 2; i++)
		callers[i] = begin_process(call_forever);
	f = lock_flight();
	for (i = 0; i < 100; i++) {
		reset_locked(f);
		assert_int_equal(kt_flight_stats_read(&g, f, &err), 0);
		assert_int_equal(g.consumed, 0);
		assert_int_equal(g.inactive, 0);
		kt_flight_stats_clear(&g);
	}
	for (i = 0; i < 2; i++) {
		kill(callers[i], SIGKILL);
		assert_int_equal(end_process(callers[i]), -EINTR);
	}
	end_flight(f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		IN_BOTH_CHANNELS(with_spare),
		IN_BOTH_CHANNELS(without_spare),
		IN_BOTH_CHANNELS(killed),
		IN_BOTH_CHANNELS(killed_without_spare),
		cmocka_unit_test(read_during_resets),
		IN_BOTH_CHANNELS(calls_during_reset),
	};

	return cmocka_run_group_tests_name("reset", tests, enter_namespace, NULL);
}
