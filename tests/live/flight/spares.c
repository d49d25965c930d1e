// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A flight recorder with spare buffers only during a swap: none of its counters is lost with the
 * freed rings, and a killed process leaves no hidden rings. On a private bpffs.
 */
#include <bpf/bpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "session/flight/flight_stats.h"
#include "tests/live/flight.h"

/* More calls than there is room for, all on one CPU. */
enum { N_KILLS = 40, N_CALLS = 1500, N_ROUNDS = 6 };

/* Statistics without the events. */
static struct kt_flight_stats read_stats(const struct kt_flight *f)
{
	struct kt_flight_stats g, read;
	struct kt_error err;

	if (kt_flight_stats_read(&g, f, &err) < 0)
		fail_msg("%s", err.text);
	read = g;
	kt_flight_stats_clear(&g);
	return read;
}

/* Makes spare buffers, swaps, frees the old ones. Returns the records they had. */
static uint64_t swap_once(const struct kt_flight *f)
{
	struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	struct kt_error err;
	uint64_t n;

	if (kt_buffer_sets_make_spare(b, &err) < 0)
		fail_msg("%s", err.text);
	kt_buffer_sets_swap(b);
	assert_int_equal(kt_buffer_sets_drop_spare(b, &err), -EBUSY);
	n = count_records(b, kt_buffer_sets_inactive(b));
	kt_buffer_sets_consume(b);
	if (kt_buffer_sets_drop_spare(b, &err) < 0)
		fail_msg("%s", err.text);
	return n;
}

static size_t count_rings_in(const char *path, size_t set)
{
	size_t cpu, n_cpus = sysconf(_SC_NPROCESSORS_CONF), n = 0;
	int map = bpf_obj_get(path);
	uint32_t id;

	assert_true(map >= 0);
	for (cpu = 0; cpu < n_cpus; cpu++)
		n += bpf_map_lookup_elem(map, &(uint32_t){set * n_cpus + cpu}, &id) == 0;
	close(map);
	return n;
}

/* Counts the rings in the maps that programs use, pinned or not. */
static size_t count_rings(size_t set)
{
	size_t n = count_rings_in(PLACE "/rings", set);

	return channel == KT_RARE ? n + count_rings_in(PLACE "/rare", set) : n;
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static bool has_spare(const struct kt_flight *f)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);

	return kt_buffer_sets_rings(b, kt_buffer_sets_inactive(b));
}

static void expect_spare(const struct kt_flight *f, bool expected)
{
	struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	size_t set = kt_buffer_sets_inactive(b);

	assert_int_equal(kt_buffer_sets_rings(b, set) != NULL, expected);
	assert_int_equal(exists(set ? PLACE "/set1" : PLACE "/set0"), expected);
	assert_int_equal(count_rings(set), expected ? count_rings(!set) : 0);
	assert_true(count_rings(!set) > 0);
	assert_false(exists(PLACE "/unused"));
}

/* Rings are created and freed, and the counters remain. */
static void created_and_freed(void **state)
{
	uint64_t consumed = 0, memory;
	struct kt_flight *f;
	struct kt_flight_stats g;
	int i;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_with(false), 0);
	f = lock_flight();
	assert_false(kt_buffer_sets_wants_spare(kt_flight_buffer_sets(f)));
	memory = kt_flight_memory(f);
	for (i = 1; i <= N_ROUNDS; i++) {
		make_calls(N_CALLS);
		expect_spare(f, false);
		consumed += swap_once(f);
		expect_spare(f, false);
		assert_int_equal(kt_flight_memory(f), memory);
		make_calls(10);
		g = read_stats(f);
		assert_int_equal(g.consumed, consumed);
		assert_int_equal(g.channels[channel].held, 10);
		assert_int_equal(g.channels[channel].n_spare, 0);
		assert_int_equal(g.overwritten, i * (N_CALLS + 10) - 10 - consumed);
	}
	assert_in_range(consumed, N_ROUNDS, N_ROUNDS * N_CALLS / 2);
	end_flight(f);
}

/* A reader must open the flight again. */
static void read_meanwhile(void **state)
{
	struct kt_flight *f, *old;
	struct kt_error err;
	struct kt_flight_stats g;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_with(false), 0);
	old = open_flight();
	f = lock_flight();
	swap_once(f);
	assert_int_equal(kt_flight_stats_read(&g, old, &err), -EAGAIN);
	kt_flight_free(old);
	old = open_flight();
	read_stats(old);
	kt_flight_free(old);
	end_flight(f);
}

static int swap_and_free(void)
{
	struct kt_flight *f = lock_flight();

	swap_once(f);
	kt_flight_free(f);
	return 0;
}

/* Spare buffers exist completely or not at all, and each hit is in one counter. */
static void killed_while_swapping(void **state)
{
	unsigned int us, counts[2] = {0};
	struct kt_flight *f;
	struct kt_flight_stats g;
	pid_t pid;
	int i;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_with(false), 0);
	us = time_work(swap_and_free);
	for (i = 1; i <= N_KILLS; i++) {
		make_calls(i * 3);
		pid = begin_process(swap_and_free);
		kill_within(pid, us * i / N_KILLS);
		end_process(pid);

		f = lock_flight();
		counts[has_spare(f)]++;
		expect_spare(f, has_spare(f));
		g = read_stats(f);
		assert_int_equal(g.overwritten + g.channels[channel].held + g.inactive + g.consumed,
				 i * (i + 1) / 2 * 3);
		swap_once(f);
		expect_spare(f, false);
		kt_flight_free(f);
	}
	print_message("# %u with a spare, %u without\n", counts[1], counts[0]);
	assert_true(counts[0] && counts[1]);
	assert_int_equal(remove_flight(), 0);
}

/* Also while a consumer is pending. */
static void wanted_spare(void **state)
{
	struct kt_buffer_sets *b;
	struct kt_flight *f;
	struct kt_error err;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_with(false), 0);
	f = lock_flight();
	b = kt_flight_buffer_sets(f);
	assert_int_equal(kt_buffer_sets_want_spare(b, false, &err), 0);
	assert_false(kt_buffer_sets_wants_spare(b));
	assert_int_equal(kt_buffer_sets_want_spare(b, true, &err), 0);
	assert_int_equal(kt_buffer_sets_want_spare(b, true, &err), 0);
	assert_true(kt_buffer_sets_wants_spare(b));
	expect_spare(f, true);
	make_calls(3);
	kt_buffer_sets_swap(b);
	assert_int_equal(kt_buffer_sets_want_spare(b, false, &err), -EBUSY);
	assert_true(kt_buffer_sets_wants_spare(b));
	assert_int_equal(count_records(b, kt_buffer_sets_inactive(b)), 3);
	kt_buffer_sets_consume(b);
	assert_int_equal(kt_buffer_sets_want_spare(b, false, &err), 0);
	assert_false(kt_buffer_sets_wants_spare(b));
	expect_spare(f, false);
	end_flight(f);
}

/* Or no longer wanted. */
static int want_one(void)
{
	struct kt_flight *f = lock_flight();
	struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	struct kt_error err;

	if (kt_buffer_sets_want_spare(b, !kt_buffer_sets_wants_spare(b), &err) < 0)
		fail_msg("%s", err.text);
	kt_flight_free(f);
	return 0;
}

/* A flight that wants spare buffers has them. */
static void killed_while_wanting(void **state)
{
	unsigned int us, counts[2] = {0};
	struct kt_flight *f;
	bool wants;
	pid_t pid;
	int i;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_with(false), 0);
	for (i = 1; i <= N_KILLS; i++) {
		us = time_work(want_one);
		if (i % 2)
			want_one();
		pid = begin_process(want_one);
		kill_within(pid, us * 5 / 4 * i / N_KILLS); /* the last of them after its end */
		end_process(pid);

		f = lock_flight();
		expect_spare(f, has_spare(f));
		wants = kt_buffer_sets_wants_spare(kt_flight_buffer_sets(f));
		assert_true(has_spare(f) || !wants);
		counts[wants]++;
		kt_flight_free(f);
	}
	print_message("# %u wanted one, %u did not\n", counts[1], counts[0]);
	assert_true(counts[0] && counts[1]);
	assert_int_equal(remove_flight(), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		IN_BOTH_CHANNELS(created_and_freed),     IN_BOTH_CHANNELS(read_meanwhile),
		IN_BOTH_CHANNELS(killed_while_swapping), IN_BOTH_CHANNELS(wanted_spare),
		IN_BOTH_CHANNELS(killed_while_wanting),
	};

	return cmocka_run_group_tests_name("spares", tests, enter_namespace, NULL);
}
