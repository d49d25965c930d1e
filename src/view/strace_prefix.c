// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/strace_prefix.h"

#include <inttypes.h>
#include <stdio.h>

#include "trace/read/stream_reader.h"
#include "values/text.h"

enum { TID_WIDTH = 5, RELATIVE_WIDTH = 6, RETURN_COLUMN = 40 };

static void put_blanks(struct kt_text *t, size_t len, size_t width)
{
	if (len < width)
		kt_text_fill(t, width - len, ' ');
}

static void put_time_of_day(struct kt_text *t, const struct kt_strace_prefix *l, uint64_t time)
{
	int64_t ns = (int64_t)((uint64_t)l->since_1970 + time); /* traces may have any offset */

	if (l->absolute == KT_TIME_SINCE_1970)
		kt_text_microseconds(t, ns, 0);
	else
		kt_text_clock(t, ns, l->absolute == KT_TIME_MICROSECONDS);
	kt_text_char(t, ' ');
}

/* Prints a negative time: a line may be of an earlier time than the one before it. */
static void put_before(struct kt_text *t, uint64_t ns)
{
	put_blanks(t, snprintf(NULL, 0, "-%" PRIu64, ns / 1000000000), RELATIVE_WIDTH);
	kt_text_char(t, '-');
	kt_text_microseconds(t, ns, 0);
}

static void put_relative(struct kt_text *t, const struct kt_strace_prefix *l, uint64_t time)
{
	bool is_second = l->absolute != KT_TIME_NONE;

	if (is_second)
		kt_text_string(t, "(+");
	if (l->last > time)
		put_before(t, l->last - time);
	else
		kt_text_microseconds(t, l->last ? time - l->last : 0, RELATIVE_WIDTH);
	kt_text_string(t, is_second ? ") " : " ");
}

void kt_strace_prefix_print(struct kt_strace_prefix *l, struct kt_text *to,
			    const struct kt_hit *hit)
{
	l->begin = kt_text_position(to);
	put_blanks(to, kt_text_signed(to, hit->tid), TID_WIDTH);
	kt_text_char(to, ' ');
	if (l->absolute != KT_TIME_NONE)
		put_time_of_day(to, l, hit->time);
	if (l->relative)
		put_relative(to, l, hit->time);
	l->last = hit->time;
}

void kt_strace_prefix_align(const struct kt_strace_prefix *l, struct kt_text *to)
{
	put_blanks(to, kt_text_position(to) - l->begin, RETURN_COLUMN);
}
