/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cost of an event to the task that triggers it, for several ways to record it, in one process:
 *
 *	static struct way ways[] = {
 *		{"an empty program", PROGRAM, CALL},
 *		{"recorded", SESSION, CALL, .floor = &ways[0]},
 *	};
 *
 *	open_machine();
 *	calls_max = calls = 20000;
 *	rounds = time_ways(ways, 2, rounds);
 *	printf("%f ns more\n", cost_of(&ways[1], rounds));
 *	close_machine();
 *
 * In each round every way is attached in turn, its calls are timed on one CPU, and it is detached,
 * so that all are measured under the same conditions. Each ring has been full before, because the
 * first write to memory can cost more than all else. It has room for all timed records and nobody
 * reads it meanwhile. After each timing the counters must show that every call was recorded, or
 * filtered, as intended.
 */
#ifndef KT_BENCH_WAYS_H
#define KT_BENCH_WAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "bpf/asm.h"
#include "ctypes/btf.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/event_reader.h"
#include "events/tracefs.h"
#include "fetch/curate.h"
#include "filter/filter_parser.h"
#include "hook/probe.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/callstack_tables.h"
#include "session/counter_map.h"
#include "session/session.h"

#include "rounds.h"

enum {
	WARM = 1000,
	BEFORE = 4,     /* times calls_max: the ring has wrapped */
	RING = 4 << 20, /* bytes per CPU, the default of 'record' */
	SIDES = 2,      /* of a system call: events per way, at most */
};

/* A way to record events. One is attached at a time. */
struct way {
	const char *name;
	void (*attach)(const struct way *way);
	void (*detach)(const struct way *way);
	void (*make)(unsigned long n); /* makes n calls */
	const struct way *floor;       /* what its cost is compared with; or NULL */
	struct kt_event_name events[SIDES];

	/* A program. */
	bool reads_clock;

	/* A session: the kernel's own record, followed processes, the filter. */
	bool classic, follows_us, follows_others;
	const char *filter;
	bool filters_all;

	/* A flight recorder, with or without a trigger. */
	bool overwrites, can_freeze;

	/* Kinds of stacks (bpf/callstacks.h). */
	unsigned int stacks;

	/* System calls: the maximum copied, and the bytes in each record of the last event. */
	size_t bytes_max, bytes;

	/* ftrace. */
	const char *clock;

	double times[ROUNDS_MAX]; /* ns per call */
};

static int tracefs;
static struct kt_btf *btf;
static size_t cpu;              /* where everything runs */
static unsigned long calls;     /* timed ones */
static unsigned long calls_max; /* records that fit into a ring */

static inline void open_machine(void)
{
	struct kt_error err;

	tracefs = kt_tracefs_open(&err);
	if (tracefs < 0)
		fail("%s", err.text);
	btf = kt_btf_new();
	if (!btf)
		fail("%s", strerror(ENOMEM));
	cpu = pin_to_last_cpu();
}

/* Leaves tracefs open: exit handlers may need it. */
static inline void close_machine(void)
{
	kt_btf_free(btf);
}

static inline size_t count_events(const struct way *way)
{
	size_t n = 0;

	while (n < SIDES && way->events[n].event)
		n++;
	return n;
}

static inline struct kt_event *read_event(const struct way *way, size_t i)
{
	struct kt_error err;
	struct kt_event *e = kt_event_read(tracefs, &way->events[i], &err);

	if (!e || (!way->classic && kt_curate(e, btf, &err) < 0))
		fail("%s", err.text);
	return e;
}

#define NOTHING .attach = attach_nothing, .detach = attach_nothing

static inline void attach_nothing(const struct way *way)
{
	(void)way;
}

/* An empty program */

#define PROGRAM .attach = attach_program, .detach = detach_program

static struct kt_probe probes[SIDES];

static inline void attach_program(const struct way *way)
{
	struct kt_asm *a = kt_asm_new();
	struct kt_event *e;
	struct kt_error err;
	size_t i;

	if (!a)
		fail("%s", strerror(ENOMEM));
	if (way->reads_clock)
		kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
	for (i = 0; i < count_events(way); i++) {
		e = read_event(way, i);
		if (kt_probe_attach(&probes[i], e, a, &err) < 0)
			fail("%s", err.text);
		kt_event_free(e);
	}
	kt_asm_free(a);
}

static inline void detach_program(const struct way *way)
{
	size_t i;

	for (i = 0; i < count_events(way); i++) {
		kt_probe_detach(&probes[i]);
		kt_probe_close(&probes[i]);
	}
}

/* A session */

#define SESSION .attach = attach_session, .detach = detach_session

static struct kt_session *session;

static inline struct kt_ring *our_ring(void)
{
	return kt_rings_at(kt_session_rings(session), cpu);
}

/* Consumes the ring and counts the event's records with that many bytes of data. */
static inline unsigned long count_records(size_t event, size_t bytes)
{
	const struct kt_event *e;
	struct kt_packet p;
	struct kt_error err;
	unsigned long n = 0;
	size_t at, data;
	int ret;

	for (; (ret = kt_ring_next(our_ring(), &p, &err)) > 0; kt_ring_release(our_ring())) {
		for (at = 0; at < p.size; at += kt_record_size(kt_event_record_size(e) + data)) {
			const char *record = (const char *)p.records + at;
			size_t index = *(const uint16_t *)record;

			e = kt_session_events(session)[index];
			data = kt_event_data_size(e, record);
			n += index == event && data == bytes;
		}
	}
	if (ret < 0)
		fail("%s", err.text);
	return n;
}

/* Lets the ring wrap, so that all of its memory has been written before. */
static inline void wrap_ring(const struct way *way)
{
	int i;

	for (i = 0; i < BEFORE; i++) {
		way->make(calls_max);
		if (!way->overwrites)
			count_records(0, 0);
	}
	if (way->overwrites && !kt_ring_overwritten(our_ring()))
		fail("%s: nothing was overwritten", way->name);
}

static inline void add_events(const struct way *way)
{
	struct kt_error err;
	struct kt_event *e;
	size_t i;

	for (i = 0; i < count_events(way); i++) {
		e = read_event(way, i);
		if (way->filter && !(e->filter = kt_filter_parse(e, way->filter, &err)))
			fail("%s", err.text);
		e->stacks = way->stacks;
		if (kt_session_add(session, e, &err) < 0)
			fail("%s", err.text);
		if (!e->curated != way->classic)
			fail("%s: the kernel refused the curated program", way->name);
	}
}

static inline void add_stacks(const struct way *way)
{
	struct kt_error err;
	struct kt_callstack_tables *stacks = kt_callstack_tables_new(way->stacks, false, btf, &err);

	if (!stacks)
		fail("%s", err.text);
	kt_session_set_stacks(session, stacks);
}

static inline void attach_session(const struct way *way)
{
	bool follows = way->follows_us || way->follows_others;
	struct kt_error err;

	session = kt_session_new(kt_geometry_of(RING), SIDES, NULL, &err);
	if (session && way->can_freeze)
		kt_session_set_freezing(session, 0);
	if (!session || (way->overwrites && kt_session_set_overwrite(session, &err) < 0) ||
	    (follows && kt_session_follow(session, tracefs, btf, &err) < 0) ||
	    (strcmp(way->events[0].system, "syscalls") == 0 &&
	     kt_session_add_dispatch(session, tracefs, btf, way->bytes_max, &err) < 0))
		fail("%s", err.text);
	if (way->stacks)
		add_stacks(way);
	add_events(way);
	kt_session_start(session);
	if (way->follows_us && kt_session_follow_self(session, &err) < 0)
		fail("%s", err.text);
	if (!way->filters_all)
		wrap_ring(way);
}

static inline void check_session(const struct way *way)
{
	unsigned long made = WARM + calls + (way->filters_all ? 0 : BEFORE * calls_max), n;
	struct kt_counters t;
	size_t i;

	for (i = 0; i < count_events(way); i++) {
		t = kt_counter_map_read(kt_session_counters(session), i, cpu);
		if (kt_counters_lost(t))
			fail("%s: %lu events lost", way->name, kt_counters_lost(t));
		if (t.no_stack)
			fail("%s: %lu stacks lost", way->name, t.no_stack);
		if ((way->filters_all ? t.filtered : t.hits) < made)
			fail("%s: %lu events and %lu filtered, expected at least %lu", way->name,
			     t.hits, t.filtered, made);
	}
	if (way->bytes && (n = count_records(i - 1, way->bytes)) < WARM + calls)
		fail("%s: %lu records with %zu bytes, expected at least %lu", way->name, n,
		     way->bytes, WARM + calls);
}

static inline void detach_session(const struct way *way)
{
	kt_session_stop(session);
	check_session(way);
	kt_session_free(session);
}

static inline double time_calls(const struct way *way, unsigned long n)
{
	uint64_t begin = kt_clock_now();

	way->make(n);
	return (double)(kt_clock_now() - begin) / n;
}

/* Returns the number of complete rounds. */
static inline size_t time_ways(struct way *ways, size_t n, size_t rounds)
{
	size_t i, round;

	for (round = 0; round < rounds && !stopped; round++) {
		for (i = 0; i < n; i++) {
			ways[i].attach(&ways[i]);
			time_calls(&ways[i], WARM);
			ways[i].times[round] = time_calls(&ways[i], calls);
			ways[i].detach(&ways[i]);
		}
	}
	return round;
}

/* Returns the ns per call that a way adds to its floor: the median of n rounds. */
static inline double cost_of(const struct way *way, size_t n)
{
	return median(way->times, way->floor->times, n);
}

/* Prints a row per way, its cost also relative to the reference's, under the head "whose". */
static inline void print_ways(const struct way *ways, size_t n, const struct way *reference,
			      size_t rounds, const char *whose, const char *what)
{
	size_t i;

	printf("%10s %10s %12s  %s\n", "ns/call", "added ns", whose, what);
	for (i = 0; i < n; i++) {
		printf("%10.1f ", median(ways[i].times, NULL, rounds));
		if (ways[i].floor)
			printf("%10.1f %12.2f", cost_of(&ways[i], rounds),
			       cost_of(&ways[i], rounds) / cost_of(reference, rounds));
		else
			printf("%23s", "");
		printf("  %s\n", ways[i].name);
	}
}

#endif
