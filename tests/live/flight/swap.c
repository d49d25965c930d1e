// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Swapping the buffer sets of a flight recorder: the old contents stay complete, recording goes on
 * in the other set, and a killed process has swapped or not. On a private bpffs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "session/flight/flight_stats.h"
#include "tests/live/flight.h"

enum { N_KILLS = 80, EARLY_US = 1000 };

static int swap_once(void)
{
	struct kt_flight *f = lock_flight();

	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	kt_flight_free(f);
	return 0;
}

/* What was recorded until a swap stays in the inactive set with its statistics. */
static void swapped(void **state)
{
	const uint64_t wanted[] = {30, 40, 50};
	uint64_t consumed = 0;
	struct kt_error err;
	struct kt_flight *f;
	struct kt_buffer_sets *b;
	struct kt_flight_stats g;
	int i;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	for (i = 0; i < 3; i++) {
		make_calls(wanted[i]);
		f = lock_flight();
		b = kt_flight_buffer_sets(f);
		assert_true(kt_buffer_sets_is_consumed(b));
		assert_int_equal(kt_flight_stats_read(&g, f, &err), 0);
		assert_int_equal(g.channels[channel].held, wanted[i]);
		assert_int_equal(g.consumed, consumed);
		assert_int_equal(g.is_first, i == 0);
		kt_flight_stats_clear(&g);

		kt_buffer_sets_swap(b);
		assert_int_equal(kt_buffer_sets_active(b), (i + 1) % KT_BUFFER_SETS);
		assert_false(kt_buffer_sets_is_consumed(b));
		make_calls(3);
		kt_buffer_sets_swap(b); /* it waits to be consumed */
		make_calls(4);
		assert_int_equal(count_records(b, kt_buffer_sets_inactive(b)), wanted[i]);
		assert_int_equal(kt_flight_stats_read(&g, f, &err), 0);
		assert_int_equal(g.channels[channel].held, 7);
		assert_int_equal(g.inactive, wanted[i]);
		assert_int_equal(g.consumed, consumed);
		assert_int_equal(g.overwritten, 0);
		assert_in_range(g.channels[channel].span, 1, g.since);
		assert_in_range(g.since, 1, g.age);
		assert_false(g.is_first);
		kt_flight_stats_clear(&g);

		/* No other process gets the lock within seconds; reading needs none. */
		if (i == 0)
			assert_int_equal(end_process(begin_process(remove_flight)), -EBUSY);
		kt_buffer_sets_consume(b);
		kt_buffer_sets_swap(b);
		assert_int_equal(count_records(b, kt_buffer_sets_inactive(b)), 7);
		kt_buffer_sets_consume(b);
		consumed += wanted[i] + 7;
		assert_int_equal(kt_flight_stats_read(&g, f, &err), 0);
		assert_int_equal(g.inactive + g.channels[channel].held, 0);
		assert_int_equal(g.consumed, consumed);
		assert_int_equal(kt_flight_stats_sum(&g).counters.hits, consumed);
		kt_flight_stats_clear(&g);
		kt_buffer_sets_swap(b);
		kt_buffer_sets_consume(b);
		kt_flight_free(f);
	}
	assert_int_equal(remove_flight(), 0);
}

/* A killed process has swapped or not; most of the time it waits for programs to settle. */
static void killed_while_swapping(void **state)
{
	size_t set, inactive, counts[2] = {0};
	uint64_t before;
	unsigned int turn_us;
	struct kt_flight *f;
	struct kt_buffer_sets *b;
	pid_t pid;
	int i;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	turn_us = time_work(swap_once);
	for (i = 0; i < N_KILLS; i++) {
		f = lock_flight();
		b = kt_flight_buffer_sets(f);
		kt_buffer_sets_swap(b);
		kt_buffer_sets_consume(b);
		set = kt_buffer_sets_active(b);
		kt_flight_free(f);
		make_calls(i % 100);

		before = kt_clock_now();
		pid = begin_process(swap_once);
		kill_within(pid, (i % 2 ? turn_us : EARLY_US) * i / N_KILLS);
		end_process(pid);

		f = lock_flight();
		b = kt_flight_buffer_sets(f);
		assert_int_equal(kt_buffer_sets_is_consumed(b), kt_buffer_sets_active(b) == set);
		counts[kt_buffer_sets_is_consumed(b)]++;
		if (!kt_buffer_sets_is_consumed(b))
			assert_in_range(kt_buffer_sets_began(b, !set), before, kt_clock_now());
		make_calls(5);
		inactive = kt_buffer_sets_active(b) == set ? i % 100 + 5 : i % 100;
		kt_buffer_sets_swap(b);
		assert_int_equal(kt_buffer_sets_inactive(b), set);
		assert_int_equal(count_records(b, set), inactive);
		kt_buffer_sets_consume(b);
		kt_flight_free(f);
	}
	print_message("# %zu swapped, %zu not\n", counts[0], counts[1]);
	assert_true(counts[0] && counts[1]);
	assert_int_equal(remove_flight(), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		IN_BOTH_CHANNELS(swapped),
		IN_BOTH_CHANNELS(killed_while_swapping),
	};

	return cmocka_run_group_tests_name("swap", tests, enter_namespace, NULL);
}
