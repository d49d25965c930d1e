/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What readers of a flight are told of numbered calls (tests/live/turns.h) while they are made, and
 * while the flight is turned: each once, and what is missing. They have a bpffs of their own.
 */
#ifndef KT_TESTS_TOLD_H
#define KT_TESTS_TOLD_H

#include "tests/ctf/babeltrace.h"
#include "tests/live/turns.h"

enum { N_ROUNDS = 40, N_EACH = 50, N_MANY = 200000, N_CPUS_MAX = 8 };

/* Of one CPU: missing, since the last record. */
struct told {
	uint64_t n, last, lost, missing;
};

/* A reader begins with it. */
struct listener {
	struct told cpus[CPU_SETSIZE];
	size_t ours[CPU_SETSIZE], n_ours;
	bool shares_numbers; /* among CPUs: what one is not told another may be */
	/* All that there is by now, of that CPU at least. */
	void (*read)(struct listener *, size_t cpu);
	/* Something of it in each round, and whatever can be done in between. */
	void (*read_in_round)(struct listener *, size_t round);
	/* And has nothing open. */
	void (*rest)(struct listener *);
};

static int tracefs = -1;

static inline int open_tracefs(void **state)
{
	struct kt_error err;
	int ret = leave_the_machine(state);

	tracefs = kt_tracefs_open(&err);
	return ret;
}

static inline void listen_to(struct listener *l, size_t cpu, const struct kt_hit *hit)
{
	struct told *told = &l->cpus[cpu];
	uint64_t number;

	told->lost += hit->lost;
	told->missing += hit->lost;
	if (!hit->event)
		return;
	number = number_of(hit);
	assert_true(number > told->last);
	if (!l->shares_numbers)
		assert_int_equal(number, told->last + told->missing + 1);
	told->last = number;
	told->missing = 0;
	told->n++;
}

/* To threads of each CPU at once, in rings that hold few of their calls. */
static inline void listen_to_callers(struct listener *l)
{
	struct caller callers[N_CPUS_MAX];
	size_t i, round = 0;
	const struct told *cpu;

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

/* As long as it is looked at in between nothing is lost. Returns who called. */
static inline struct caller listen_through_turns(struct listener *l)
{
	struct caller c = {0};
	size_t round;

	for (round = 0; round < N_ROUNDS; round++) {
		call_on(&c, N_EACH);
		if (round % 2)
			assert_int_equal(swap(), 0);
		call_on(&c, N_EACH);
		if (round % 5 == 1)
			l->rest(l);
		l->read(l, c.cpu);
		assert_int_equal(l->cpus[c.cpu].n, c.first + c.n);
		assert_int_equal(l->cpus[c.cpu].lost, 0);
	}
	return c;
}

/*
 * Where it was turned more often in between, what was lost counts on through the turns, and is told
 * once: but for what is written there is what rests. Returns who called.
 */
static inline struct caller listen_too_seldom(struct listener *l)
{
	struct caller c = {0};
	uint64_t lost = 0;
	int times, i;

	for (times = 0; times < 5; times++) {
		call_on(&c, N_EACH);
		l->read(l, c.cpu);
		call_on(&c, N_EACH);
		if (times % 2)
			l->rest(l);
		for (i = 0; i < times; i++) {
			assert_int_equal(swap(), 0);
			call_on(&c, N_EACH);
		}
		l->read(l, c.cpu);
		lost += times < 2 ? 0 : (times - 1) * N_EACH;
		assert_int_equal(l->cpus[c.cpu].lost, lost);
		assert_int_equal(l->cpus[c.cpu].n, c.first + c.n - lost);
	}
	return c;
}

#endif
