/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pointed-to data of this process's calls, as in their records. */
#ifndef KT_TESTS_COPIES_H
#define KT_TESTS_COPIES_H

#include <sys/mman.h>

#include "bpf/counters.h"
#include "events/curated.h"
#include "fetch/curate.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "tests/live/kernel.h"
#include "tests/live/session.h"

enum { N_CALLS_MAX = 8 }; /* events of a session */

/* The CPUs that this process may use. */
static cpu_set_t ours;

/* Returns n bytes at the end of readable memory; the last is a NUL or not. */
static inline const char *edge(size_t n, bool ends)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *at = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(at, MAP_FAILED);
	assert_int_equal(mprotect(at + page, page, PROT_NONE), 0);
	memset(at, 'e', page);
	if (ends)
		at[page - 1] = '\0';
	return at + page - n;
}

/* A copy in a record. */
struct copy {
	size_t n;
	const char *data;
};

/* Finds the copies of the arguments' data in a record, in order. */
static inline void find_copies(const struct kt_event *e, const char *record, struct copy *copies)
{
	const char *at = record + sizeof(struct kt_record);
	const char *data = record + kt_event_record_size(e);
	size_t i, n = 0;

	for (i = 0; i < e->n_fields; i++) {
		if (kt_field_varies(&e->fields[i])) {
			copies[n].n = *(const uint16_t *)at;
			copies[n].data = data;
			data += copies[n++].n;
		}
		at += kt_field_record_size(&e->fields[i]);
	}
	assert_int_equal(n, e->curated->n_pointed);
}

typedef void (*each)(const struct kt_event *e, const char *record, void *with);

static inline void for_each(const struct kt_session *s, each do_it, void *with)
{
	const struct kt_rings *rings = kt_session_rings(s);
	const struct kt_event *e;
	struct kt_ring *ring;
	struct kt_packet p;
	struct kt_error err;
	size_t at, i;

	for (i = 0; i < kt_rings_cpus(rings); i++) {
		ring = kt_rings_at(rings, i);
		for (; ring && kt_ring_next(ring, &p, &err) > 0; kt_ring_release(ring)) {
			assert_int_equal(p.lost, 0);
			for (at = 0; at < p.size;) {
				e = kt_session_events(s)[*(uint16_t *)(p.records + at)];
				do_it(e, p.records + at, with);
				at += kt_record_size(kt_event_record_size(e) +
						     kt_event_data_size(e, p.records + at));
			}
		}
	}
}

/* Creates a session that follows this process only. */
static inline struct kt_session *session_for(struct kt_geometry geometry, size_t bytes_max)
{
	struct kt_error err;
	struct kt_session *s = kt_session_new(geometry, N_CALLS_MAX, NULL, &err);

	if (!s || kt_session_follow(s, kernel.tracefs, kernel.btf, &err) < 0 ||
	    kt_session_add_dispatch(s, kernel.tracefs, kernel.btf, bytes_max, &err) < 0)
		fail_msg("%s", err.text);
	return s;
}

/* With a filter, or NULL. */
static inline void add_call(struct kt_session *s, const char *event, const char *filter)
{
	struct kt_event *e = read_event("syscalls", event);
	struct kt_error err;

	if (kt_curate(e, kernel.btf, &err) < 0)
		fail_msg("%s", err.text);
	e->filter = parse_filter(e, filter);
	if (kt_session_add(s, e, &err) < 0)
		fail_msg("%s", err.text);
	if (!e->curated)
		fail_msg("%s: goes the usual way", event);
}

static inline void start(struct kt_session *s)
{
	struct kt_error err;
	size_t cpus[CPU_SETSIZE];

	assert_int_equal(sched_getaffinity(0, sizeof(ours), &ours), 0);
	our_cpus(cpus);
	pin(cpus[0]);
	kt_session_start(s);
	assert_int_equal(kt_session_follow_self(s, &err), 0);
}

static inline void stop(struct kt_session *s)
{
	kt_session_stop(s);
	assert_int_equal(sched_setaffinity(0, sizeof(ours), &ours), 0);
}

#endif
