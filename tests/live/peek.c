// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a ring holds that is written, for a trace: all by some time, what is lost between, and
 * nothing of what had gone before. The witness: the calls have numbers.
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

#include "base/clock.h"
#include "base/error.h"
#include "tests/live/overwritten.h"
#include "trace/peek.h"

static struct kt_peek *peek_at(const struct trial *t, uint64_t until)
{
	struct kt_error err;
	struct kt_peek *p = kt_peek_new(t->ring, &err);

	if (!p)
		fail_msg("%s", err.text);
	kt_peek_go_on(p, until);
	return p;
}

static int next(struct kt_peek *p, struct kt_packet *packet)
{
	struct kt_error err;

	return kt_peek_next(p, packet, &err);
}

/* A packet with so many records. */
static void read_packet(struct trial *t, struct kt_peek *p, const struct caller *c, size_t n)
{
	struct kt_packet packet;

	assert_int_equal(next(p, &packet), 1);
	assert_int_equal(packet.size, n * SIZE);
	check_packet(&t->stream, &packet, c, 1);
}

/* No more. */
static void check_end(struct kt_peek *p)
{
	struct kt_packet packet;

	assert_int_equal(next(p, &packet), 0);
	assert_int_equal(next(p, &packet), 0);
	kt_peek_free(p);
}

static void all_that_is_there(void **state)
{
	struct caller c = {0};
	struct kt_peek *p;
	struct trial *t;

	(void)state;
	skip_where_refused();
	t = begin(4);
	check_end(peek_at(t, kt_clock_now()));
	make(t, &c, N_FIT + 3);
	p = peek_at(t, kt_clock_now());
	read_packet(t, p, &c, N_FIT);
	/* What lies in the same packet is there, whenever it comes. */
	make(t, &c, 2);
	read_packet(t, p, &c, 5);
	check_end(p);
	end(t);
}

/* It begins later: this is no loss. */
static void overwritten_before(void **state)
{
	struct caller c = {0};
	struct kt_peek *p;
	struct trial *t;
	int i;

	(void)state;
	skip_where_refused();
	t = begin(4);
	make(t, &c, 7 * N_FIT + 1);
	t->stream.last[0] = 4 * N_FIT;
	p = peek_at(t, kt_clock_now());
	for (i = 0; i < 3; i++)
		read_packet(t, p, &c, N_FIT);
	read_packet(t, p, &c, 1);
	check_end(p);
	end(t);
}

/* Of what is later there is only the count of what is gone before it. */
static void later_than_asked_for(void **state)
{
	struct caller c = {0};
	struct kt_packet packet;
	struct kt_peek *p;
	struct trial *t;
	uint64_t until;

	(void)state;
	skip_where_refused();
	t = begin(4);
	make(t, &c, 3 * N_FIT);
	until = kt_clock_now();
	p = peek_at(t, until);
	read_packet(t, p, &c, N_FIT);
	make(t, &c, 12 * N_FIT);
	assert_int_equal(next(p, &packet), 1);
	assert_int_equal(packet.size, 0);
	assert_true(packet.begin == until && packet.end == until);
	/* Four sub-buffers are left of fifteen, and one was read. */
	assert_int_equal(packet.lost, 10 * N_FIT);
	check_end(p);

	check_end(peek_at(t, until));
	end(t);
}

/* What was later comes when its time has come, and what is lost before it is told once. */
static void going_on(void **state)
{
	struct caller c = {0};
	struct kt_packet packet;
	uint64_t until, lost;
	struct kt_peek *p;
	struct trial *t;

	(void)state;
	skip_where_refused();
	t = begin(4);
	make(t, &c, N_FIT);
	until = kt_clock_now();
	make(t, &c, 2 * N_FIT + 2);
	p = peek_at(t, until);
	read_packet(t, p, &c, N_FIT);
	assert_int_equal(next(p, &packet), 0);
	kt_peek_go_on(p, until);
	assert_int_equal(next(p, &packet), 0);
	until = kt_clock_now();
	make(t, &c, 12 * N_FIT);
	kt_peek_go_on(p, until);
	read_packet(t, p, &c, N_FIT);
	assert_int_equal(next(p, &packet), 1);
	assert_int_equal(packet.size, 0);
	assert_true(packet.begin == until && packet.lost > 0);
	assert_int_equal(next(p, &packet), 0);
	kt_peek_go_on(p, kt_clock_now());
	for (lost = packet.lost; next(p, &packet) > 0; lost = packet.lost) {
		assert_int_equal(packet.lost, lost);
		check_packet(&t->stream, &packet, &c, 1);
	}
	assert_int_equal(t->stream.last[0], 15 * N_FIT + 2);
	assert_int_equal(t->stream.n + t->stream.lost, 15 * N_FIT + 2);
	check_end(p);
	end(t);
}

static void overwritten_meanwhile(void **state)
{
	struct caller c = {0};
	struct kt_peek *p;
	struct trial *t;
	int i;

	(void)state;
	skip_where_refused();
	t = begin(4);
	make(t, &c, 5 * N_FIT);
	t->stream.last[0] = N_FIT;
	p = peek_at(t, UINT64_MAX);
	read_packet(t, p, &c, N_FIT);
	for (i = 1; i <= 3; i++) {
		make(t, &c, 9 * N_FIT);
		read_packet(t, p, &c, N_FIT);
		assert_int_equal(t->stream.lost + t->stream.n + N_FIT, t->stream.last[0]);
		assert_true(t->stream.lost > 0);
	}
	for (i = 0; i < 3; i++)
		read_packet(t, p, &c, N_FIT);
	check_end(p);
	end(t);
}

/* What is lost behind a packet that ends later is told later, and once. */
static void lost_later(void **state)
{
	struct caller c = {0};
	struct kt_packet packet;
	struct kt_peek *p;
	struct trial *t;
	uint64_t lost;
	int i;

	(void)state;
	skip_where_refused();
	t = begin(4);
	make(t, &c, 7 * N_FIT + 1);
	t->stream.last[0] = 4 * N_FIT;
	p = peek_at(t, kt_clock_now());
	make(t, &c, N_FIT);
	t->stream.last[0] = 5 * N_FIT;
	for (i = 0; i < 3; i++)
		read_packet(t, p, &c, N_FIT);
	make(t, &c, 12 * N_FIT);
	assert_int_equal(next(p, &packet), 0);
	kt_peek_go_on(p, kt_clock_now());
	for (lost = 0, i = 0; next(p, &packet) > 0; i++) {
		assert_true(i == 0 || packet.lost == lost);
		lost = packet.lost;
		check_packet(&t->stream, &packet, &c, 1);
	}
	assert_int_equal(t->stream.n + lost, 15 * N_FIT + 1);
	check_end(p);
	end(t);
}

/* What is cleared is not lost, and nothing that was lost before is so again. */
static void cleared_meanwhile(void **state)
{
	struct caller c = {0};
	struct kt_packet packet;
	struct kt_peek *p;
	struct trial *t;

	(void)state;
	skip_where_refused();
	t = begin(4);
	make(t, &c, 3 * N_FIT);
	p = peek_at(t, UINT64_MAX);
	read_packet(t, p, &c, N_FIT);
	make(t, &c, 6 * N_FIT);
	read_packet(t, p, &c, N_FIT);
	assert_int_equal(t->stream.lost, 4 * N_FIT);
	kt_ring_flush(t->ring);
	kt_ring_clear(t->ring);
	make(t, &c, 5 * N_FIT);
	assert_int_equal(next(p, &packet), 1);
	assert_int_equal(packet.size, N_FIT * SIZE);
	assert_int_equal(packet.lost, 5 * N_FIT);
	kt_peek_free(p);
	end(t);
}

struct writer {
	struct kt_subbuf *subbuf;
	pthread_t thread;
};

static void *finish(void *arg)
{
	struct writer *w = arg;

	usleep(100000);
	__atomic_fetch_add(&w->subbuf->committed, SIZE, __ATOMIC_SEQ_CST);
	return NULL;
}

/* Who is at it is waited for, for some time. */
static void a_record_being_written(void **state)
{
	struct caller c = {0};
	struct kt_packet packet;
	struct kt_peek *p;
	struct writer w;
	struct trial *t;
	char *memory;

	(void)state;
	skip_where_refused();
	t = begin(4);
	memory = look_into(t->ring, 5 << 12);
	w.subbuf = (void *)(memory + 4096);
	make(t, &c, 2);
	w.subbuf->committed -= SIZE;
	p = peek_at(t, kt_clock_now());
	assert_int_equal(next(p, &packet), -EBUSY);
	assert_int_equal(pthread_create(&w.thread, NULL, finish, &w), 0);
	read_packet(t, p, &c, 2);
	pthread_join(w.thread, NULL);
	check_end(p);
	munmap(memory, 5 << 12);
	end(t);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_is_there),
		cmocka_unit_test(overwritten_before),
		cmocka_unit_test(later_than_asked_for),
		cmocka_unit_test(overwritten_meanwhile),
		cmocka_unit_test(cleared_meanwhile),
		cmocka_unit_test(a_record_being_written),
		cmocka_unit_test(going_on),
		cmocka_unit_test(lost_later),
	};

	return cmocka_run_group_tests_name("peek", tests, read_ids, NULL);
}
