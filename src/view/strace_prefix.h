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
	KT_TIME_CLOCK,      /* 14:03:07.123456, local time */
	KT_TIME_SINCE_1970, /* 1795788187.123456 */
};

/* Digits are those after the decimal point, 0 to 9. */
struct kt_strace_prefix_form {
	enum kt_time_of_day absolute;
	unsigned int absolute_digits;
	bool relative; /* time since the line before */
	unsigned int relative_digits;
	bool comms; /* the thread's name after its number: 4711<cat> */
	bool hides_thread;
};

struct kt_strace_prefix {
	struct kt_strace_prefix_form form;
	int64_t since_1970; /* ns to add to times */

	/* Private, all 0 at first: */
	uint64_t last; /* time of the line before */
};

void kt_strace_prefix_print(struct kt_strace_prefix *l, struct kt_text *to,
			    const struct kt_hit *hit);

#endif
