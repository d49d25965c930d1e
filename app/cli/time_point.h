/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points in the time of a trace, as users type them (--since, --until):
 *
 *	4711.25		seconds since boot, as ktrace print prints them
 *	+2, +200ms	after the trace's begin
 *	-2		before its end
 *	12:30, 12:30:05.5	the time of day, here
 */
#ifndef KT_APP_CLI_TIME_POINT_H
#define KT_APP_CLI_TIME_POINT_H

#include <stdint.h>

struct time_points {
	const char *since, *until; /* as typed; or NULL */
	uint64_t from, to;         /* in ns of CLOCK_MONOTONIC; to is 0 without an end */
};

/*
 * Sets from and to for the trace in a directory (NULL: the default one), whose times are since_1970
 * ns after that. Reads the begin of the trace; all of it for a time before its end, or for a time
 * of day before its begin. Returns the exit status; errors are reported.
 */
int time_points_resolve(struct time_points *t, const char *command, const char *dir,
			int64_t since_1970);

#endif
