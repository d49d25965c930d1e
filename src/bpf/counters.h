/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of one event on one CPU: what happened to its hits. BPF programs write them, user space
 * maps and reads them. Append only.
 *
 * A CPU's counters follow each other by the event's index in the session, and fill whole cache
 * lines, so that no two CPUs write to one line.
 */
#ifndef KT_BPF_COUNTERS_H
#define KT_BPF_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

/* All members are 64-bit counters. */
struct kt_counters {
	uint64_t hits;      /* hits that should be recorded; each was recorded or lost */
	uint64_t full;      /* hits lost because the ring had no free sub-buffer */
	uint64_t contended; /* hits lost because every attempt to reserve room was disturbed by
			       others */
	uint64_t no_ring;   /* hits lost because their CPU was not there when the rings were made */
	uint64_t filtered;  /* hits that were filtered; they are not part of `hits` */
	uint64_t unfit;     /* hits lost because a record has no room for their data */
	uint64_t missed;    /* hits that the kernel does not pass to the program, as far as
			       another program sees them; part of `hits`, and lost */
	uint64_t no_stack;  /* stacks that were lost, of hits that were recorded */
};

_Static_assert(sizeof(struct kt_counters) == 64, "layout shared with generated programs");

static inline uint64_t kt_counters_lost(struct kt_counters t)
{
	return t.full + t.contended + t.no_ring + t.unfit + t.missed;
}

/* Returns how many hits went into the CPU's ring. */
static inline uint64_t kt_counters_recorded(struct kt_counters t)
{
	return t.hits - kt_counters_lost(t);
}

static inline void kt_counters_add(struct kt_counters *sum, struct kt_counters t)
{
	sum->hits += t.hits;
	sum->full += t.full;
	sum->contended += t.contended;
	sum->no_ring += t.no_ring;
	sum->filtered += t.filtered;
	sum->unfit += t.unfit;
	sum->missed += t.missed;
	sum->no_stack += t.no_stack;
}

/* Subtracts an earlier reading of the same counters. */
static inline void kt_counters_subtract(struct kt_counters *t, struct kt_counters then)
{
	t->hits -= then.hits;
	t->full -= then.full;
	t->contended -= then.contended;
	t->no_ring -= then.no_ring;
	t->filtered -= then.filtered;
	t->unfit -= then.unfit;
	t->missed -= then.missed;
	t->no_stack -= then.no_stack;
}

/* Returns the size of one CPU's counters for n events. */
static inline size_t kt_counters_size(size_t n)
{
	return (n * sizeof(struct kt_counters) + 63) & ~(size_t)63;
}

#endif
