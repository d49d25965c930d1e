// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/time_point.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/cli/command.h"
#include "base/duration.h"
#include "base/error.h"
#include "trace/read/trace_reader.h"

#define NS_PER_S UINT64_C(1000000000)

enum { DAY = 24 * 60 * 60 };

/* What of the trace must be known. */
struct ends {
	uint64_t begin, end;
};

static bool needs_end(const char *text)
{
	return text && *text == '-';
}

static bool needs_begin(const char *text)
{
	return text && (*text == '+' || strchr(text, ':'));
}

/* Reads the trace up to its first record, or all of it. */
static int read_ends(struct ends *ends, const char *dir, bool all, struct kt_error *err)
{
	struct kt_trace_reader *r = kt_trace_reader_open(dir, err);
	struct kt_extent extent;
	struct kt_error damage;
	struct kt_hit hit = {0};
	bool is_first = true;

	if (!r)
		return -err->code;
	while ((is_first || all) && kt_trace_reader_next(r, &hit, &damage) != 0) {
		if (is_first)
			ends->begin = hit.time;
		is_first = false;
	}
	if (kt_trace_reader_begin(r))
		ends->begin = kt_trace_reader_begin(r);
	ends->end = hit.time;
	if (kt_trace_reader_extent(r, KT_MAIN, &extent) && extent.end > ends->end)
		ends->end = extent.end;
	kt_trace_reader_free(r);
	return 0;
}

/* Parses seconds with a fraction: "4711.25". Returns false if the text is something else. */
static bool parse_seconds(const char *text, uint64_t *ns)
{
	uint64_t s, unit = NS_PER_S;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	s = strtoull(text, &end, 10);
	if (errno || __builtin_mul_overflow(s, NS_PER_S, ns))
		return false;
	if (*end == '.')
		for (end++; *end >= '0' && *end <= '9'; end++)
			*ns += (*end - '0') * (unit /= 10);
	return !*end;
}

/* Parses a number of seconds, or a number with a unit. */
static bool parse_distance(const char *text, uint64_t *ns)
{
	struct kt_error err;

	return parse_seconds(text, ns) || kt_duration_parse(text, ns, &err) == 0;
}

/* Parses "12:30" or "12:30:05.5" to ns since midnight. */
static bool parse_clock(const char *text, uint64_t *ns)
{
	unsigned int hours, minutes;
	int n = 0;

	*ns = 0;
	if (sscanf(text, "%2u:%2u%n", &hours, &minutes, &n) < 2 || hours > 23 || minutes > 59)
		return false;
	if (text[n] == ':' && (!parse_seconds(text + n + 1, ns) || *ns >= 60 * NS_PER_S))
		return false;
	*ns += (hours * 60 + minutes) * 60 * NS_PER_S;
	return text[n] == ':' || !text[n];
}

/* Returns the time of day that is nearest to the trace's begin. */
static uint64_t find_clock(uint64_t ns, uint64_t begin, int64_t since_1970)
{
	time_t at = (begin + since_1970) / NS_PER_S, midnight;
	struct tm day;
	int64_t time;

	localtime_r(&at, &day);
	day.tm_hour = day.tm_min = day.tm_sec = 0;
	midnight = mktime(&day);
	time = midnight * (int64_t)NS_PER_S + (int64_t)ns - since_1970;
	if (time + DAY / 2 * (int64_t)NS_PER_S < (int64_t)begin)
		time += DAY * (int64_t)NS_PER_S;
	return time < 0 ? 0 : time;
}

static bool parse_point(const char *text, const struct ends *ends, int64_t since_1970,
			uint64_t *time)
{
	uint64_t ns;

	if (*text == '+' || *text == '-') {
		if (!parse_distance(text + 1, &ns))
			return false;
		if (*text == '+')
			*time = ends->begin + ns;
		else
			*time = ns < ends->end ? ends->end - ns : 0;
		return true;
	}
	if (!strchr(text, ':'))
		return parse_seconds(text, time);
	if (!parse_clock(text, &ns))
		return false;
	*time = find_clock(ns, ends->begin, since_1970);
	return true;
}

int time_points_resolve(struct time_points *t, const char *command, const char *dir,
			int64_t since_1970)
{
	bool all = needs_end(t->since) || needs_end(t->until);
	struct ends ends = {0};
	struct kt_error err;

	if (!dir)
		dir = TRACE_DIR;
	if ((all || needs_begin(t->since) || needs_begin(t->until)) &&
	    read_ends(&ends, dir, all, &err) < 0)
		return report_error(command, &err);
	if (t->since && !parse_point(t->since, &ends, since_1970, &t->from))
		return report_argument(command, t->since, "not a time: 4711.5, +2, -2 or 12:30:05");
	if (t->until && !parse_point(t->until, &ends, since_1970, &t->to))
		return report_argument(command, t->until, "not a time: 4711.5, +2, -2 or 12:30:05");
	if (t->until && t->to <= t->from)
		return report_misuse(command, "--until must be after --since");
	return EXIT_OK;
}
