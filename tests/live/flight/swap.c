// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A flight recorder that is turned from one bank to the other: what it held until then rests whole,
 * it goes on in the other, and whoever is killed meanwhile has turned it or not. On a bpffs of our
 * own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "session/flight/flight_stats.h"
#include "tests/live/flight.h"

enum { N_KILLS = 80, EARLY_US = 1000 };

static int swap(void)
{
	struct kt_flight *f = hold();

	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	kt_flight_free(f);
	return 0;
}

/* What was recorded until one is turned rests, and what it says of itself goes with it. */
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
		f = hold();
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
		kt_buffer_sets_swap(b); /* it waits to be taken */
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

		/* Nobody else gets at it, who tries for seconds; to look at it is no matter. */
		if (i == 0)
			assert_int_equal(end(begin(remove_flight)), -EBUSY);
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

/* Whoever turns one and is killed has done so, or not; most of the time it waits to settle. */
static void killed_turning(void **state)
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
	turn_us = us_of(swap);
	for (i = 0; i < N_KILLS; i++) {
		f = hold();
		b = kt_flight_buffer_sets(f);
		kt_buffer_sets_swap(b);
		kt_buffer_sets_consume(b);
		set = kt_buffer_sets_active(b);
		kt_flight_free(f);
		make_calls(i % 100);

		before = kt_clock_now();
		pid = begin(swap);
		kill_within(pid, (i % 2 ? turn_us : EARLY_US) * i / N_KILLS);
		end(pid);

		f = hold();
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
	print_message("# %zu turned, %zu not\n", counts[0], counts[1]);
	assert_true(counts[0] && counts[1]);
	assert_int_equal(remove_flight(), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		IN_BOTH_CHANNELS(swapped),
		IN_BOTH_CHANNELS(killed_turning),
	};

	return cmocka_run_group_tests_name("turns", tests, leave_the_machine, NULL);
}
