/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A flight recorder whose events are switched (tests/live/flight.h), and what it counts then. */
#ifndef KT_TESTS_SWITCHED_H
#define KT_TESTS_SWITCHED_H

#include <pthread.h>

#include "session/gauge.h"
#include "session/switches.h"
#include "tests/live/flight.h"

static inline void commit(struct kt_flight *f)
{
	struct kt_error err;

	if (kt_switches_commit(kt_flight_switches(f), &err) < 0)
		fail_msg("%s", err.text);
}

static inline void prepare(struct kt_flight *f, const char *system, const char *name, size_t event)
{
	struct kt_probes probes = kt_banks_probes(kt_flight_banks(f));
	struct kt_event *e = read_event(system, name);
	struct kt_error other_way, err;

	if (kt_switches_enable(kt_flight_switches(f), event, &probes, e, &other_way, &err) < 0)
		fail_msg("%s", err.text);
	kt_event_free(e);
}

/* Of each event: how often it was hit, and whether it is enabled. */
struct figures {
	uint64_t hits[N_EVENTS], switched[N_EVENTS];
	bool is_enabled[N_EVENTS];
};

static inline struct figures figures_of(const struct kt_flight *f)
{
	struct figures figures = {0};
	struct kt_error err;
	struct kt_gauge g;
	size_t i;

	if (kt_gauge_read(&g, f, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(g.n_events, N_EVENTS);
	for (i = 0; i < N_EVENTS; i++) {
		figures.hits[i] = g.events[i].tally.hits;
		figures.is_enabled[i] = g.events[i].is_enabled;
		figures.switched[i] = g.events[i].switched;
		assert_int_equal(g.events[i].missed, 0);
	}
	kt_gauge_clear(&g);
	return figures;
}

static inline void expect(const struct kt_flight *f, uint64_t enter, uint64_t exit)
{
	struct figures figures = figures_of(f);

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
	while (figures_of(f).hits[EXIT] < n)
		;
}

#endif
