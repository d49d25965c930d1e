/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a line begins with in strace's form, as by its options -f and -o: the thread, and the time
 * where that is asked for (doc/view.md).
 *
 *	4711  14:03:07.123456 (+     0.000012)
 */
#ifndef KT_VIEW_STRACE_PREFIX_H
#define KT_VIEW_STRACE_PREFIX_H

#include <stdbool.h>
#include <stdint.h>

struct kt_hit;
struct kt_text;

enum kt_time_of_day {
	KT_TIME_NONE,
	KT_TIME_SECONDS,      /* 14:03:07, by the local time */
	KT_TIME_MICROSECONDS, /* 14:03:07.123456 */
	KT_TIME_SINCE_1970,   /* 1795788187.123456 */
};

struct kt_strace_prefix {
	enum kt_time_of_day absolute;
	bool relative;      /* what has passed since the line before */
	int64_t since_1970; /* ns to add to times */

	/* Its own, all 0 at first. */
	uint64_t last;  /* the time of the line before */
	uint64_t begin; /* of this one, in the text */
};

void kt_strace_prefix_print(struct kt_strace_prefix *l, struct kt_text *to,
			    const struct kt_hit *hit);

/* Blanks up to where strace says what a call returned, if the line is shorter. */
void kt_strace_prefix_align(const struct kt_strace_prefix *l, struct kt_text *to);

#endif
