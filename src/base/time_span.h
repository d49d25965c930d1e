/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A span of time, in ns of CLOCK_MONOTONIC. It is empty if until <= from. */
#ifndef KT_BASE_TIME_SPAN_H
#define KT_BASE_TIME_SPAN_H

#include <stdbool.h>
#include <stdint.h>

struct kt_time_span {
	uint64_t from, until;
};

/* The span that holds every time. */
#define KT_ALWAYS ((struct kt_time_span){0, UINT64_MAX})

static inline bool kt_time_span_is_always(struct kt_time_span s)
{
	return s.from == 0 && s.until == UINT64_MAX;
}

/* Returns the intersection of two spans; empty if they do not overlap. */
static inline struct kt_time_span kt_time_span_within(struct kt_time_span s,
						      struct kt_time_span other)
{
	return (struct kt_time_span){
		.from = s.from > other.from ? s.from : other.from,
		.until = s.until < other.until ? s.until : other.until,
	};
}

#endif
