// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A flight recorder's events read while they are made and buffers swapped: each once, in order of
 * time on all CPUs, losses reported. The calls are numbered. On a private bpffs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/live/reading.h"
#include "trace/flight/flight_text.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"

struct follower {
	struct live_reader base;
	struct directory dir;
	struct kt_flight *flight; /* NULL: closed */
	struct kt_flight_text *tail;
	struct kt_trace_reader *reader; /* NULL: no trace is open */
	uint64_t time;                  /* of the last event */
};

static int open_text(struct follower *f)
{
	struct kt_error err;
	int ret;

	if (!f->flight)
		f->flight = open_flight();
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
	while (open_text(f) < 0)
		close_flight(f);
	f->reader = kt_trace_reader_open(f->dir.path, &err);
	if (!f->reader)
		fail_msg("%s", err.text);
	assert_true(kt_trace_reader_is_growing(f->reader));
}

/* It never has events that could have been read before. */
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

static void close_all(struct live_reader *l)
{
	struct follower *f = (struct follower *)l;

	end_trace(f);
	close_flight(f);
}

static void check_hit(struct follower *f, const struct kt_hit *hit)
{
	assert_true(hit->time >= f->time && hit->time <= kt_flight_text_until(f->tail));
	f->time = hit->time;
	check_event(&f->base, hit->cpu, hit);
}

/* Reads what one trace has now; returns whether more may come in it. */
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
		check_hit(f, &hit);
	if (ret < 0)
		fail_msg("%s", err.text);
	if (more)
		return true;
	end_trace(f);
	/* Programs were running during the swap. */
	f->time = 0;
	return false;
}

/* Reads everything there is. */
static void read_new(struct follower *f)
{
	while (!read_trace(f))
		;
}

static void read_cpu(struct live_reader *l, size_t cpu)
{
	(void)cpu;
	read_new((struct follower *)l);
}

static void read_in_round(struct live_reader *l, size_t round)
{
	if (round % 3 == 2)
		end_trace((struct follower *)l);
	if (round % 7 == 6)
		close_all(l);
	read_new((struct follower *)l);
}

static struct follower *start_reading(void)
{
	struct follower *f = calloc(1, sizeof(*f));
	struct kt_error err;

	f->base.read = read_cpu;
	f->base.read_in_round = read_in_round;
	f->base.close = close_all;
	f->tail = kt_flight_text_new(&err);
	assert_non_null(f->tail);
	return f;
}

static void end_reading(struct follower *f)
{
	close_all(&f->base);
	kt_flight_text_free(f->tail);
	free(f);
}

/* One thread on one CPU after the other: the numbers continue across CPUs. */
static void on_all_cpus_in_turn(void **state)
{
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), i, round;
	struct caller c = {0};
	struct follower *f;
	cpu_set_t ours;

	(void)state;
	skip_where_refused();
	assert_int_equal(sched_getaffinity(0, sizeof(ours), &ours), 0);
	assert_int_equal(start_flight(), 0);
	f = start_reading();
	f->base.shares_numbers = true;
	for (round = 0; round < N_ROUNDS; round++) {
		for (i = 0; i < n; i++) {
			c = (struct caller){.cpu = cpus[i], .first = c.first + c.n, .n = N_EACH};
			call_there(&c);
		}
		read_in_round(&f->base, round);
		for (i = 0; i < n; i++) {
			assert_int_equal(f->base.cpus[cpus[i]].n, (round + 1) * N_EACH);
			assert_int_equal(f->base.cpus[cpus[i]].last, (round * n + i + 1) * N_EACH);
			assert_int_equal(f->base.cpus[cpus[i]].lost, 0);
		}
	}
	assert_int_equal(sched_setaffinity(0, sizeof(ours), &ours), 0);
	end_reading(f);
	assert_int_equal(remove_flight(), 0);
}

static void call_and_follow(void)
{
	struct follower *f = start_reading();

	read_all_callers(&f->base);
	end_reading(f);
}

static void during_calls(void **state)
{
	(void)state;
	run_alone(call_and_follow);
}

static void during_swaps(void **state)
{
	(void)state;
	run_while_swapping(true, call_and_follow);
}

static void during_swaps_without_spare(void **state)
{
	(void)state;
	run_while_swapping(false, call_and_follow);
}

/* A reader that comes then gets the active set. */
static void swapped_once(void **state)
{
	struct follower *f, *g;
	struct caller c;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	f = start_reading();
	c = read_between_swaps(&f->base);
	end_reading(f);
	g = start_reading();
	g->base.shares_numbers = true;
	read_new(g);
	assert_int_equal(g->base.cpus[c.cpu].n, N_EACH);
	assert_int_equal(g->base.cpus[c.cpu].lost, 0);
	end_reading(g);
	assert_int_equal(remove_flight(), 0);
}

/* What was not read of a cleared set is reported as lost, whichever sets were read since. */
static void swapped_too_often(void **state)
{
	struct follower *f;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	f = start_reading();
	read_too_seldom(&f->base);
	end_reading(f);
	assert_int_equal(remove_flight(), 0);
}

/* If a trace is open already, no other is opened, and nothing remains of the attempt. */
static void fail_to_begin(struct follower *f)
{
	struct kt_error err;

	close_all(&f->base);
	open_directory(&f->dir);
	assert_int_equal(close(openat(f->dir.fd, "cpu0", O_CREAT | O_WRONLY, 0600)), 0);
	f->flight = open_flight();
	assert_int_equal(
		kt_flight_text_begin(f->tail, f->flight, tracefs, "1.2.3", f->dir.fd, &err),
		-EEXIST);
	remove_directory(&f->dir);
}

/* What is lost before a trace can be opened is reported, too. */
static void not_begun(void **state)
{
	const struct cpu_progress *cpu;
	struct caller c = {0};
	struct follower *f;
	int i;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	f = start_reading();
	cpu = &f->base.cpus[make_calls_on_a_cpu(&c, N_EACH)];
	read_new(f);
	make_calls_on_a_cpu(&c, N_EACH);
	for (i = 0; i < 4; i++) {
		assert_int_equal(swap_once(), 0);
		make_calls_on_a_cpu(&c, N_EACH);
		fail_to_begin(f);
	}
	read_new(f);
	assert_int_equal(cpu->lost, 3 * N_EACH);
	assert_int_equal(cpu->n, 3 * N_EACH);
	end_reading(f);
	assert_int_equal(remove_flight(), 0);
}

/* Records from before a reset are not wanted. */
static void reset_while_reading(void **state)
{
	struct caller c = {0};
	struct follower *f;
	const struct cpu_progress *cpu;
	int round;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	f = start_reading();
	f->base.shares_numbers = true;
	for (round = 1; round <= 4; round++) {
		cpu = &f->base.cpus[make_calls_on_a_cpu(&c, N_EACH)];
		read_new(f);
		make_calls_on_a_cpu(&c, 3 * N_MANY / 100);
		if (round > 2)
			close_all(&f->base);
		if (round % 2 == 0) {
			assert_int_equal(swap_once(), 0);
			make_calls_on_a_cpu(&c, N_EACH);
		}
		assert_int_equal(reset_once(), 0);
		make_calls_on_a_cpu(&c, N_EACH);
		read_new(f);
		assert_int_equal(cpu->lost, 0);
		assert_int_equal(cpu->n, 2 * round * N_EACH);
	}
	end_reading(f);
	assert_int_equal(remove_flight(), 0);
}

/* Freed rings remain readable for a process that has them open. */
static void freed_while_reading(void **state)
{
	struct caller c = {0};
	struct follower *f;
	const struct cpu_progress *cpu;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_with(false), 0);
	f = start_reading();
	cpu = &f->base.cpus[make_calls_on_a_cpu(&c, N_EACH)];
	read_new(f);
	make_calls_on_a_cpu(&c, N_EACH);
	assert_int_equal(swap_once(), 0);
	make_calls_on_a_cpu(&c, N_EACH);
	read_new(f);
	assert_int_equal(cpu->n, 3 * N_EACH);
	assert_int_equal(cpu->lost, 0);

	make_calls_on_a_cpu(&c, N_EACH);
	close_all(&f->base);
	assert_int_equal(swap_once(), 0);
	make_calls_on_a_cpu(&c, N_EACH);
	read_new(f);
	assert_int_equal(cpu->n, 4 * N_EACH);
	assert_int_equal(cpu->lost, N_EACH);

	/* Twice, so that new rings have the same place. */
	end_trace(f);
	make_calls_on_a_cpu(&c, N_EACH);
	assert_int_equal(swap_once(), 0);
	make_calls_on_a_cpu(&c, N_EACH);
	assert_int_equal(swap_once(), 0);
	make_calls_on_a_cpu(&c, N_EACH);
	read_new(f);
	assert_int_equal(cpu->n, 5 * N_EACH);
	assert_int_equal(cpu->lost, 3 * N_EACH);

	/* Or nothing has been written to them. */
	make_calls_on_a_cpu(&c, N_EACH);
	close_all(&f->base);
	assert_int_equal(swap_once(), 0);
	assert_int_equal(want_spare(), 0);
	read_new(f);
	assert_int_equal(cpu->n, 5 * N_EACH);
	assert_int_equal(cpu->lost, 4 * N_EACH);
	end_reading(f);
	assert_int_equal(remove_flight(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_all_cpus_in_turn), IN_BOTH_CHANNELS(during_calls),
		IN_BOTH_CHANNELS(during_swaps),        cmocka_unit_test(during_swaps_without_spare),
		IN_BOTH_CHANNELS(swapped_once),        cmocka_unit_test(swapped_too_often),
		cmocka_unit_test(not_begun),           cmocka_unit_test(reset_while_reading),
		cmocka_unit_test(freed_while_reading),
	};

	return cmocka_run_group_tests_name("flight_text", tests, open_tracefs, NULL);
}
