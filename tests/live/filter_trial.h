/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters of one event, tested against another evaluation given for each: the records with the
 * filter are compared with those without. The event is recorded the kernel's way and, if possible,
 * curated.
 */
#ifndef KT_TESTS_FILTER_TRIAL_H
#define KT_TESTS_FILTER_TRIAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "bpf/counters.h"
#include "ctypes/btf.h"
#include "events/curated.h"
#include "events/extra_fields.h"
#include "fetch/curate.h"
#include "filter/filter_parser.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/counter_map.h"
#include "tests/live/calls.h"
#include "tests/live/session.h"

/* A filter, and whether it is true of the current record. */
struct row {
	const char *filter;
	bool (*is_so)(void);
};

/* Sets the test's variables from a record of that CPU. */
static void read_record(const struct kt_event *e, const char *record, size_t on);

enum { ROWS_MAX = 8, EVENTS_MAX = 1 + 2 * ROWS_MAX };

/* One event: without a filter, and with each row's filter in both ways. */
struct trial {
	const struct row *rows;
	int tracefs;
	struct kt_btf *btf;
	struct kt_session *session;
	char *records[EVENTS_MAX]; /* of one CPU, one after the other */
	size_t size[EVENTS_MAX];

	/* Of all CPUs: records, how many match the filter, and how many only one way has. */
	size_t total, recorded[EVENTS_MAX], so[EVENTS_MAX], absent[EVENTS_MAX], extra[EVENTS_MAX];
};

/* Records of one CPU. */
struct list_records {
	const char **records;
	size_t n;
	const char *last; /* the newest of all */
};

static inline void add_filtered(struct trial *t, const char *system, const char *event, size_t i)
{
	struct kt_event *e = read_event(system, event);
	bool curated;
	struct kt_error err;

	curated = kt_curate(e, t->btf, &err) == 0;
	if (curated && (!i || i % 2)) {
		kt_uncurate(e);
		curated = false;
	}
	if (i) {
		e->filter = kt_filter_parse(e, t->rows[(i - 1) / 2].filter, &err);
		if (!e->filter)
			fail_msg("%s", err.text);
	}
	if (kt_session_add(t->session, e, &err) < 0)
		fail_msg("%s", err.text);
	if (curated && !e->curated)
		fail_msg("%s: the verifier refuses it", t->rows[(i - 1) / 2].filter);
}

static inline void begin_trial(struct trial *t, const struct row *rows, const char *system,
			       const char *event)
{
	struct kt_error err;
	size_t i, n = 0;

	*t = (struct trial){.rows = rows, .tracefs = kt_tracefs_open(&err), .btf = kt_btf_new()};
	while (rows[n].filter)
		n++;
	assert_true(n <= ROWS_MAX);
	t->session = kt_session_new((struct kt_geometry){16, 64}, 1 + 2 * n, NULL, &err);
	if (!t->session || kt_session_follow(t->session, t->tracefs, NULL, &err) < 0 ||
	    kt_session_add_dispatch(t->session, t->tracefs, t->btf, 32, &err) < 0)
		fail_msg("%s", err.text);
	for (i = 0; i < 1 + 2 * n; i++)
		add_filtered(t, system, event, i);
	kt_session_start(t->session);
}

static inline size_t record_size(const struct trial *t, const char *record)
{
	const struct kt_event *e = kt_session_events(t->session)[*(uint16_t *)record];

	return kt_record_size(kt_event_record_size(e) + kt_event_data_size(e, record));
}

/*
 * Makes a dead task a zombie: one becomes the other when it is reaped, which may be between two
 * programs of its last switch.
 */
static inline void unify_dead(const struct kt_event *e, char *record)
{
	enum { EXIT_DEAD = 0x10, EXIT_ZOMBIE = 0x20 };
	const struct kt_field *f = e->fields;
	char *at = record + sizeof(struct kt_record);
	long state;

	if (strcmp(e->name, "sched_switch") != 0)
		return;
	for (; strcmp(f->name, "prev_state") != 0; f++)
		at += kt_field_record_size(f);
	memcpy(&state, at, sizeof(state));
	if (state == EXIT_DEAD)
		state = EXIT_ZOMBIE;
	memcpy(at, &state, sizeof(state));
}

static inline void read_ring(struct trial *t, struct kt_ring *ring)
{
	struct kt_packet p;
	struct kt_error err;
	size_t at, size, i;

	memset(t->size, 0, sizeof(t->size));
	kt_ring_flush(ring);
	for (; kt_ring_next(ring, &p, &err) > 0; kt_ring_release(ring)) {
		assert_int_equal(p.lost, 0);
		for (at = 0; at < p.size; at += size) {
			size = record_size(t, p.records + at);
			i = *(uint16_t *)(p.records + at);
			t->records[i] = realloc(t->records[i], t->size[i] + size);
			memcpy(t->records[i] + t->size[i], p.records + at, size);
			unify_dead(kt_session_events(t->session)[i], t->records[i] + t->size[i]);
			t->size[i] += size;
		}
	}
}

/* Returns the size of a record without extra fields, which the kernel's own records lack. */
static inline size_t kernel_size(const struct trial *t, const char *record)
{
	const struct kt_event *e = kt_session_events(t->session)[*(uint16_t *)record];
	const struct kt_extra_fields *x = kt_extra_fields_of(e->system, e->name);
	size_t i, size = kt_event_record_size(e) + kt_event_data_size(e, record);

	for (i = 0; kt_extra_fields_are_added(e) && i < x->n; i++)
		size -= x->fields[i].size;
	return size;
}

/* Compares records, except for event and time. */
static inline int compare_records(const void *a, const void *b, void *trial)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	size_t from = offsetof(struct kt_record, tid), size = kernel_size(trial, x);

	if (size != kernel_size(trial, y))
		return size < kernel_size(trial, y) ? -1 : 1;
	return memcmp(x + from, y + from, size - from);
}

/*
 * Lists event i's records, or those matching, sorted: an interrupt between two programs of a hit
 * has its own events before it in one recording and after it in the other.
 */
static inline struct list_records list_records(struct trial *t, size_t i, size_t on,
					       bool (*is_so)(void))
{
	struct list_records l = {
		calloc(1 + t->size[i] / sizeof(struct kt_record), sizeof(*l.records)), 0, NULL};
	const char *at;
	size_t offset;

	for (offset = 0; offset < t->size[i]; offset += record_size(t, at)) {
		l.last = at = t->records[i] + offset;
		read_record(kt_session_events(t->session)[i], at, on);
		if (!is_so || is_so())
			l.records[l.n++] = at;
	}
	qsort_r(l.records, l.n, sizeof(*l.records), compare_records, t);
	return l;
}

/*
 * Event i's records must be event 0's matching ones, except for the first and last hit of the
 * recording, and a process just released by a tracer: its state changes between two programs of the
 * same hit.
 */
static inline void match_records(struct trial *t, size_t i, size_t on)
{
	struct list_records is = list_records(t, i, on, NULL),
			    should = list_records(t, 0, on, t->rows[(i - 1) / 2].is_so);
	size_t a = 0, b = 0;
	int order;

	t->recorded[i] += is.n;
	t->so[i] += should.n;
	while (a < is.n || b < should.n) {
		order = a == is.n ? 1 : -1;
		if (a < is.n && b < should.n)
			order = compare_records(&is.records[a], &should.records[b], t);
		t->extra[i] +=
			order < 0 && is.records[a] != t->records[i] && is.records[a] != is.last;
		t->absent[i] += order > 0 && should.records[b] != should.last;
		a += order <= 0;
		b += order >= 0;
	}
	free(is.records);
	free(should.records);
}

static inline size_t difference(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

/*
 * Some hits match and the others are counted. What only one way has, the kernel reports as missed.
 * When the enable word changes, a CPU is within one hit, and one per kind of interrupt.
 */
static inline void assert_counts(const struct trial *t, size_t i)
{
	const struct kt_counter_map *map = kt_session_counters(t->session);
	struct kt_counters counters = kt_counter_map_sum(map, i), all = kt_counter_map_sum(map, 0);
	uint64_t missed = kt_session_missed(t->session, i),
		 missed_0 = kt_session_missed(t->session, 0);
	const char *filter = t->rows[(i - 1) / 2].filter;

	if (!t->so[i] || t->so[i] == t->total)
		fail_msg("%s: so of %zu of %zu hits", filter, t->so[i], t->total);
	if (t->absent[i] > missed)
		fail_msg("%s: not of %zu hits of which it is so", filter, t->absent[i]);
	if (t->extra[i] > missed_0)
		fail_msg("%s: of %zu hits of which it is not so", filter, t->extra[i]);
	assert_int_equal(counters.hits, t->recorded[i]);
	assert_int_equal(kt_counters_lost(counters), 0);
	assert_in_range(difference(counters.hits + counters.filtered + missed,
				   all.hits + all.filtered + missed_0),
			0, 2 * 4 * kt_rings_cpus(kt_session_rings(t->session)));
}

static inline void end_trial(struct trial *t)
{
	const struct kt_rings *rings = kt_session_rings(t->session);
	size_t n = kt_session_count(t->session), i, on;

	kt_session_stop(t->session);
	for (on = 0; on < kt_rings_cpus(rings); on++) {
		if (!kt_rings_at(rings, on))
			continue;
		read_ring(t, kt_rings_at(rings, on));
		for (i = 1; i < n; i++)
			match_records(t, i, on);
	}
	t->total = kt_counter_map_sum(kt_session_counters(t->session), 0).hits;
	for (i = 1; i < n; i++)
		assert_counts(t, i);
	for (i = 0; i < n; i++)
		free(t->records[i]);
	kt_session_free(t->session);
	kt_btf_free(t->btf);
	close(t->tracefs);
}

/* Runs the work in a child that stays on one CPU. */
static inline void try_filters(const struct row *rows, const char *system, const char *event,
			       void (*work)(void))
{
	size_t cpus[CPU_SETSIZE];
	struct trial t;
	struct kt_error err;
	int status;
	pid_t child;

	skip_where_refused();
	our_cpus(cpus);
	begin_trial(&t, rows, system, event);
	child = fork();
	if (child == 0) {
		pin(cpus[0]);
		if (kt_session_follow_self(t.session, &err) < 0)
			_exit(1);
		work();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	end_trial(&t);
}

#endif
