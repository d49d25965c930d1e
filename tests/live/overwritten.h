/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbered calls into a ring small enough to be overwritten soon, and read meanwhile. */
#ifndef KT_TESTS_OVERWRITTEN_H
#define KT_TESTS_OVERWRITTEN_H

#include <stdlib.h>

#include "tests/live/numbered_records.h"

enum { N_FIT = (4096 - sizeof(struct kt_subbuf) - 8) / SIZE }; /* records in a small sub-buffer */

static inline struct session start_overwritten(unsigned int n_subbufs)
{
	struct session s = start_rings(12, n_subbufs, N_EVENTS);

	s.overwrite = true;
	return s;
}

/* A ring of small sub-buffers per CPU; tests use the first. */
struct trial {
	struct session s;
	int link;
	size_t cpus[CPU_SETSIZE], n;
	struct kt_ring *ring;
	struct kt_control *control; /* of that ring, followed by its memory */
	struct kt_cursor *cursor;
	struct caller caller;
	struct stream stream;
};

static inline size_t ring_memory(const struct trial *t)
{
	return (size_t)(1 + t->s.geometry.n_subbufs) << t->s.geometry.shift;
}

static inline struct trial *begin_trial(unsigned int n_subbufs)
{
	struct trial *t;

	skip_where_refused();
	t = calloc(1, sizeof(*t));
	t->n = our_cpus(t->cpus);
	t->s = start_overwritten(n_subbufs);
	t->ring = kt_rings_at(t->s.rings, t->cpus[0]);
	t->control = map_ring(t->ring, ring_memory(t));
	t->cursor = open_cursor(t->ring);
	t->link = attach_recorder(&t->s);
	return t;
}

static inline void end_trial(struct trial *t)
{
	close(t->link);
	kt_cursor_free(t->cursor);
	munmap(t->control, ring_memory(t));
	stop_rings(&t->s);
	free(t);
}

static inline struct kt_subbuf *subbuf_at(const struct trial *t, size_t i)
{
	return (void *)((char *)t->control + ((1 + i) << t->s.geometry.shift));
}

/* Makes n more calls with the next numbers, in this thread. */
static inline void make_numbered_calls(struct trial *t, int n)
{
	struct caller *c = &t->caller;
	cpu_set_t ours;

	assert_int_equal(sched_getaffinity(0, sizeof(ours), &ours), 0);
	*c = (struct caller){.cpu = t->cpus[0], .first = c->first + c->n, .n = n};
	call_there(c);
	assert_int_equal(sched_setaffinity(0, sizeof(ours), &ours), 0);
}

/* Returns the number of calls made. */
static inline uint64_t count_made(const struct trial *t)
{
	return t->caller.first + t->caller.n;
}

#endif
