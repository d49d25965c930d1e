// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A flight recorder's events, read on and on while they are made, and while the flight is turned:
 * each once, in the order of time, on all CPUs, and what is missing is told. The witness: the calls
 * have numbers. On a bpffs of our own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/live/told.h"
#include "trace/flight_text.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"

struct follower {
	struct listener listener;
	struct directory dir;
	struct kt_flight *flight; /* NULL: it rests */
	struct kt_flight_text *tail;
	struct kt_trace_reader *reader; /* NULL: no trace is open */
	uint64_t time;                  /* of the last hit */
};

static int begin_tail(struct follower *f)
{
	struct kt_error err;
	int ret;

	if (!f->flight)
		f->flight = look();
	ret = kt_flight_text_begin(f->tail, f->flight, tracefs, "1.2.3", f->dir.fd, &err);
	if (ret < 0 && ret != -EAGAIN)
		fail_msg("%s", err.text);
	return ret;
}

static void close_flight(struct follower *f)
{
	kt_flight_free(f->flight);
	f->flight = NULL;
}

static void begin_trace(struct follower *f)
{
	struct kt_error err;

	open_directory(&f->dir);
	while (begin_tail(f) < 0)
		close_flight(f);
	f->reader = kt_trace_reader_open(f->dir.path, &err);
	if (!f->reader)
		fail_msg("%s", err.text);
	assert_true(kt_trace_reader_is_growing(f->reader));
}

/* It has nothing that was not to be had of it before. */
static void end_trace(struct follower *f)
{
	struct kt_error err;
	struct kt_hit hit;

	if (!f->reader)
		return;
	kt_trace_reader_resume(f->reader, UINT64_MAX);
	assert_int_equal(kt_trace_reader_next(f->reader, &hit, &err), 0);
	kt_trace_reader_free(f->reader);
	f->reader = NULL;
	kt_flight_text_end(f->tail);
	remove_directory(&f->dir);
}

static void rest(struct listener *l)
{
	struct follower *f = (struct follower *)l;

	end_trace(f);
	close_flight(f);
}

static void take_hit(struct follower *f, const struct kt_hit *hit)
{
	assert_true(hit->time >= f->time && hit->time <= kt_flight_text_until(f->tail));
	f->time = hit->time;
	listen_to(&f->listener, hit->cpu, hit);
}

/* What there is in one trace by now; whether more is to come there. */
static bool read_trace(struct follower *f)
{
	struct kt_error err;
	struct kt_hit hit;
	int ret, more;

	if (!f->reader)
		begin_trace(f);
	more = kt_flight_text_copy(f->tail, f->flight, &err);
	if (more < 0)
		fail_msg("%s", err.text);
	assert_true(kt_flight_text_until(f->tail) <= kt_clock_now());
	kt_trace_reader_resume(f->reader, kt_flight_text_until(f->tail));
	while ((ret = kt_trace_reader_next(f->reader, &hit, &err)) > 0)
		take_hit(f, &hit);
	if (ret < 0)
		fail_msg("%s", err.text);
	if (more)
		return true;
	end_trace(f);
	/* Programs that were on their way when it was turned. */
	f->time = 0;
	return false;
}

/* All that there is by now. */
static void read_on(struct follower *f)
{
	while (!read_trace(f))
		;
}

static void read_cpu(struct listener *l, size_t cpu)
{
	(void)cpu;
	read_on((struct follower *)l);
}

static void read_in_round(struct listener *l, size_t round)
{
	if (round % 3 == 2)
		end_trace((struct follower *)l);
	if (round % 7 == 6)
		rest(l);
	read_on((struct follower *)l);
}

static struct follower *follow(void)
{
	struct follower *f = calloc(1, sizeof(*f));
	struct kt_error err;

	f->listener.read = read_cpu;
	f->listener.read_in_round = read_in_round;
	f->listener.rest = rest;
	f->tail = kt_flight_text_new(&err);
	assert_non_null(f->tail);
	return f;
}

static void end_of(struct follower *f)
{
	rest(&f->listener);
	kt_flight_text_free(f->tail);
	free(f);
}

/* By one thread, on one CPU after the other: the numbers go on, and so do the CPUs. */
static void on_all_cpus_in_turns(void **state)
{
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), i, round;
	struct caller c = {0};
	struct follower *f;
	cpu_set_t ours;

	(void)state;
	skip_where_refused();
	assert_int_equal(sched_getaffinity(0, sizeof(ours), &ours), 0);
	assert_int_equal(start_flight(), 0);
	f = follow();
	f->listener.shares_numbers = true;
	for (round = 0; round < N_ROUNDS; round++) {
		for (i = 0; i < n; i++) {
			c = (struct caller){.cpu = cpus[i], .first = c.first + c.n, .n = N_EACH};
			call_there(&c);
		}
		read_in_round(&f->listener, round);
		for (i = 0; i < n; i++) {
			assert_int_equal(f->listener.cpus[cpus[i]].n, (round + 1) * N_EACH);
			assert_int_equal(f->listener.cpus[cpus[i]].last,
					 (round * n + i + 1) * N_EACH);
			assert_int_equal(f->listener.cpus[cpus[i]].lost, 0);
		}
	}
	assert_int_equal(sched_setaffinity(0, sizeof(ours), &ours), 0);
	end_of(f);
	assert_int_equal(remove_flight(), 0);
}

static void call_and_follow(void)
{
	struct follower *f = follow();

	listen_to_callers(&f->listener);
	end_of(f);
}

static void while_they_are_made(void **state)
{
	(void)state;
	run_alone(call_and_follow);
}

static void while_it_is_turned(void **state)
{
	(void)state;
	run_while_it_is_turned(true, call_and_follow);
}

static void while_it_is_turned_without_a_spare(void **state)
{
	(void)state;
	run_while_it_is_turned(false, call_and_follow);
}

/* Who comes then gets what is written. */
static void turned_once(void **state)
{
	struct follower *f, *g;
	struct caller c;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	f = follow();
	c = listen_through_turns(&f->listener);
	end_of(f);
	g = follow();
	g->listener.shares_numbers = true;
	read_on(g);
	assert_int_equal(g->listener.cpus[c.cpu].n, N_EACH);
	assert_int_equal(g->listener.cpus[c.cpu].lost, 0);
	end_of(g);
	assert_int_equal(remove_flight(), 0);
}

/* What was not read of a bank that has been cleared is told, wherever else one has been since. */
static void turned_too_often(void **state)
{
	struct follower *f;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	f = follow();
	listen_too_seldom(&f->listener);
	end_of(f);
	assert_int_equal(remove_flight(), 0);
}

/* Where there is a trace already there is to be none, and nothing has come of it. */
static void fail_to_begin(struct follower *f)
{
	struct kt_error err;

	rest(&f->listener);
	open_directory(&f->dir);
	assert_int_equal(close(openat(f->dir.fd, "cpu0", O_CREAT | O_WRONLY, 0600)), 0);
	f->flight = look();
	assert_int_equal(
		kt_flight_text_begin(f->tail, f->flight, tracefs, "1.2.3", f->dir.fd, &err),
		-EEXIST);
	remove_directory(&f->dir);
}

/* What is lost until one can begin is told, too. */
static void not_begun(void **state)
{
	const struct told *cpu;
	struct caller c = {0};
	struct follower *f;
	int i;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	f = follow();
	cpu = &f->listener.cpus[call_on(&c, N_EACH)];
	read_on(f);
	call_on(&c, N_EACH);
	for (i = 0; i < 4; i++) {
		assert_int_equal(swap(), 0);
		call_on(&c, N_EACH);
		fail_to_begin(f);
	}
	read_on(f);
	assert_int_equal(cpu->lost, 3 * N_EACH);
	assert_int_equal(cpu->n, 3 * N_EACH);
	end_of(f);
	assert_int_equal(remove_flight(), 0);
}

/* Nobody wants what was there before. */
static void reset_meanwhile(void **state)
{
	struct caller c = {0};
	struct follower *f;
	const struct told *cpu;
	int round;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	f = follow();
	f->listener.shares_numbers = true;
	for (round = 1; round <= 4; round++) {
		cpu = &f->listener.cpus[call_on(&c, N_EACH)];
		read_on(f);
		call_on(&c, 3 * N_MANY / 100);
		if (round > 2)
			rest(&f->listener);
		if (round % 2 == 0) {
			assert_int_equal(swap(), 0);
			call_on(&c, N_EACH);
		}
		assert_int_equal(reset(), 0);
		call_on(&c, N_EACH);
		read_on(f);
		assert_int_equal(cpu->lost, 0);
		assert_int_equal(cpu->n, 2 * round * N_EACH);
	}
	end_of(f);
	assert_int_equal(remove_flight(), 0);
}

/* Rings that nobody else has any more can still be read by who had them before. */
static void freed_meanwhile(void **state)
{
	struct caller c = {0};
	struct follower *f;
	const struct told *cpu;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_with(false), 0);
	f = follow();
	cpu = &f->listener.cpus[call_on(&c, N_EACH)];
	read_on(f);
	call_on(&c, N_EACH);
	assert_int_equal(swap(), 0);
	call_on(&c, N_EACH);
	read_on(f);
	assert_int_equal(cpu->n, 3 * N_EACH);
	assert_int_equal(cpu->lost, 0);

	call_on(&c, N_EACH);
	rest(&f->listener);
	assert_int_equal(swap(), 0);
	call_on(&c, N_EACH);
	read_on(f);
	assert_int_equal(cpu->n, 4 * N_EACH);
	assert_int_equal(cpu->lost, N_EACH);

	/* Twice, so that there are some in the same place again. */
	end_trace(f);
	call_on(&c, N_EACH);
	assert_int_equal(swap(), 0);
	call_on(&c, N_EACH);
	assert_int_equal(swap(), 0);
	call_on(&c, N_EACH);
	read_on(f);
	assert_int_equal(cpu->n, 5 * N_EACH);
	assert_int_equal(cpu->lost, 3 * N_EACH);

	/* Or none of it has been written. */
	call_on(&c, N_EACH);
	rest(&f->listener);
	assert_int_equal(swap(), 0);
	assert_int_equal(want_spare(), 0);
	read_on(f);
	assert_int_equal(cpu->n, 5 * N_EACH);
	assert_int_equal(cpu->lost, 4 * N_EACH);
	end_of(f);
	assert_int_equal(remove_flight(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_all_cpus_in_turns),
		IN_BOTH_CHANNELS(while_they_are_made),
		IN_BOTH_CHANNELS(while_it_is_turned),
		cmocka_unit_test(while_it_is_turned_without_a_spare),
		IN_BOTH_CHANNELS(turned_once),
		cmocka_unit_test(turned_too_often),
		cmocka_unit_test(not_begun),
		cmocka_unit_test(reset_meanwhile),
		cmocka_unit_test(freed_meanwhile),
	};

	return cmocka_run_group_tests_name("tail", tests, open_tracefs, NULL);
}
