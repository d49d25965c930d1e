/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A span of time: ns of CLOCK_MONOTONIC. */
#ifndef KT_BASE_TIME_SPAN_H
#define KT_BASE_TIME_SPAN_H

#include <stdbool.h>
#include <stdint.h>

struct kt_time_span {
	uint64_t from, until;
};

/* Since ever, and for ever. */
#define KT_ALWAYS ((struct kt_time_span){0, UINT64_MAX})

static inline bool kt_time_span_is_always(struct kt_time_span s)
{
	return s.from == 0 && s.until == UINT64_MAX;
}

/* What of it lies in another one: of no length, or less, where nothing does. */
static inline struct kt_time_span kt_time_span_within(struct kt_time_span s,
						      struct kt_time_span other)
{
	return (struct kt_time_span){
		.from = s.from > other.from ? s.from : other.from,
		.until = s.until < other.until ? s.until : other.until,
	};
}

#endif
