// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records through rings: each numbered call comes out once, or the counters say where and why it
 * was lost.
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

#include "tests/live/numbered_records.h"

#define N_CALLS 100000

static void assert_counts(const struct session *s, const struct caller *c,
			  const struct stream *stream)
{
	struct kt_counters t = kt_counter_map_read(s->counters, ENTER, c->cpu);

	assert_int_equal(t.hits, c->n);
	assert_int_equal(t.hits, stream->n + kt_counters_lost(t));
	assert_int_equal(t.full + t.contended, kt_ring_lost(kt_rings_at(s->rings, c->cpu)));
	assert_int_equal(t.no_ring, 0);
}

/* A caller per CPU, all at once, read meanwhile. Returns the number of lost records. */
static uint64_t run_callers(unsigned int shift, unsigned int n_subbufs)
{
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), k;
	struct caller *callers = calloc(n, sizeof(*callers));
	struct stream *streams = calloc(n, sizeof(*streams));
	struct session s = start_rings(shift, n_subbufs, N_EVENTS);
	int link = attach_recorder(&s);
	struct kt_ring *ring;
	uint64_t lost;

	start_callers(callers, cpus, n, APART, N_CALLS);
	for (k = 0; k < n; k++)
		streams[k].last[0] = callers[k].first;
	while (!are_done(callers, n))
		for (k = 0; k < n; k++)
			read_stream(&streams[k], kt_rings_at(s.rings, cpus[k]), &callers[k], 1);
	join_callers(callers, n);
	close(link);
	for (k = 0; k < n; k++) {
		ring = kt_rings_at(s.rings, cpus[k]);
		kt_ring_flush(ring);
		read_stream(&streams[k], ring, &callers[k], 1);
		kt_ring_flush(ring); /* of an empty sub-buffer */
		read_stream(&streams[k], ring, &callers[k], 1);
		assert_counts(&s, &callers[k], &streams[k]);
	}
	lost = kt_counters_lost(kt_counter_map_sum(s.counters, ENTER));
	stop_rings(&s);
	free(streams);
	free(callers);
	return lost;
}

static void room_for_all(void **state)
{
	(void)state;
	skip_where_refused();
	assert_int_equal(run_callers(16, 64), 0);
}

static void room_for_few(void **state)
{
	(void)state;
	skip_where_refused();
	print_message("# lost %lu\n", run_callers(12, 2));
}

/* Nobody reads until the end: the oldest records are there, the others are counted. */
static void no_reader(void **state)
{
	const size_t capacity = 4 * ((4096 - sizeof(struct kt_subbuf) - 8) / SIZE);
	struct session s;
	struct stream stream = {0};
	struct caller c = {.n = N_CALLS};
	size_t cpus[CPU_SETSIZE];
	struct kt_ring *ring;
	int link;

	(void)state;
	skip_where_refused();
	our_cpus(cpus);
	c.cpu = cpus[0];
	s = start_rings(12, 4, N_EVENTS);
	link = attach_recorder(&s);
	run_caller(&c);
	ring = kt_rings_at(s.rings, c.cpu);
	read_stream(&stream, ring, &c, 1);
	assert_int_equal(stream.n, capacity);
	assert_int_equal(stream.last[0], capacity);
	assert_int_equal(kt_counter_map_read(s.counters, ENTER, c.cpu).full, N_CALLS - capacity);

	/* Now there is room again, and the next packet says what is missing before it. */
	c = (struct caller){.cpu = c.cpu, .first = N_CALLS, .n = 1};
	run_caller(&c);
	close(link);
	kt_ring_flush(ring);
	read_stream(&stream, ring, &c, 1);
	assert_int_equal(stream.n, capacity + 1);
	assert_int_equal(stream.lost, N_CALLS - capacity);
	stop_rings(&s);
}

/*
 * All CPUs write to one ring: they interrupt each other at every instruction, as interrupts do, but
 * often.
 */
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
	s = start_rings(12, 8, N_EVENTS);
	ring = kt_rings_at(s.rings, cpus[0]);
	share_ring(&s, cpus, n);
	link = attach_recorder(&s);
	calls = start_callers(callers, cpus, n, APART, N_CALLS);
	for (k = 0; k < n; k++)
		stream.last[k] = callers[k].first;
	while (!are_done(callers, n)) {
		kt_ring_flush(ring);
		read_stream(&stream, ring, callers, n);
	}
	join_callers(callers, n);
	close(link);
	kt_ring_flush(ring);
	read_stream(&stream, ring, callers, n);

	sum = kt_counter_map_sum(s.counters, ENTER);
	print_message("# %lu recorded, %lu full, %lu contended\n", stream.n, sum.full,
		      sum.contended);
	assert_int_equal(sum.hits, calls);
	assert_int_equal(stream.n + sum.full + sum.contended, calls);
	assert_int_equal(kt_ring_lost(ring), sum.full + sum.contended);
	stop_rings(&s);
	free(callers);
}

static void no_ring(void **state)
{
	struct caller c = {.n = 10};
	size_t cpus[CPU_SETSIZE];
	struct kt_counters t;
	struct session s;
	uint32_t key;
	int link;

	(void)state;
	skip_where_refused();
	our_cpus(cpus);
	c.cpu = key = cpus[0];
	s = start_rings(12, 2, N_EVENTS);
	assert_int_equal(bpf_map_delete_elem(kt_rings_fd(s.rings, KT_MAIN), &key), 0);
	link = attach_recorder(&s);
	run_caller(&c);
	close(link);
	t = kt_counter_map_read(s.counters, ENTER, c.cpu);
	assert_int_equal(t.hits, 10);
	assert_int_equal(t.no_ring, 10);
	stop_rings(&s);
}

/* A caller whose 'reserved' another thread moves, until that costs a record. */
struct disturbed {
	struct caller caller;
	struct kt_control *control;
	volatile uint64_t turns; /* how often it was moved */
	volatile bool begun;
};

static void *call_until_lost(void *arg)
{
	struct disturbed *d = arg;
	uint64_t before;
	int i;

	pin(d->caller.cpu);
	d->begun = true;
	for (i = 0; i < d->caller.n && !__atomic_load_n(&d->control->lost, __ATOMIC_RELAXED); i++) {
		if (i % 64 == 0)
			for (before = d->turns; d->turns - before < 64;)
				sched_yield();
		call(i);
	}
	d->caller.n = i;
	d->caller.done = true;
	return NULL;
}

static void disturbed(void **state)
{
	struct caller opener = {.n = 1};
	struct disturbed d = {0};
	struct kt_subbuf *subbuf;
	struct kt_counters t;
	struct session s;
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus);
	uint64_t position;
	cpu_set_t before;
	int link;

	(void)state;
	skip_where_refused();
	sched_getaffinity(0, sizeof(before), &before);
	opener.cpu = cpus[0];
	s = start_rings(16, 2, N_EVENTS); /* 64 calls between two moves do not fill a sub-buffer */
	d.control = map_ring(kt_rings_at(s.rings, cpus[0]), 3 << 16);
	subbuf = (void *)((char *)d.control + (1 << 16));
	link = attach_recorder(&s);
	run_caller(&opener);
	position = d.control->reserved;

	/* With one CPU nothing can come between, and nothing is lost. */
	d.caller = (struct caller){.cpu = cpus[0], .n = n > 1 ? 100 * N_CALLS : 1000};
	/*
	 * On two CPUs, both get real-time priority if allowed: on a busy machine they rarely meet.
	 */
	if (n > 1) {
		pin(cpus[1]);
		sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
	}
	assert_int_equal(pthread_create(&d.caller.thread, NULL, call_until_lost, &d), 0);
	while (!d.begun)
		sched_yield();
	for (; !d.caller.done; d.turns++)
		__atomic_store_n(&d.control->reserved, position + 8 * (d.turns % 64),
				 __ATOMIC_RELAXED);
	pthread_join(d.caller.thread, NULL);
	close(link);
	sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0});
	sched_setaffinity(0, sizeof(before), &before);

	t = kt_counter_map_read(s.counters, ENTER, cpus[0]);
	assert_int_equal(t.hits, 1 + d.caller.n);
	assert_int_equal(t.hits - t.contended, (subbuf->committed - sizeof(*subbuf)) / SIZE);
	assert_int_equal(t.contended, d.control->lost);
	assert_in_range(t.contended, 0, n > 1);
	munmap(d.control, 3 << 16);
	stop_rings(&s);
	if (n > 1 && !t.contended) {
		print_message("# in %d calls nobody came in between\n", d.caller.n);
		skip();
	}
}

/* Times have 48 bits: a sub-buffer old enough to be ambiguous is closed. */
static void old_subbuf(void **state)
{
	struct caller c = {.n = 1};
	struct kt_subbuf *subbuf;
	struct kt_error err;
	struct kt_packet p;
	struct kt_ring *ring;
	struct session s;
	size_t cpus[CPU_SETSIZE];
	char *memory;
	int link;

	(void)state;
	skip_where_refused();
	our_cpus(cpus);
	c.cpu = cpus[0];
	s = start_rings(12, 2, N_EVENTS);
	link = attach_recorder(&s);
	ring = kt_rings_at(s.rings, c.cpu);
	memory = map_ring(ring, 3 << 12);
	subbuf = (void *)(memory + 4096);

	run_caller(&c);
	assert_int_equal(kt_ring_next(ring, &p, &err), 0);
	subbuf->begin -= 1ull << 47; /* it cannot be that old; pretend */
	run_caller(&c);
	close(link);
	assert_int_equal(kt_ring_next(ring, &p, &err), 1);
	assert_int_equal(p.size, SIZE);
	kt_ring_release(ring);
	kt_ring_flush(ring);
	assert_int_equal(kt_ring_next(ring, &p, &err), 1);
	assert_int_equal(p.size, SIZE);

	subbuf = (void *)(memory + 2 * 4096);
	subbuf->used = 4097;
	assert_int_equal(kt_ring_next(ring, &p, &err), -EBADMSG);
	subbuf->used = 63;
	assert_int_equal(kt_ring_next(ring, &p, &err), -EBADMSG);
	munmap(memory, 3 << 12);
	stop_rings(&s);
}

static void invalid_rings(void **state)
{
	static const struct kt_geometry bad[] = {{11, 2}, {23, 2}, {12, 0},
						 {12, 1}, {12, 3}, {22, 512}};
	struct kt_error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_null(kt_ring_new(bad[i], &err));
		assert_int_equal(err.code, EINVAL);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(room_for_all), cmocka_unit_test(room_for_few),
		cmocka_unit_test(no_reader),    cmocka_unit_test(concurrent_writers),
		cmocka_unit_test(no_ring),      cmocka_unit_test(disturbed),
		cmocka_unit_test(old_subbuf),   cmocka_unit_test(invalid_rings),
	};

	return cmocka_run_group_tests_name("ring", tests, read_ids, NULL);
}
