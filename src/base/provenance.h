/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a trace was made of, and why it was: as it is written, and as it is read (doc/trace.md). */
#ifndef KT_BASE_PROVENANCE_H
#define KT_BASE_PROVENANCE_H

#include <stdbool.h>
#include <stdint.h>

/* A trigger was hit. */
struct kt_occasion {
	uint64_t hit;               /* ns of CLOCK_MONOTONIC; 0: none was */
	const char *system, *event; /* NULL: it is not known which */
	const char *filter;         /* which hits are meant, as it was written; NULL: all */
};

/* Zeros: of no flight, and so for no such reason. */
struct kt_provenance {
	const char *session;       /* what the flight is called */
	struct kt_occasion frozen; /* by which its rings were to be frozen */
	uint64_t frozen_at;        /* from then on they are */
	struct kt_occasion taken;  /* by which it was to be made */
	int64_t clock_set;         /* by so many ns the time of day was set while it recorded */
};

/* Whether the rings were frozen by then, or else were to be yet. At once is before anything else.
 */
static inline bool kt_provenance_is_frozen(const struct kt_provenance *p, uint64_t time)
{
	return p->frozen.hit && (p->frozen_at <= time || p->frozen_at == p->frozen.hit);
}

#endif
