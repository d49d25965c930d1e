// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rings read while being overwritten: whatever is read is complete, and read once; overwritten
 * records are counted exactly; and the rings are not changed. The calls are numbered.
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

#define N_CALLS 500000

/* Reads what is there; returns the number of packets. */
static int read_new(struct kt_cursor *cursor, struct stream *stream, const struct caller *callers,
		    size_t n_callers)
{
	struct kt_packet p;
	struct kt_error err;
	int ret, n = 0;

	for (; (ret = kt_cursor_next(cursor, &p, &err)) > 0; n++)
		check_packet(stream, &p, callers, n_callers);
	assert_true(ret == 0 || ret == -EAGAIN);
	return n;
}

static int read_all(struct trial *t)
{
	return read_new(t->cursor, &t->stream, &t->caller, 1);
}

/* A writer is in what would be read next. */
static void check_busy(struct kt_cursor *cursor)
{
	struct kt_packet p;
	struct kt_error err;

	assert_int_equal(kt_cursor_next(cursor, &p, &err), -EAGAIN);
}

/* Each call is readable as soon as it is made, and no packet is longer than necessary. */
static void up_to_the_newest(void **state)
{
	struct trial *t;
	int i;

	(void)state;
	t = begin_trial(4);
	assert_int_equal(read_all(t), 0);
	for (i = 1; i <= 2 * N_FIT + 3; i++) {
		make_numbered_calls(t, 1);
		assert_int_equal(read_all(t), 1);
		assert_int_equal(t->stream.n, i);
		assert_int_equal(read_all(t), 0);
	}
	make_numbered_calls(t, N_FIT);
	assert_int_equal(read_all(t), 2);
	assert_int_equal(t->stream.n, 3 * N_FIT + 3);
	assert_int_equal(kt_cursor_mark(t->cursor).missed, 0);

	/* A new cursor begins with the oldest record. */
	kt_cursor_free(t->cursor);
	t->cursor = open_cursor(t->ring);
	t->stream = (struct stream){0};
	assert_int_equal(read_all(t), 4);
	assert_int_equal(t->stream.n, 3 * N_FIT + 3);
	end_trial(t);
}

/* A sub-buffer closed where it was read to has no more records. */
static void closed_meanwhile(void **state)
{
	struct trial *t;
	int i;

	(void)state;
	t = begin_trial(4);
	for (i = 0; i < 10; i++) {
		make_numbered_calls(t, 3);
		if (i % 2)
			assert_int_equal(read_all(t), 1);
		kt_ring_flush(t->ring);
		assert_int_equal(read_all(t), i % 2 ? 0 : 1);
	}
	assert_int_equal(t->stream.n, 30);
	end_trial(t);
}

/* As many as wanted are read, the others again later; another cursor continues there. */
static void in_parts(void **state)
{
	struct kt_packet p;
	struct kt_error err;
	struct kt_mark mark;
	struct trial *t;
	size_t n, i;

	(void)state;
	t = begin_trial(4);
	for (i = 1; i < 3 * N_FIT; i++) {
		make_numbered_calls(t, i % 7);
		if (kt_cursor_next(t->cursor, &p, &err) <= 0)
			continue;
		n = p.size / SIZE;
		if (i % 3 < n) {
			n = i % 3;
			p.size = n * SIZE;
			kt_cursor_step_back(t->cursor, p.size, n);
		}
		if (p.size)
			check_packet(&t->stream, &p, &t->caller, 1);
		mark = kt_cursor_mark(t->cursor);
		kt_cursor_free(t->cursor);
		t->cursor = kt_cursor_new(t->ring, &mark, &err);
		assert_non_null(t->cursor);
	}
	read_all(t);
	assert_int_equal(t->stream.last[0], count_made(t));
	assert_true(t->stream.lost > 0);
	assert_int_equal(t->stream.n + kt_cursor_mark(t->cursor).missed, count_made(t));
	assert_int_equal(t->stream.lost, kt_cursor_mark(t->cursor).missed);
	assert_int_equal(kt_cursor_mark(t->cursor).before, count_made(t));
	end_trial(t);
}

/* The cursor finds its position again, within a sub-buffer too, and counts what is gone. */
static void overwritten_meanwhile(void **state)
{
	struct trial *t;
	int n;

	(void)state;
	t = begin_trial(4);
	for (n = 1; n < 12 * N_FIT; n += N_FIT / 3) {
		make_numbered_calls(t, n);
		assert_true(read_all(t) > 0);
		assert_int_equal(t->stream.last[0], count_made(t));
		assert_int_equal(t->stream.n + kt_cursor_mark(t->cursor).missed, count_made(t));
	}
	assert_int_equal(kt_cursor_mark(t->cursor).missed, t->stream.lost);
	assert_true(kt_cursor_mark(t->cursor).missed > kt_ring_overwritten(t->ring) / 4);
	end_trial(t);
}

static void check_cleared(struct kt_cursor *cursor)
{
	struct kt_packet p;
	struct kt_error err;

	assert_int_equal(kt_cursor_next(cursor, &p, &err), -ESTALE);
}

/* Cleared records are gone, and a cursor opened afterwards knows nothing of them. */
static void cleared_meanwhile(void **state)
{
	struct trial *t;
	int i, n = 0;

	(void)state;
	t = begin_trial(4);
	for (i = 0; i < 12; i++) {
		make_numbered_calls(t, (i + 1) * N_FIT / 2);
		if (i % 3 != 2) {
			read_all(t);
			assert_int_equal(t->stream.n + kt_cursor_mark(t->cursor).missed,
					 count_made(t) - n);
		}
		if (i % 2) {
			kt_ring_flush(t->ring);
			kt_ring_clear(t->ring);
			check_cleared(t->cursor);
			make_numbered_calls(t, i);
			check_cleared(t->cursor);
			kt_ring_clear(t->ring);
			kt_cursor_free(t->cursor);
			t->cursor = open_cursor(t->ring);
			assert_int_equal(read_all(t), 0);
			n = count_made(t);
			t->stream = (struct stream){.last = {n}};
		}
	}
	end_trial(t);
}

/* While a record is being written, neither its sub-buffer nor later ones are read. */
static void unfinished_record(void **state)
{
	struct kt_subbuf *subbuf;
	struct trial *t;

	(void)state;
	t = begin_trial(4);
	subbuf = subbuf_at(t, 0);
	make_numbered_calls(t, 2);
	assert_int_equal(read_all(t), 1);
	subbuf->committed -= SIZE;
	make_numbered_calls(t, 1);
	check_busy(t->cursor);
	make_numbered_calls(t, 2 * N_FIT);
	check_busy(t->cursor);
	subbuf->committed += SIZE;
	assert_int_equal(read_all(t), 3);
	assert_int_equal(t->stream.n, 2 * N_FIT + 3);
	end_trial(t);
}

/*
 * A writer that has opened a sub-buffer, and was interrupted before counting what it overwrote, has
 * not committed the header either. Until then nobody finds the oldest record, whose number would be
 * wrong.
 */
static void uncounted_overwrite(void **state)
{
	struct kt_subbuf *subbuf;
	struct trial *t;

	(void)state;
	t = begin_trial(4);
	subbuf = subbuf_at(t, 1);
	make_numbered_calls(t, 7 * N_FIT + 1);
	assert_int_equal(t->control->overwritten, 4 * N_FIT);
	t->control->overwritten -= N_FIT;
	subbuf->committed -= sizeof(*subbuf);
	check_busy(t->cursor);
	subbuf->committed += sizeof(*subbuf);
	t->control->overwritten += N_FIT;
	assert_int_equal(read_all(t), 4);
	assert_int_equal(kt_cursor_mark(t->cursor).missed, 4 * N_FIT);
	end_trial(t);
}

/* A ring marked as cleared, before it is known how much had been overwritten. */
static void half_cleared(void **state)
{
	struct trial *t;

	(void)state;
	t = begin_trial(4);
	make_numbered_calls(t, 7 * N_FIT + 1);
	kt_ring_flush(t->ring);
	t->control->consumed = t->control->reserved;
	check_cleared(t->cursor);
	kt_cursor_free(t->cursor);
	t->cursor = open_cursor(t->ring);
	assert_int_equal(read_all(t), 0);
	kt_ring_clear(t->ring);
	t->stream.last[0] = count_made(t);
	make_numbered_calls(t, 1);
	assert_int_equal(read_all(t), 1);
	make_numbered_calls(t, 5 * N_FIT);
	assert_int_equal(read_all(t), 4);
	assert_int_equal(t->stream.n, 1 + 3 * N_FIT + 1);
	assert_int_equal(kt_cursor_mark(t->cursor).missed, 2 * N_FIT - 1);
	end_trial(t);
}

/* Whatever bytes are in the ring, nothing outside it is read. */
static void foreign_bytes(void **state)
{
	struct kt_subbuf *subbuf;
	struct kt_packet p;
	struct kt_error err;
	struct trial *t;
	size_t i;

	(void)state;
	t = begin_trial(4);
	subbuf = subbuf_at(t, 0);
	make_numbered_calls(t, N_FIT + 1);
	for (i = 0; i < 3; i++) {
		subbuf->used = (uint64_t[]){UINT64_MAX, 8, 4096 + 8}[i];
		assert_int_equal(kt_cursor_next(t->cursor, &p, &err), -EBADMSG);
	}
	end_trial(t);
}

/* A caller per CPU, and cursors that keep up or do not. */
static void run_callers(unsigned int n_subbufs)
{
	struct trial *t = begin_trial(n_subbufs);
	struct caller *callers = calloc(t->n, sizeof(*callers));
	struct stream *streams = calloc(t->n, sizeof(*streams)), rest;
	struct kt_cursor **cursors = calloc(t->n, sizeof(*cursors));
	uint64_t missed = 0, read = 0;
	struct kt_ring *ring;
	size_t k;

	for (k = 0; k < t->n; k++)
		cursors[k] = open_cursor(kt_rings_at(t->s.rings, t->cpus[k]));
	start_callers(callers, t->cpus, t->n, APART, N_CALLS);
	for (k = 0; k < t->n; k++)
		streams[k].last[0] = callers[k].first;
	while (!are_done(callers, t->n))
		for (k = 0; k < t->n; k++)
			read_new(cursors[k], &streams[k], &callers[k], 1);
	join_callers(callers, t->n);
	for (k = 0; k < t->n; k++) {
		ring = kt_rings_at(t->s.rings, t->cpus[k]);
		read_new(cursors[k], &streams[k], &callers[k], 1);
		assert_int_equal(streams[k].last[0], callers[k].first + callers[k].n);
		assert_int_equal(streams[k].n + kt_cursor_mark(cursors[k]).missed, callers[k].n);
		assert_int_equal(kt_counter_map_read(t->s.counters, ENTER, t->cpus[k]).hits,
				 callers[k].n);
		missed += kt_cursor_mark(cursors[k]).missed;
		read += streams[k].n;
		kt_cursor_free(cursors[k]);
		/* Nothing was consumed. */
		rest = (struct stream){.last = {callers[k].first}};
		read_rest(&rest, ring, &callers[k], 1);
		assert_int_equal(rest.n + kt_ring_overwritten(ring), callers[k].n);
	}
	print_message("# %lu read, %lu overwritten before\n", read, missed);
	free(cursors);
	free(streams);
	free(callers);
	end_trial(t);
}

static void in_a_small_ring(void **state)
{
	(void)state;
	skip_where_refused();
	run_callers(2);
}

static void in_a_larger_ring(void **state)
{
	(void)state;
	skip_where_refused();
	run_callers(1024);
}

/* All CPUs write to one ring: they overtake each other, and the cursor, at every instruction. */
static void concurrent_writers(void **state)
{
	struct caller *callers;
	struct kt_counters sum;
	struct trial *t;
	uint64_t calls;
	size_t k;

	(void)state;
	t = begin_trial(8);
	callers = calloc(t->n, sizeof(*callers));
	share_ring(&t->s, t->cpus, t->n);
	calls = start_callers(callers, t->cpus, t->n, APART, N_CALLS);
	for (k = 0; k < t->n; k++)
		t->stream.last[k] = callers[k].first;
	while (!are_done(callers, t->n))
		read_new(t->cursor, &t->stream, callers, t->n);
	join_callers(callers, t->n);
	read_new(t->cursor, &t->stream, callers, t->n);
	sum = kt_counter_map_sum(t->s.counters, ENTER);
	print_message("# %lu read, %lu overwritten before, %lu lost\n", t->stream.n,
		      kt_cursor_mark(t->cursor).missed, kt_counters_lost(sum));
	assert_int_equal(sum.hits, calls);
	assert_int_equal(t->stream.n + kt_cursor_mark(t->cursor).missed + kt_counters_lost(sum),
			 sum.hits);
	free(callers);
	end_trial(t);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(up_to_the_newest),  cmocka_unit_test(closed_meanwhile),
		cmocka_unit_test(in_parts),          cmocka_unit_test(overwritten_meanwhile),
		cmocka_unit_test(cleared_meanwhile), cmocka_unit_test(unfinished_record),
		cmocka_unit_test(foreign_bytes),     cmocka_unit_test(uncounted_overwrite),
		cmocka_unit_test(half_cleared),      cmocka_unit_test(in_a_small_ring),
		cmocka_unit_test(in_a_larger_ring),  cmocka_unit_test(concurrent_writers),
	};

	return cmocka_run_group_tests_name("cursor", tests, read_ids, NULL);
}
