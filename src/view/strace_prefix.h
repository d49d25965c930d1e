/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the beginning of a line in strace's format: the thread, and the time if wanted (strace's
 * options -f, -t and -r; doc/view.md).
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
	KT_TIME_SECONDS,      /* 14:03:07, local time */
	KT_TIME_MICROSECONDS, /* 14:03:07.123456 */
	KT_TIME_SINCE_1970,   /* 1795788187.123456 */
};

struct kt_strace_prefix {
	enum kt_time_of_day absolute;
	bool relative;      /* time since the line before */
	int64_t since_1970; /* ns to add to times */

	/* Private, all 0 at first: */
	uint64_t last;  /* time of the line before */
	uint64_t begin; /* begin of the line in the text */
};

void kt_strace_prefix_print(struct kt_strace_prefix *l, struct kt_text *to,
			    const struct kt_hit *hit);

/* Prints blanks up to the column where strace prints a call's return value. */
void kt_strace_prefix_align(const struct kt_strace_prefix *l, struct kt_text *to);

#endif
