/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Provenance of a trace: which flight recorder it is a snapshot of, and which trigger caused it
 * (doc/trace.md).
 */
#ifndef KT_BASE_PROVENANCE_H
#define KT_BASE_PROVENANCE_H

#include <stdbool.h>
#include <stdint.h>

/* A hit of a trigger. */
struct kt_occasion {
	uint64_t hit;               /* when, in ns of CLOCK_MONOTONIC; 0: no trigger was hit */
	const char *system, *event; /* the trigger's event; NULL: not known */
	const char *filter;         /* the trigger's filter as typed; NULL: every hit matches */
};

/* All zeros: not a snapshot of a flight recorder. */
struct kt_provenance {
	const char *session;       /* name of the flight recorder */
	struct kt_occasion frozen; /* the hit that freezes the rings */
	uint64_t frozen_at;        /* when the rings freeze, or froze */
	struct kt_occasion taken;  /* the hit that the snapshot was taken for */
	int64_t clock_set;         /* ns by which the time of day was set while recording */
};

/*
 * Returns whether the rings were frozen at that time. If they freeze at the hit itself, they are
 * frozen from the hit on.
 */
static inline bool kt_provenance_is_frozen(const struct kt_provenance *p, uint64_t time)
{
	return p->frozen.hit && (p->frozen_at <= time || p->frozen_at == p->frozen.hit);
}

#endif
