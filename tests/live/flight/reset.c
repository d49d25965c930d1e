// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A flight recorder that is reset: what it held is given up, its figures count from then on, and
 * whoever is killed meanwhile has reset it or not. On a bpffs of our own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <sys/prctl.h>

#include "session/flight/flight_stats.h"
#include "tests/live/flight.h"

enum { N_KILLS = 40, EARLY_US = 2000, N_OVERRUN = 3000 };

static void reset_held(struct kt_flight *f)
{
	struct kt_error err;

	if (kt_buffer_sets_reset(kt_flight_buffer_sets(f), &err) < 0)
		fail_msg("%s", err.text);
}

static int reset(void)
{
	struct kt_flight *f = hold();

	reset_held(f);
	kt_flight_free(f);
	return 0;
}

/* Who made the calls knows how many there were; each is somewhere. */
static struct kt_flight_stats look_at(const struct kt_flight *f, uint64_t hits)
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

static void nothing_is_held(const struct kt_flight *f)
{
	struct kt_flight_stats g;

	g = look_at(f, 0);
	assert_int_equal(g.channels[channel].held + g.overwritten + g.inactive + g.consumed, 0);
	assert_int_equal(g.channels[channel].bytes, 0);
	assert_true(g.is_first);
	assert_true(g.channels[channel].is_whole);
	assert_true(g.is_reset);
	assert_in_range(g.counted, 1, g.age);
}

/* What is recorded now is 'all' or the last of it, and all that is there. */
static void continues(struct kt_flight *f, int n, bool overruns)
{
	struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	uint64_t held;
	struct kt_flight_stats g;

	make_calls(n);
	g = look_at(f, n);
	assert_int_equal(g.inactive + g.consumed, 0);
	assert_int_equal(g.overwritten > 0, overruns);
	held = g.channels[channel].held;
	kt_buffer_sets_swap(b);
	assert_int_equal(count_records(b, kt_buffer_sets_inactive(b)), held);
	g = look_at(f, n);
	assert_int_equal(g.inactive, held);
	kt_buffer_sets_consume(b);
	make_calls(1);
	g = look_at(f, n + 1);
	assert_int_equal(g.consumed, held);
	assert_int_equal(g.channels[channel].held, 1);
	assert_false(g.is_first);
}

static void is_reset(bool spare)
{
	struct kt_flight *f;
	struct kt_flight_stats g;
	struct kt_error err;
	int i;

	assert_int_equal(start_with(spare), 0);
	f = hold();
	make_calls(7);
	g = look_at(f, 7);
	assert_false(g.is_reset);
	assert_int_equal(g.counted, g.age);
	for (i = 0; i < 4; i++) {
		reset_held(f);
		nothing_is_held(f);
		assert_int_equal(kt_buffer_sets_make_spare(kt_flight_buffer_sets(f), &err), 0);
		continues(f, i % 2 ? N_OVERRUN : 40 + i, i % 2);
		if (i == 2) {
			kt_buffer_sets_swap(kt_flight_buffer_sets(f)); /* and is not taken */
			make_calls(3);
		}
	}
	assert_int_equal(kt_buffer_sets_wants_spare(kt_flight_buffer_sets(f)), spare);
	reset_held(f);
	assert_int_equal(kt_buffer_sets_rings(kt_flight_buffer_sets(f),
					      kt_buffer_sets_inactive(kt_flight_buffer_sets(f))) !=
				 NULL,
			 spare);
	nothing_is_held(f);
	end_flight(f);
}

static void with_spare(void **state)
{
	(void)state;
	skip_where_refused();
	is_reset(true);
}

static void without_spare(void **state)
{
	(void)state;
	skip_where_refused();
	is_reset(false);
}

/* All of it is there, or nothing; but what rests from before is given up first. */
static void killed_with(bool spare)
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
		reset_us = us_of(reset); /* the wait in it is longer and shorter */
		n = i % 100 + 1;
		make_calls(n);
		pid = begin(reset);
		kill_within(pid, (i % 2 ? 2 * reset_us : EARLY_US) * i / N_KILLS);
		ret = end(pid);
		assert_true(ret == 0 || ret == -EINTR);

		make_calls(5);
		f = hold();
		b = kt_flight_buffer_sets(f);
		assert_int_equal(kt_flight_stats_read(&g, f, &err), 0);
		was_reset = kt_flight_stats_sum(&g).counters.hits == 5;
		kt_flight_stats_clear(&g);
		counts[was_reset]++;
		g = look_at(f, was_reset ? 5 : n + 5);
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
	killed_with(true);
}

static void killed_without_spare(void **state)
{
	(void)state;
	skip_where_refused();
	killed_with(false);
}

/* Who looks at it sees what was before, or after. */
static int reset_often(void)
{
	int i;

	for (i = 0; i < 50; i++)
		reset();
	return 0;
}

static void looked_at(void **state)
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
	pid = begin(reset_often);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		f = look();
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

static int call_on(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		call(NO_TASK);
	return 0;
}

/* However much is recorded meanwhile: each hit is of the time before, or of the one after. */
static void called_meanwhile(void **state)
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
		callers[i] = begin(call_on);
	f = hold();
	for (i = 0; i < 100; i++) {
		reset_held(f);
		assert_int_equal(kt_flight_stats_read(&g, f, &err), 0);
		assert_int_equal(g.consumed, 0);
		assert_int_equal(g.inactive, 0);
		kt_flight_stats_clear(&g);
	}
	for (i = 0; i < 2; i++) {
		kill(callers[i], SIGKILL);
		assert_int_equal(end(callers[i]), -EINTR);
	}
	end_flight(f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		IN_BOTH_CHANNELS(with_spare), IN_BOTH_CHANNELS(without_spare),
		IN_BOTH_CHANNELS(killed),     IN_BOTH_CHANNELS(killed_without_spare),
		cmocka_unit_test(looked_at),  IN_BOTH_CHANNELS(called_meanwhile),
	};

	return cmocka_run_group_tests_name("reset", tests, leave_the_machine, NULL);
}
