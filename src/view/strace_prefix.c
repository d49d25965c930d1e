// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/strace_prefix.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/read/stream_reader.h"
#include "values/text.h"

enum { TID_WIDTH = 5, RELATIVE_WIDTH = 6 };

static void put_blanks(struct kt_text *t, size_t len, size_t width)
{
	if (len < width)
		kt_text_fill(t, width - len, ' ');
}

static void put_time_of_day(struct kt_text *t, const struct kt_strace_prefix *l, uint64_t time)
{
	int64_t ns = (int64_t)((uint64_t)l->since_1970 + time); /* traces may have any offset */

	if (l->form.absolute == KT_TIME_SINCE_1970)
		kt_text_seconds(t, ns, 0, l->form.absolute_digits);
	else
		kt_text_clock(t, ns, l->form.absolute_digits);
	kt_text_char(t, ' ');
}

/* Prints a negative time: a line may be of an earlier time than the one before it. */
static void put_before(struct kt_text *t, uint64_t ns, unsigned int digits)
{
	put_blanks(t, snprintf(NULL, 0, "-%" PRIu64, ns / 1000000000), RELATIVE_WIDTH);
	kt_text_char(t, '-');
	kt_text_seconds(t, ns, 0, digits);
}

static void put_relative(struct kt_text *t, const struct kt_strace_prefix *l, uint64_t time)
{
	bool is_second = l->form.absolute != KT_TIME_NONE;
	unsigned int digits = l->form.relative_digits;

	if (is_second)
		kt_text_string(t, "(+");
	if (l->last > time)
		put_before(t, l->last - time, digits);
	else
		kt_text_seconds(t, l->last ? time - l->last : 0, RELATIVE_WIDTH, digits);
	kt_text_string(t, is_second ? ") " : " ");
}

static void put_thread(struct kt_text *t, const struct kt_strace_prefix *l,
		       const struct kt_hit *hit)
{
	size_t len = kt_text_signed(t, hit->tid);

	if (l->form.comms && hit->comm)
		kt_text_bracketed(t, hit->comm, strlen(hit->comm));
	else
		put_blanks(t, len, TID_WIDTH);
	kt_text_char(t, ' ');
}

void kt_strace_prefix_print(struct kt_strace_prefix *l, struct kt_text *to,
			    const struct kt_hit *hit)
{
	if (!l->form.hides_thread)
		put_thread(to, l, hit);
	if (l->form.absolute != KT_TIME_NONE)
		put_time_of_day(to, l, hit->time);
	if (l->form.relative)
		put_relative(to, l, hit->time);
	l->last = hit->time;
}
