// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs sent from one buffer set to the other and back while calls are made. The contents of
 * inactive sets together must have every call once, except for overwritten ones, which are counted.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "hook/ask/rcu_wait.h"
#include "session/enable_word.h"
#include "tests/live/numbered_records.h"

enum { N_CALLS = 500000 };

struct sets {
	struct session session;
	struct kt_rings *rings[KT_BUFFER_SETS];
	struct kt_enable_word *enable;
	size_t active;
	int link;

	size_t n; /* callers, each on a CPU of its own */
	struct caller *callers;
	struct stream *streams; /* what was read of each */
	uint64_t overwritten, state;
};

static void start_sets(struct sets *b, unsigned int n_subbufs)
{
	size_t cpus[CPU_SETSIZE], k;
	struct kt_error err;

	*b = (struct sets){.session = start_rings(12, n_subbufs, N_EVENTS), .n = our_cpus(cpus)};
	b->rings[0] = b->session.rings;
	b->rings[1] = kt_rings_new_spare(b->rings[0], &err);
	b->enable = kt_enable_word_new(1, &err);
	if (!b->rings[1] || !b->enable || kt_rings_place(b->rings[1], NULL, &err) < 0)
		fail_msg("%s", err.text);
	b->session.overwrite = true;
	b->session.enable = kt_enable_word_fd(b->enable);
	b->link = attach_recorder(&b->session);
	b->callers = calloc(b->n, sizeof(*b->callers));
	b->streams = calloc(b->n, sizeof(*b->streams));
	for (k = 0; k < b->n; k++) {
		b->callers[k] = (struct caller){.cpu = cpus[k], .first = k << 24, .n = N_CALLS};
		b->streams[k].last[0] = b->callers[k].first;
	}
}

static void stop_sets(struct sets *b)
{
	close(b->link);
	kt_rings_free(b->rings[1]);
	kt_enable_word_free(b->enable);
	stop_rings(&b->session);
	free(b->streams);
	free(b->callers);
}

/* As processes that only read do. */
static bool looks_only;

static void settle_sets(struct sets *b)
{
	struct kt_error err;

	if (!looks_only)
		kt_rings_settle(b->rings[0]);
	else if (kt_rcu_wait(&err) < 0)
		fail_msg("%s", err.text);
}

static void swap_sets(struct sets *b)
{
	b->active = !b->active;
	kt_enable_word_swap(b->enable, kt_rings_row(b->rings[b->active]), kt_clock_now());
	settle_sets(b);
	b->state++;
}

/* Reads a CPU's ring of the inactive set. Reading changes nothing and can be repeated. */
static void read_ring(struct sets *b, size_t k)
{
	size_t set = !b->active, cpu = b->callers[k].cpu;
	struct kt_ring *ring = kt_rings_at(b->rings[set], cpu);
	struct kt_counters t = kt_counter_map_read_set(b->session.counters, set, ENTER, cpu);
	struct stream before = b->streams[k];

	b->streams[k].lost = 0;
	read_rest(&b->streams[k], ring, &b->callers[k], 1);
	assert_int_equal(t.hits, b->streams[k].n - before.n + kt_ring_overwritten(ring));
	assert_int_equal(kt_counters_lost(t), 0);
	b->overwritten += kt_ring_overwritten(ring);

	before.lost = 0;
	read_rest(&before, ring, &b->callers[k], 1);
	assert_memory_equal(&before, &b->streams[k], sizeof(before));
}

/* Clears the inactive set, as often as called. */
static void clear_sets(struct sets *b)
{
	size_t set = !b->active, k, i;
	struct kt_ring *ring;
	struct kt_counters t;

	for (i = 0; i < 2; i++) {
		kt_rings_clear(b->rings[set]);
		kt_counter_map_clear_set(b->session.counters, set);
	}
	for (k = 0; k < b->n; k++) {
		ring = kt_rings_at(b->rings[set], b->callers[k].cpu);
		t = kt_counter_map_read_set(b->session.counters, set, ENTER, b->callers[k].cpu);
		assert_int_equal(kt_ring_held(ring).bytes, 0);
		assert_int_equal(kt_ring_held(ring).since, 0);
		assert_int_equal(kt_ring_overwritten(ring) + t.hits, 0);
	}
}

static void read_and_clear(struct sets *b)
{
	size_t k;

	swap_sets(b);
	for (k = 0; k < b->n; k++)
		read_ring(b, k);
	clear_sets(b);
}

static void run_callers(unsigned int n_subbufs, bool overruns)
{
	struct sets b;
	struct kt_counters t;
	size_t k;

	start_sets(&b, n_subbufs);
	/* Disabled, neither set is recorded into. */
	for (k = 0; k < 10; k++)
		call(1);
	swap_sets(&b);
	kt_enable_word_shut(b.enable);
	call(1);
	assert_int_equal(kt_enable_word_row(b.enable), kt_rings_row(b.rings[1]));
	assert_int_equal(kt_counter_map_sum(b.session.counters, ENTER).hits, 0);
	kt_enable_word_open(b.enable);
	for (k = 0; k < b.n; k++)
		start_caller(&b.callers[k]);
	while (!are_done(b.callers, b.n))
		read_and_clear(&b);
	join_callers(b.callers, b.n);
	read_and_clear(&b);

	print_message("# %lu turns, %lu overwritten\n", b.state, b.overwritten);
	assert_true(b.state > 2);
	assert_true(overruns == (b.overwritten > 0));
	for (k = 0; k < b.n; k++) {
		t = kt_counter_map_read(b.session.counters, ENTER, b.callers[k].cpu);
		assert_int_equal(t.hits, N_CALLS);
		assert_int_equal(b.streams[k].last[0], b.callers[k].first + N_CALLS);
	}
	stop_sets(&b);
}

/* Rings with room for all calls. */
static void each_once(void **state)
{
	(void)state;
	skip_where_refused();
	run_callers(4096, false);
}

static void newest_of_each(void **state)
{
	(void)state;
	skip_where_refused();
	run_callers(4, true);
}

static int read_only(void **state)
{
	(void)state;
	looks_only = true;
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_once),
		cmocka_unit_test(newest_of_each),
		cmocka_unit_test_setup(each_once, read_only),
		cmocka_unit_test_setup(newest_of_each, read_only),
	};

	return cmocka_run_group_tests_name("buffer_sets", tests, read_ids, NULL);
}
