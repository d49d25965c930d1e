/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happened to one event on one CPU: what the session's ledger is made of. Generated programs
 * write it, user space maps and reads it. Append only.
 *
 * A CPU's tallies follow each other by the event's index in the session, and fill whole cache
 * lines, so that no line is written to by two CPUs.
 */
#ifndef KT_BPF_COUNTERS_H
#define KT_BPF_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

/* Figures of 64 bits alone. */
struct kt_counters {
	uint64_t hits;      /* to be recorded: each was, or was lost */
	uint64_t full;      /* of these lost: the ring had no free sub-buffer */
	uint64_t contended; /* of these lost: every try to take room was disturbed by others */
	uint64_t no_ring;   /* of these lost: the CPU was not there when the rings were made */
	uint64_t filtered;  /* not among the hits: not to be recorded */
	uint64_t unfit;     /* of these hits lost: a record has no room for their data */
};

_Static_assert(sizeof(struct kt_counters) == 48, "layout shared with generated programs");

static inline uint64_t kt_counters_lost(struct kt_counters t)
{
	return t.full + t.contended + t.no_ring + t.unfit;
}

/* Hits that went into the CPU's ring. */
static inline uint64_t kt_counters_kept(struct kt_counters t)
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
}

/* Of a figure that has grown, by how much. */
static inline void kt_counters_subtract(struct kt_counters *t, struct kt_counters then)
{
	t->hits -= then.hits;
	t->full -= then.full;
	t->contended -= then.contended;
	t->no_ring -= then.no_ring;
	t->filtered -= then.filtered;
	t->unfit -= then.unfit;
}

/* The size of one CPU's tallies of n events. */
static inline size_t kt_counters_size(size_t n)
{
	return (n * sizeof(struct kt_counters) + 63) & ~(size_t)63;
}

#endif
