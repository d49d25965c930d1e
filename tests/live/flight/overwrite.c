// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Overwritten rings: the newest calls are left, each once, and the number of overwritten ones is
 * counted.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <cmocka.h>

#include "tests/live/overwritten.h"

#define N_CALLS 100000

/* Compares what was reported about a ring before reading with what is read. */
static void check_held(struct kt_held held, struct kt_ring *ring, size_t size)
{
	struct kt_packet oldest;
	struct kt_error err;

	assert_in_range(held.bytes, 1, size);
	kt_ring_flush(ring);
	/* Now up to a boundary, of the same sub-buffers. */
	assert_int_equal(kt_ring_held(ring).since, held.since);
	kt_ring_rewind(ring);
	assert_int_equal(kt_ring_next(ring, &oldest, &err), 1);
	if (kt_ring_overwritten(ring)) {
		assert_int_equal(held.since, oldest.begin);
		assert_in_range(held.bytes, size - 4096 + 1, size);
	} else {
		assert_int_equal(held.since, 0);
		assert_true(oldest.lost == 0);
	}
}

/* Returns how many of n calls remain in a ring of four sub-buffers. */
static uint64_t newest_of(uint64_t n)
{
	return n <= 4 * N_FIT ? n : 3 * N_FIT + (n - 1) % N_FIT + 1;
}

/* A caller per CPU, all at once: the newest calls of each are there without a gap. */
static void run_callers(int n_calls)
{
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), k;
	struct caller *callers = calloc(n, sizeof(*callers));
	struct session s = start_overwritten(4);
	int link = attach_recorder(&s);
	struct stream stream;
	struct kt_ring *ring;
	struct kt_counters t;

	start_callers(callers, cpus, n, APART, n_calls);
	join_callers(callers, n);
	close(link);
	for (k = 0; k < n; k++) {
		ring = kt_rings_at(s.rings, cpus[k]);
		check_held(kt_ring_held(ring), ring, 4 * 4096);
		stream = (struct stream){.last = {callers[k].first}};
		read_rest(&stream, ring, &callers[k], 1);
		t = kt_counter_map_read(s.counters, ENTER, cpus[k]);
		assert_int_equal(stream.last[0], callers[k].first + callers[k].n);
		assert_int_equal(stream.n, newest_of(callers[k].n));
		assert_int_equal(t.hits, callers[k].n);
		assert_int_equal(kt_counters_lost(t), 0);
		assert_int_equal(t.hits, stream.n + kt_ring_overwritten(ring));
	}
	stop_rings(&s);
	free(callers);
}

static void newest_remain(void **state)
{
	(void)state;
	skip_where_refused();
	run_callers(N_CALLS);
}

/* To the last byte of room, and one record more. */
static void just_full(void **state)
{
	(void)state;
	skip_where_refused();
	run_callers(4 * N_FIT);
	run_callers(4 * N_FIT + 1);
}

/* A flush that was killed between its two steps is finished by the next one. */
static void killed_flush(void **state)
{
	struct caller c = {.n = 2 * N_FIT + 3};
	struct stream stream = {0};
	struct kt_subbuf *subbuf;
	struct kt_control *control;
	size_t cpus[CPU_SETSIZE];
	struct kt_ring *ring;
	struct session s;
	int link, round;

	(void)state;
	skip_where_refused();
	our_cpus(cpus);
	c.cpu = cpus[0];
	s = start_overwritten(4);
	ring = kt_rings_at(s.rings, cpus[0]);
	control = (void *)map_ring(ring, 5 << 12);
	subbuf = (void *)((char *)control + (3 << 12));
	link = attach_recorder(&s);
	run_caller(&c);
	assert_int_equal(control->reserved, (2 << 12) + sizeof(*subbuf) + 3 * SIZE);
	control->reserved = 3 << 12;
	for (round = 0; round < 2; round++) {
		kt_rings_flush(s.rings);
		assert_int_equal(control->reserved, 3 << 12);
		assert_int_equal(subbuf->used, sizeof(*subbuf) + 3 * SIZE);
		assert_true(kt_is_committed(subbuf->committed, 1 << 12));
	}
	read_rest(&stream, ring, &c, 1);
	assert_int_equal(stream.n, 2 * N_FIT + 3);

	/* It is overwritten like any other. */
	c = (struct caller){.cpu = cpus[0], .first = 2 * N_FIT + 3, .n = 5 * N_FIT};
	run_caller(&c);
	close(link);
	assert_int_equal(kt_counter_map_read(s.counters, ENTER, cpus[0]).full, 0);
	stream = (struct stream){0};
	read_rest(&stream, ring, &c, 1);
	assert_int_equal(stream.n + kt_ring_overwritten(ring), 7 * N_FIT + 3);
	assert_int_equal(stream.last[0], 7 * N_FIT + 3);
	munmap(control, 5 << 12);
	stop_rings(&s);
}

/* All CPUs write to one ring: they overtake each other at every instruction. */
static void concurrent_writers(void **state)
{
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), k;
	struct caller *callers;
	struct stream stream = {0};
	struct kt_counters sum;
	struct kt_ring *ring;
	struct session s;
	uint64_t calls;
	int link;

	(void)state;
	skip_where_refused();
	callers = calloc(n, sizeof(*callers));
	s = start_overwritten(2);
	ring = kt_rings_at(s.rings, cpus[0]);
	share_ring(&s, cpus, n);
	link = attach_recorder(&s);
	calls = start_callers(callers, cpus, n, APART, 5 * N_CALLS);
	join_callers(callers, n);
	for (k = 0; k < n; k++)
		stream.last[k] = callers[k].first;
	close(link);
	read_rest(&stream, ring, callers, n);

	sum = kt_counter_map_sum(s.counters, ENTER);
	print_message("# %lu left, %lu overwritten, %lu overtook, %lu contended\n", stream.n,
		      kt_ring_overwritten(ring), sum.full, sum.contended);
	assert_int_equal(sum.hits, calls);
	assert_int_equal(stream.n + kt_ring_overwritten(ring) + kt_counters_lost(sum), sum.hits);
	assert_int_equal(kt_ring_lost(ring), kt_counters_lost(sum));
	stop_rings(&s);
	free(callers);
}

/*
 * If an interrupted writer is still within the sub-buffer to be overwritten next, nothing is
 * overwritten: records are lost until that writer is done.
 */
static void unfinished_record(void **state)
{
	struct caller callers[] = {
		{.n = 1}, {.first = 1, .n = 4 * N_FIT}, {.first = 1 + 4 * N_FIT, .n = 1}};
	struct stream stream = {.last = {0, callers[1].first, callers[2].first}};
	size_t cpus[CPU_SETSIZE], k;
	struct kt_subbuf *subbuf;
	struct session s;
	struct kt_ring *ring;
	char *memory;
	int link;

	(void)state;
	skip_where_refused();
	our_cpus(cpus);
	s = start_overwritten(2);
	ring = kt_rings_at(s.rings, cpus[0]);
	memory = map_ring(ring, 3 << 12);
	subbuf = (void *)(memory + 4096);
	link = attach_recorder(&s);
	for (k = 0; k < 3; k++) {
		callers[k].cpu = cpus[0];
		run_caller(&callers[k]);
		if (k == 0)
			subbuf->committed -= SIZE;
		if (k == 1)
			subbuf->committed += SIZE;
		assert_int_equal(kt_ring_overwritten(ring), k == 2 ? N_FIT : 0);
	}
	close(link);
	assert_int_equal(kt_counter_map_read(s.counters, ENTER, cpus[0]).full,
			 1 + 4 * N_FIT - 2 * N_FIT);
	read_rest(&stream, ring, callers, 3);
	assert_int_equal(stream.n, N_FIT + 1);
	assert_int_equal(stream.last[1], 2 * N_FIT);
	assert_int_equal(stream.last[2], callers[2].first + 1);
	munmap(memory, 3 << 12);
	stop_rings(&s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(newest_remain),      cmocka_unit_test(just_full),
		cmocka_unit_test(concurrent_writers), cmocka_unit_test(unfinished_record),
		cmocka_unit_test(killed_flush),
	};

	return cmocka_run_group_tests_name("overwrite", tests, read_ids, NULL);
}
