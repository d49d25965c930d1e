/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the hits of an event cost the task that they happen to, in several ways of being there, all
 * of them in one process:
 *
 *	static struct way ways[] = {
 *		{"an empty program", PROGRAM, CALL},
 *		{"recorded", SESSION, CALL, .floor = &ways[0]},
 *	};
 *
 *	open_machine();
 *	calls_max = calls = 20000;
 *	rounds = time_ways(ways, 2, rounds);
 *	printf("%f ns more\n", added(&ways[1], rounds));
 *	close_machine();
 *
 * In every round each way is attached in turn, so many calls are timed on one CPU, and it is
 * detached again, so that all are measured under the same conditions. Rings have been full before:
 * where memory is written for the first time that can cost more than all else, once. They hold what
 * is timed, and nobody reads them meanwhile. Each time it is looked at whether every call was
 * recorded, or left out, as it was to be.
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
#include "events/tracefs.h"
#include "fetch/curate.h"
#include "filter/filter_parser.h"
#include "hook/probe.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/counter_map.h"
#include "session/session.h"

#include "rounds.h"

enum {
	WARM = 1000,
	BEFORE = 4,     /* times calls_max, and the ring has been round */
	RING = 4 << 20, /* bytes a CPU, as 'record' has it unless told otherwise */
	SIDES = 2,      /* of a system call: events that a way is at */
};

/* One way to be at events. What is attached at a time is one. */
struct way {
	const char *name;
	void (*attach)(const struct way *way);
	void (*detach)(const struct way *way);
	void (*make)(unsigned long n); /* so many calls */
	const struct way *floor;       /* by which it is to be seen what it adds; or NULL */
	struct kt_event_name events[SIDES];

	/* Of a program. */
	bool reads_clock;

	/* Of a session: whether it records what the kernel does, of whom, and by which filter. */
	bool classic, follows_us, follows_others;
	const char *filter;
	bool leaves_out;

	/* Or as a flight recorder does it, which is to be frozen by some other event. */
	bool overwrites, can_freeze;

	/* Of system calls: the most that it copies, and what each record of the last event has. */
	size_t bytes_max, bytes;

	/* Of ftrace. */
	const char *clock;

	double times[ROUNDS_MAX]; /* ns a call */
};

static int tracefs;
static struct kt_btf *btf;
static size_t cpu;              /* the one that all of it happens on */
static unsigned long calls;     /* that are timed */
static unsigned long calls_max; /* so many records fit a ring */

static inline void open_machine(void)
{
	struct kt_error err;

	tracefs = kt_tracefs_open(&err);
	if (tracefs < 0)
		fail("%s", err.text);
	btf = kt_btf_new();
	if (!btf)
		fail("%s", strerror(ENOMEM));
	cpu = pin();
}

/* But for tracefs, which may be needed until the very end. */
static inline void close_machine(void)
{
	kt_btf_free(btf);
}

static inline size_t n_events(const struct way *way)
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

/* A program that records nothing. */

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
	for (i = 0; i < n_events(way); i++) {
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

	for (i = 0; i < n_events(way); i++) {
		kt_probe_detach(&probes[i]);
		kt_probe_close(&probes[i]);
	}
}

/* A session. */

#define SESSION .attach = attach_session, .detach = detach_session

static struct kt_session *session;

static inline struct kt_ring *our_ring(void)
{
	return kt_rings_at(kt_session_rings(session), cpu);
}

/* How many records of an event have so many bytes of data. */
static inline unsigned long read_ring(size_t event, size_t bytes)
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

/* What is timed then finds the ring as one that has been recorded into for long. */
static inline void go_round(const struct way *way)
{
	int i;

	for (i = 0; i < BEFORE; i++) {
		way->make(calls_max);
		if (!way->overwrites)
			read_ring(0, 0);
	}
	if (way->overwrites && !kt_ring_overwritten(our_ring()))
		fail("%s: nothing is overwritten", way->name);
}

static inline void add_events(const struct way *way)
{
	struct kt_error err;
	struct kt_event *e;
	size_t i;

	for (i = 0; i < n_events(way); i++) {
		e = read_event(way, i);
		if (way->filter && !(e->filter = kt_filter_parse(e, way->filter, &err)))
			fail("%s", err.text);
		if (kt_session_add(session, e, &err) < 0)
			fail("%s", err.text);
		if (!e->curated != way->classic)
			fail("%s: the kernel refuses the curated program", way->name);
	}
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
	add_events(way);
	kt_session_start(session);
	if (way->follows_us && kt_session_follow_self(session, &err) < 0)
		fail("%s", err.text);
	if (!way->leaves_out)
		go_round(way);
}

static inline void check_session(const struct way *way)
{
	unsigned long made = WARM + calls + (way->leaves_out ? 0 : BEFORE * calls_max), n;
	struct kt_counters t;
	size_t i;

	for (i = 0; i < n_events(way); i++) {
		t = kt_counter_map_read(kt_session_counters(session), i, cpu);
		if (kt_counters_lost(t))
			fail("%s: %lu hits lost", way->name, kt_counters_lost(t));
		if ((way->leaves_out ? t.filtered : t.hits) < made)
			fail("%s: %lu hits and %lu left out of at least %lu", way->name, t.hits,
			     t.filtered, made);
	}
	if (way->bytes && (n = read_ring(i - 1, way->bytes)) < WARM + calls)
		fail("%s: %lu records with %zu bytes of at least %lu", way->name, n, way->bytes,
		     WARM + calls);
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

/* Returns how many rounds were whole. */
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

/* ns a call, of so many rounds. */
static inline double added(const struct way *way, size_t rounds)
{
	return median(way->times, way->floor->times, rounds);
}

/* A row a way, what each adds as a part of what another one does; that one is whose. */
static inline void print_ways(const struct way *ways, size_t n, const struct way *reference,
			      size_t rounds, const char *whose, const char *what)
{
	size_t i;

	printf("%10s %10s %12s  %s\n", "ns a call", "ns more", whose, what);
	for (i = 0; i < n; i++) {
		printf("%10.1f ", median(ways[i].times, NULL, rounds));
		if (ways[i].floor)
			printf("%10.1f %12.2f", added(&ways[i], rounds),
			       added(&ways[i], rounds) / added(reference, rounds));
		else
			printf("%23s", "");
		printf("  %s\n", ways[i].name);
	}
}

#endif
