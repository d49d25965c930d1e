/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A flight recorder with events disabled and enabled (tests/live/flight.h), and its counters. */
#ifndef KT_TESTS_ENABLING_H
#define KT_TESTS_ENABLING_H

#include <pthread.h>
#include <stdlib.h>

#include "hook/program.h"
#include "session/flight/flight_control.h"
#include "session/flight/flight_stats.h"
#include "tests/live/flight.h"
#include "tests/live/missed.h"

enum { N_CALLS = 10, EARLY_US = 2000 };

static inline void start_both(void)
{
	assert_int_equal(start_events(N_EVENTS, true), 0);
}

/* With both events, and locked. */
static inline struct kt_flight *start_locked(void)
{
	skip_where_refused();
	start_both();
	return lock_flight();
}

/*
 * With the kernel's allocations, and locked. The map has n elements; inserting each causes one
 * missed event, and a few more.
 */
static inline struct kt_flight *start_with_missed(int n, int *map)
{
	static const char *const events[] = {"kmalloc"};

	skip_where_refused();
	*map = create_map(n);
	if (*map < 0 || !kt_program_counts_missed())
		skip();
	assert_int_equal(start_flight_of("kmem", events, 1, true), 0);
	return lock_flight();
}

static inline void commit(struct kt_flight *f)
{
	struct kt_error err;

	if (kt_flight_control_commit(kt_flight_get_control(f), &err) < 0)
		fail_msg("%s", err.text);
}

static inline void prepare(struct kt_flight *f, const char *system, const char *name, size_t event)
{
	struct kt_probes probes = kt_buffer_sets_probes(kt_flight_buffer_sets(f));
	struct kt_event *e = read_event(system, name);
	struct kt_error other_way, err;

	if (kt_flight_control_enable(kt_flight_get_control(f), event, &probes, e, &other_way,
				     &err) < 0)
		fail_msg("%s", err.text);
	kt_event_free(e);
}

static inline void pause_in(struct kt_flight *f)
{
	kt_flight_control_pause(kt_flight_get_control(f));
	commit(f);
}

static inline void resume_in(struct kt_flight *f)
{
	kt_flight_control_resume(kt_flight_get_control(f));
	commit(f);
}

static inline struct kt_time_span span_of(const struct kt_flight *f, size_t event)
{
	return kt_flight_control_event(kt_flight_get_control(f), event).complete;
}

/* Each event's hits, and whether it is enabled. */
struct figures {
	uint64_t hits[N_EVENTS], switched[N_EVENTS];
	bool is_enabled[N_EVENTS];
};

static inline struct figures read_figures(const struct kt_flight *f)
{
	struct figures figures = {0};
	struct kt_error err;
	struct kt_flight_stats g;
	size_t i;

	if (kt_flight_stats_read(&g, f, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(g.n_events, N_EVENTS);
	for (i = 0; i < N_EVENTS; i++) {
		figures.hits[i] = g.events[i].counters.hits;
		figures.is_enabled[i] = g.events[i].is_enabled;
		figures.switched[i] = g.events[i].switched;
		assert_int_equal(g.events[i].missed, 0);
	}
	kt_flight_stats_clear(&g);
	return figures;
}

static inline void expect_hits(const struct kt_flight *f, uint64_t enter, uint64_t exit)
{
	struct figures figures = read_figures(f);

	assert_int_equal(figures.hits[ENTER], enter);
	assert_int_equal(figures.hits[EXIT], exit);
}

static bool ends;

static inline void *call_until_end(void *arg)
{
	while (!__atomic_load_n(&ends, __ATOMIC_RELAXED))
		call(NO_TASK);
	return arg;
}

static inline pthread_t begin_calls(void)
{
	pthread_t thread;

	ends = false;
	assert_int_equal(pthread_create(&thread, NULL, call_until_end, NULL), 0);
	return thread;
}

static inline void end_calls(pthread_t thread)
{
	__atomic_store_n(&ends, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
}

static inline void await_hits(const struct kt_flight *f, uint64_t n)
{
	while (read_figures(f).hits[EXIT] < n)
		;
}

/*
 * The caller is within at most one call when both events are disabled, and when both are enabled
 * again.
 */
static inline void switch_while_calling(void switch_off(struct kt_flight *),
					void switch_on(struct kt_flight *))
{
	enum { N_ROUNDS = 30 };
	struct kt_flight *f = start_locked();
	struct figures before = {0}, off;
	pthread_t thread = begin_calls();
	int round;

	await_hits(f, 100);
	for (round = 0; round < N_ROUNDS; round++) {
		switch_off(f);
		usleep(1000);
		off = read_figures(f);
		assert_in_range(off.hits[ENTER] - before.hits[ENTER] + 1,
				off.hits[EXIT] - before.hits[EXIT],
				off.hits[EXIT] - before.hits[EXIT] + 2);
		before = off;
		usleep(1000);
		expect_hits(f, off.hits[ENTER], off.hits[EXIT]);
		switch_on(f);
		await_hits(f, off.hits[EXIT] + 100);
	}
	end_calls(thread);
	end_flight(f);
}

/*
 * Kills the working process at any moment, in every other round early, when most is done before the
 * kernel is waited for. 'check' tells which of two states is left; both must occur.
 */
static inline void kill_while_working(int n_rounds, void start(void), int work(void),
				      bool check(void))
{
	unsigned int us, early, longest = 0;
	int round, n_done = 0;
	pid_t pid;

	for (round = 0; round < n_rounds; round++) {
		start();
		if (round % 5 == 0) {
			us = time_work(work);
			longest = us > longest ? us : longest;
			assert_int_equal(remove_flight(), 0);
			start();
		}
		pid = begin_process(work);
		us = longest + longest / 2;
		early = EARLY_US >> round / 2 % 5;
		kill_within(pid, rand() % (round % 2 && us > early ? early : us));
		end_process(pid);
		n_done += check();
		assert_int_equal(remove_flight(), 0);
	}
	print_message("# %d of %d, in up to %u us\n", n_done, n_rounds, longest);
	assert_in_range(n_done, 1, n_rounds - 1);
}

#endif
