// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A flight recorder's events, read on and on while they are made: each once, in the order of time,
 * on all CPUs, and what is missing is told. The witness: the calls have numbers. On a bpffs of our
 * own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/ctf/babeltrace.h"
#include "tests/live/flight.h"
#include "trace/reader.h"
#include "trace/schema.h"
#include "trace/tail.h"

enum { N_ROUNDS = 40, N_EACH = 50, N_MANY = 200000, N_CPUS_MAX = 8 };

/* What a CPU has told: missing, since the last record. */
struct told {
	uint64_t n, last, lost, missing;
};

struct follower {
	struct directory dir;
	struct kt_flight *flight;
	struct kt_tail *tail;
	struct kt_reader *reader;
	uint64_t time;    /* of the last hit */
	bool has_its_own; /* each CPU, numbers from 1 on */
	struct told cpus[CPU_SETSIZE];
};

static int tracefs = -1;

static struct follower *follow(void)
{
	struct follower *f = calloc(1, sizeof(*f));
	struct kt_error err;
	int code;

	open_directory(&f->dir);
	f->flight = look(&code);
	assert_int_equal(code, 0);
	f->tail = kt_tail_new(f->flight, tracefs, "1.2.3", f->dir.fd, &err);
	f->reader = f->tail ? kt_reader_open(f->dir.path, &err) : NULL;
	if (!f->reader)
		fail_msg("%s", err.text);
	assert_true(kt_reader_is_growing(f->reader));
	return f;
}

static void end_of(struct follower *f)
{
	kt_reader_free(f->reader);
	kt_tail_free(f->tail);
	kt_flight_free(f->flight);
	remove_directory(&f->dir);
	free(f);
}

/* The call's first argument. */
static uint64_t number_of(const struct kt_hit *hit)
{
	const struct kt_shape *fields = &hit->event->fields;
	size_t i;

	for (i = 0; i < fields->n_members; i++)
		if (strcmp(fields->members[i].name, "pid") == 0)
			return kt_value_number(&fields->members[i], &hit->values[i], 0);
	fail_msg("%s has no pid", hit->event->name);
	return 0;
}

static void take_hit(struct follower *f, const struct kt_hit *hit)
{
	struct told *cpu = &f->cpus[hit->cpu];
	uint64_t number;

	assert_true(hit->time >= f->time && hit->time <= kt_tail_until(f->tail));
	f->time = hit->time;
	cpu->lost += hit->lost;
	cpu->missing += hit->lost;
	if (!hit->event)
		return;
	number = number_of(hit);
	assert_true(number > cpu->last);
	if (f->has_its_own)
		assert_int_equal(number, cpu->last + cpu->missing + 1);
	cpu->last = number;
	cpu->missing = 0;
	cpu->n++;
}

/* All that there is by now. */
static void read_on(struct follower *f)
{
	struct kt_error err;
	struct kt_hit hit;
	int ret;

	if (kt_tail_copy(f->tail, f->flight, &err) < 0)
		fail_msg("%s", err.text);
	kt_reader_go_on(f->reader, kt_tail_until(f->tail));
	while ((ret = kt_reader_next(f->reader, &hit, &err)) > 0)
		take_hit(f, &hit);
	if (ret < 0)
		fail_msg("%s", err.text);
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
	read_on(f);
	for (round = 0; round < N_ROUNDS; round++) {
		for (i = 0; i < n; i++) {
			c = (struct caller){.cpu = cpus[i], .first = c.first + c.n, .n = N_EACH};
			call_there(&c);
		}
		read_on(f);
		for (i = 0; i < n; i++) {
			assert_int_equal(f->cpus[cpus[i]].n, (round + 1) * N_EACH);
			assert_int_equal(f->cpus[cpus[i]].last, (round * n + i + 1) * N_EACH);
			assert_int_equal(f->cpus[cpus[i]].lost, 0);
		}
	}
	assert_int_equal(sched_setaffinity(0, sizeof(ours), &ours), 0);
	end_of(f);
	assert_int_equal(remove_flight(), 0);
}

static void start_callers(struct caller *callers, const size_t *cpus, size_t n, int first,
			  int n_calls)
{
	size_t i;

	for (i = 0; i < n; i++) {
		callers[i] = (struct caller){.cpu = cpus[i], .first = first, .n = n_calls};
		start_caller(&callers[i]);
	}
}

/* By threads of each CPU at once, in rings that hold few of them. */
static void while_they_are_made(void **state)
{
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), i, n_done, n_rounds = 0;
	struct caller callers[N_CPUS_MAX];
	struct follower *f;

	(void)state;
	skip_where_refused();
	n = n < N_CPUS_MAX ? n : N_CPUS_MAX;
	assert_int_equal(start_flight(), 0);
	f = follow();
	f->has_its_own = true;
	start_callers(callers, cpus, n, 0, 1);
	for (i = 0; i < n; i++)
		pthread_join(callers[i].thread, NULL);
	read_on(f);
	start_callers(callers, cpus, n, 1, N_MANY);
	do {
		for (n_done = 0, i = 0; i < n; i++)
			n_done += callers[i].done;
		read_on(f);
		n_rounds++;
	} while (n_done < n);
	for (i = 0; i < n; i++) {
		pthread_join(callers[i].thread, NULL);
		assert_int_equal(f->cpus[cpus[i]].last, N_MANY + 1);
		assert_int_equal(f->cpus[cpus[i]].n + f->cpus[cpus[i]].lost, N_MANY + 1);
		print_message("# CPU %zu: %lu and %lu lost, in %zu rounds\n", cpus[i],
			      f->cpus[cpus[i]].n, f->cpus[cpus[i]].lost, n_rounds);
	}
	end_of(f);
	assert_int_equal(remove_flight(), 0);
}

static void once_it_is_turned(void **state)
{
	struct kt_error err;
	struct kt_flight *held;
	struct follower *f;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	make_calls(3);
	f = follow();
	held = hold();
	kt_banks_turn(kt_flight_banks(held));
	kt_banks_take(kt_flight_banks(held));
	assert_int_equal(kt_tail_copy(f->tail, f->flight, &err), -EAGAIN);
	kt_banks_turn(kt_flight_banks(held));
	kt_flight_free(held);
	/* Back again it is another time. */
	assert_int_equal(kt_tail_copy(f->tail, f->flight, &err), -EAGAIN);
	end_of(f);
	assert_int_equal(remove_flight(), 0);
}

static int prepare(void **state)
{
	struct kt_error err;
	int ret = leave_the_machine(state);

	tracefs = kt_tracefs_open(&err);
	return ret;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_all_cpus_in_turns),
		cmocka_unit_test(while_they_are_made),
		cmocka_unit_test(once_it_is_turned),
	};

	return cmocka_run_group_tests_name("tail", tests, prepare, NULL);
}
