// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Peeking into a ring being written, for one trace after the other: each record once, each loss
 * once, and nothing of what was gone before. The calls are numbered.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <cmocka.h>

#include "base/error.h"
#include "tests/live/overwritten.h"
#include "trace/flight/ring_peek.h"

static struct kt_ring_peek *peek_from(const struct trial *t, struct kt_ring_position place)
{
	struct kt_error err;
	struct kt_ring_peek *p = kt_ring_peek_new(t->ring, &place, &err);

	if (!p)
		fail_msg("%s", err.text);
	return p;
}

static struct kt_ring_peek *peek_from_start(const struct trial *t)
{
	return peek_from(t, (struct kt_ring_position){0});
}

static int next_packet(struct kt_ring_peek *p, struct kt_packet *packet)
{
	struct kt_error err;

	return kt_ring_peek_next(p, packet, &err);
}

/* Reads a packet with that many records. */
static void read_packet(struct trial *t, struct kt_ring_peek *p, size_t n)
{
	struct kt_packet packet;

	assert_int_equal(next_packet(p, &packet), 1);
	assert_int_equal(packet.size, n * SIZE);
	check_packet(&t->stream, &packet, &t->caller, 1);
}

/* Reads everything there is. */
static void read_all(struct trial *t, struct kt_ring_peek *p)
{
	struct kt_packet packet;

	while (next_packet(p, &packet) > 0)
		check_packet(&t->stream, &packet, &t->caller, 1);
	assert_int_equal(t->stream.last[0], count_made(t));
}

/* Nothing more; returns the position. */
static struct kt_ring_position end_peek(struct kt_ring_peek *p)
{
	struct kt_ring_position place;
	struct kt_packet packet;

	assert_int_equal(next_packet(p, &packet), 0);
	assert_int_equal(next_packet(p, &packet), 0);
	place = kt_ring_peek_position(p);
	kt_ring_peek_free(p);
	return place;
}

/* Records overwritten before the start are no loss, in no trace, and nobody waits for them. */
static void overwritten_before(void **state)
{
	struct kt_ring_position place;
	struct kt_ring_peek *p;
	struct trial *t;
	int i;

	(void)state;
	t = begin_trial(4);
	make_numbered_calls(t, 7 * N_FIT + 1);
	t->stream.last[0] = 4 * N_FIT;
	p = peek_from_start(t);
	for (i = 0; i < 3; i++)
		read_packet(t, p, N_FIT);
	read_packet(t, p, 1);
	place = end_peek(p);
	assert_int_equal(kt_ring_position_passed(&place), 7 * N_FIT + 1);

	make_numbered_calls(t, 3);
	p = peek_from(t, place);
	read_packet(t, p, 3);
	place = end_peek(p);
	assert_int_equal(kt_ring_position_passed(&place), 7 * N_FIT + 4);
	end_trial(t);
}

/* They are a loss for a reader from another ring, reported once with what it had lost before. */
static void overwritten_since_another_ring(void **state)
{
	struct kt_ring_position place = {.continues = true, .owed = 1000};
	struct kt_packet packet;
	struct kt_ring_peek *p;
	struct trial *t;

	(void)state;
	t = begin_trial(4);
	place = end_peek(peek_from(t, place));
	assert_int_equal(place.owed, 1000);
	make_numbered_calls(t, 7 * N_FIT + 1);
	p = peek_from(t, place);
	assert_int_equal(kt_ring_peek_owed(p, 5, &packet), 1);
	assert_int_equal(kt_ring_peek_owed(p, 5, &packet), 1);
	assert_int_equal(kt_ring_peek_lost(p), 0);
	kt_ring_peek_forget_owed(p);
	assert_int_equal(kt_ring_peek_lost(p), 1000);
	assert_true(packet.size == 0 && packet.begin == 5 && packet.end == 5);
	assert_int_equal(packet.lost, 1000);
	assert_int_equal(kt_ring_peek_owed(p, 6, &packet), 0);
	assert_int_equal(next_packet(p, &packet), 1);
	assert_int_equal(packet.lost, 4 * N_FIT + 1000);
	assert_int_equal(next_packet(p, &packet), 1);
	assert_int_equal(packet.lost, 4 * N_FIT + 1000);
	place = kt_ring_peek_position(p);
	kt_ring_peek_free(p);
	assert_int_equal(place.owed, 0);
	assert_int_equal(kt_ring_position_passed(&place), 6 * N_FIT);
	t->stream.last[0] = 6 * N_FIT;
	p = peek_from(t, place);
	read_packet(t, p, N_FIT);
	read_packet(t, p, 1);
	end_peek(p);
	end_trial(t);
}

static void overwritten_while_reading(void **state)
{
	struct kt_ring_position place;
	struct kt_ring_peek *p;
	struct trial *t;
	int i;

	(void)state;
	t = begin_trial(4);
	make_numbered_calls(t, 5 * N_FIT);
	t->stream.last[0] = N_FIT;
	p = peek_from_start(t);
	read_packet(t, p, N_FIT);
	for (i = 1; i <= 3; i++) {
		make_numbered_calls(t, 9 * N_FIT);
		read_packet(t, p, N_FIT);
		assert_int_equal(t->stream.lost + t->stream.n + N_FIT, t->stream.last[0]);
		assert_true(t->stream.lost > 0);
	}
	for (i = 0; i < 3; i++)
		read_packet(t, p, N_FIT);
	place = end_peek(p);
	assert_int_equal(kt_ring_position_passed(&place), count_made(t));
	end_trial(t);
}

/* Records not kept come again, in another trace, too, with the loss before them. */
static void not_kept(void **state)
{
	struct kt_ring_position place;
	struct kt_packet packet;
	struct kt_ring_peek *p;
	struct trial *t;
	int i, n;

	(void)state;
	t = begin_trial(4);
	make_numbered_calls(t, 3 * N_FIT);
	p = peek_from_start(t);
	read_packet(t, p, N_FIT);
	make_numbered_calls(t, 12 * N_FIT);
	for (i = 0; i < 3; i++) {
		for (n = 0; n < 2; n++) {
			assert_int_equal(next_packet(p, &packet), 1);
			assert_int_equal(packet.lost, 10 * N_FIT);
			kt_ring_peek_keep(p, 0, 0);
		}
		place = kt_ring_peek_position(p);
		assert_int_equal(kt_ring_position_passed(&place), N_FIT);
		kt_ring_peek_free(p);
		p = peek_from(t, place);
	}
	assert_int_equal(next_packet(p, &packet), 1);
	packet.size = 2 * SIZE;
	kt_ring_peek_keep(p, packet.size, 2);
	check_packet(&t->stream, &packet, &t->caller, 1);
	place = kt_ring_peek_position(p);
	assert_int_equal(kt_ring_position_passed(&place), 11 * N_FIT + 2);
	read_packet(t, p, N_FIT - 2);
	make_numbered_calls(t, 20 * N_FIT);
	read_all(t, p);
	assert_int_equal(t->stream.n + t->stream.lost, count_made(t));
	end_peek(p);
	end_trial(t);
}

/* Of a cleared ring, the position read up to is known. */
static void cleared_while_reading(void **state)
{
	struct kt_ring_position place;
	struct kt_packet packet;
	struct kt_ring_peek *p;
	struct trial *t;
	int i;

	(void)state;
	t = begin_trial(4);
	make_numbered_calls(t, 3 * N_FIT);
	p = peek_from_start(t);
	read_packet(t, p, N_FIT);
	make_numbered_calls(t, 6 * N_FIT);
	read_packet(t, p, N_FIT);
	kt_ring_flush(t->ring);
	kt_ring_clear(t->ring);
	for (i = 0; i < 2; i++) {
		make_numbered_calls(t, N_FIT / 2);
		assert_int_equal(next_packet(p, &packet), -ESTALE);
		place = kt_ring_peek_position(p);
		assert_int_equal(kt_ring_position_passed(&place), 6 * N_FIT);
		kt_ring_peek_free(p);
		p = peek_from(t, place);
	}
	kt_ring_peek_free(p);
	end_trial(t);
}

/* The same with another ring, whatever it has. */
static void other_ring(void **state)
{
	struct kt_packet packet;
	struct kt_ring_position place;
	struct trial *t, *u;
	struct kt_ring_peek *p;

	(void)state;
	t = begin_trial(4);
	make_numbered_calls(t, 7 * N_FIT);
	p = peek_from_start(t);
	t->stream.last[0] = 3 * N_FIT;
	read_packet(t, p, N_FIT);
	place = kt_ring_peek_position(p);
	kt_ring_peek_free(p);
	u = begin_trial(4);
	p = peek_from(u, place);
	assert_int_equal(next_packet(p, &packet), -ESTALE);
	make_numbered_calls(u, 9 * N_FIT);
	assert_int_equal(next_packet(p, &packet), -ESTALE);
	place = kt_ring_peek_position(p);
	assert_int_equal(kt_ring_position_passed(&place), 4 * N_FIT);
	kt_ring_peek_free(p);
	end_trial(u);
	end_trial(t);
}

struct writer {
	struct kt_subbuf *subbuf;
	pthread_t thread;
};

static void *finish_record(void *arg)
{
	struct writer *w = arg;

	usleep(100000);
	__atomic_fetch_add(&w->subbuf->committed, SIZE, __ATOMIC_SEQ_CST);
	return NULL;
}

/* A record being written is waited for, for some time. */
static void unfinished_record(void **state)
{
	struct kt_packet packet;
	struct kt_ring_peek *p;
	struct writer w;
	struct trial *t;

	(void)state;
	t = begin_trial(4);
	w.subbuf = subbuf_at(t, 0);
	make_numbered_calls(t, 2);
	w.subbuf->committed -= SIZE;
	p = peek_from_start(t);
	assert_int_equal(next_packet(p, &packet), -EBUSY);
	assert_int_equal(pthread_create(&w.thread, NULL, finish_record, &w), 0);
	read_packet(t, p, 2);
	pthread_join(w.thread, NULL);
	end_peek(p);
	end_trial(t);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(overwritten_before),
		cmocka_unit_test(overwritten_since_another_ring),
		cmocka_unit_test(overwritten_while_reading),
		cmocka_unit_test(not_kept),
		cmocka_unit_test(cleared_while_reading),
		cmocka_unit_test(other_ring),
		cmocka_unit_test(unfinished_record),
	};

	return cmocka_run_group_tests_name("ring_peek", tests, read_ids, NULL);
}
