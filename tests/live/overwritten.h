/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbered calls into a ring that is small enough to be overwritten soon, and read meanwhile. */
#ifndef KT_TESTS_OVERWRITTEN_H
#define KT_TESTS_OVERWRITTEN_H

#include <stdlib.h>

#include "tests/live/numbered.h"

enum { N_FIT = (4096 - sizeof(struct kt_subbuf) - 8) / SIZE }; /* records in a small sub-buffer */

/* A ring of small sub-buffers on each CPU, the first of which is ours here. */
struct trial {
	struct session s;
	int link;
	size_t cpus[CPU_SETSIZE], n;
	struct kt_ring *ring;
	struct kt_cursor *cursor;
	struct stream stream;
};

static inline struct trial *begin(unsigned int n_subbufs)
{
	struct trial *t = calloc(1, sizeof(*t));

	t->n = our_cpus(t->cpus);
	t->s = start(12, n_subbufs, N_EVENTS);
	t->s.overwrite = true;
	t->ring = kt_rings_at(t->s.rings, t->cpus[0]);
	t->cursor = look_at(t->ring);
	t->link = record(&t->s);
	return t;
}

static inline void end(struct trial *t)
{
	close(t->link);
	kt_cursor_free(t->cursor);
	stop(&t->s);
	free(t);
}

/* Another n calls, with the next numbers, by this thread. */
static inline void make(const struct trial *t, struct caller *c, int n)
{
	cpu_set_t ours;

	assert_int_equal(sched_getaffinity(0, sizeof(ours), &ours), 0);
	*c = (struct caller){.cpu = t->cpus[0], .first = c->first + c->n, .n = n};
	call_there(c);
	assert_int_equal(sched_setaffinity(0, sizeof(ours), &ours), 0);
}

#endif
