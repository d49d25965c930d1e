/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What readers of a flight get of numbered calls (tests/live/swapping.h) while calls are made and
 * buffers swapped: each call once, and the number missing. On a private bpffs.
 */
#ifndef KT_TESTS_READING_H
#define KT_TESTS_READING_H

#include "tests/ctf/babeltrace.h"
#include "tests/live/swapping.h"

enum { N_ROUNDS = 40, N_EACH = 50, N_MANY = 200000, N_CPUS_MAX = 8 };

/* A CPU's missing calls since the last record. */
struct cpu_progress {
	uint64_t n, last, lost, missing;
};

/* A reader begins with this. */
struct live_reader {
	struct cpu_progress cpus[CPU_SETSIZE];
	size_t ours[CPU_SETSIZE], n_ours;
	bool shares_numbers; /* among CPUs: numbers missing on one may be on another */
	/* Reads everything there is, of that CPU at least. */
	void (*read)(struct live_reader *, size_t cpu);
	/* Reads something in each round, with any other work. */
	void (*read_in_round)(struct live_reader *, size_t round);
	/* Closes everything. */
	void (*close)(struct live_reader *);
};

static int tracefs = -1;

static inline int open_tracefs(void **state)
{
	struct kt_error err;
	int ret = enter_namespace(state);

	tracefs = kt_tracefs_open(&err);
	return ret;
}

static inline void check_event(struct live_reader *l, size_t cpu, const struct kt_hit *hit)
{
	struct cpu_progress *progress = &l->cpus[cpu];
	uint64_t number;

	progress->lost += hit->lost;
	progress->missing += hit->lost;
	if (!hit->event)
		return;
	number = call_number(hit);
	assert_true(number > progress->last);
	if (!l->shares_numbers)
		assert_int_equal(number, progress->last + progress->missing + 1);
	progress->last = number;
	progress->missing = 0;
	progress->n++;
}

/* A thread per CPU makes calls, into rings that hold few of them. */
static inline void read_all_callers(struct live_reader *l)
{
	struct caller callers[N_CPUS_MAX];
	size_t i, round = 0;
	const struct cpu_progress *cpu;

	l->n_ours = our_cpus(l->ours);
	l->n_ours = l->n_ours < N_CPUS_MAX ? l->n_ours : N_CPUS_MAX;
	for (i = 0; i < l->n_ours; i++)
		l->read(l, l->ours[i]);
	start_callers(callers, l->ours, l->n_ours, 0, N_MANY);
	while (!are_done(callers, l->n_ours))
		l->read_in_round(l, round++);
	join_callers(callers, l->n_ours);
	for (i = 0; i < l->n_ours; i++) {
		l->read(l, l->ours[i]);
		cpu = &l->cpus[l->ours[i]];
		assert_int_equal(cpu->last + cpu->missing, callers[i].n);
		assert_int_equal(cpu->n + cpu->lost, callers[i].n);
		print_message("# CPU %zu: %lu and %lu lost, in %zu rounds\n", l->ours[i], cpu->n,
			      cpu->lost, round);
	}
}

/* Nothing is lost if the flight is read between swaps. Returns the caller. */
static inline struct caller read_between_swaps(struct live_reader *l)
{
	struct caller c = {0};
	size_t round;

	for (round = 0; round < N_ROUNDS; round++) {
		make_calls_on_a_cpu(&c, N_EACH);
		if (round % 2)
			assert_int_equal(swap_once(), 0);
		make_calls_on_a_cpu(&c, N_EACH);
		if (round % 5 == 1)
			l->close(l);
		l->read(l, c.cpu);
		assert_int_equal(l->cpus[c.cpu].n, c.first + c.n);
		assert_int_equal(l->cpus[c.cpu].lost, 0);
	}
	return c;
}

/*
 * If it is swapped more often between reads, losses keep counting across swaps and are reported
 * once: only the active set's calls remain. Returns the caller.
 */
static inline struct caller read_too_seldom(struct live_reader *l)
{
	struct caller c = {0};
	uint64_t lost = 0;
	int times, i;

	for (times = 0; times < 5; times++) {
		make_calls_on_a_cpu(&c, N_EACH);
		l->read(l, c.cpu);
		make_calls_on_a_cpu(&c, N_EACH);
		if (times % 2)
			l->close(l);
		for (i = 0; i < times; i++) {
			assert_int_equal(swap_once(), 0);
			make_calls_on_a_cpu(&c, N_EACH);
		}
		l->read(l, c.cpu);
		lost += times < 2 ? 0 : (times - 1) * N_EACH;
		assert_int_equal(l->cpus[c.cpu].lost, lost);
		assert_int_equal(l->cpus[c.cpu].n, c.first + c.n - lost);
	}
	return c;
}

#endif
