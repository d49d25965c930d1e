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

/* What of the trace must be known, read when it is needed. */
struct ends {
	const char *dir;
	int64_t since_1970;
	uint64_t begin, end; /* 0: unknown */
	bool has_end;
};

/* Reads the trace up to its first record, or all of it, unless that was done. */
static int read_ends(struct ends *ends, bool all, struct kt_error *err)
{
	struct kt_trace_reader *r;
	struct kt_extent extent;
	struct kt_error damage;
	struct kt_hit hit = {0};
	bool is_first = true;

	if (ends->has_end || (ends->begin && !all))
		return 0;
	r = kt_trace_reader_open(ends->dir, err);
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
	ends->has_end = all;
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

/*
 * Finds the time of day that is nearest to the trace's begin; if that is before, the next day's if
 * the trace has it.
 */
static int find_clock(uint64_t ns, struct ends *ends, uint64_t *found, struct kt_error *err)
{
	time_t at = (ends->begin + ends->since_1970) / NS_PER_S, midnight;
	const int64_t day_ns = DAY * (int64_t)NS_PER_S;
	struct tm day;
	int64_t time;

	localtime_r(&at, &day);
	day.tm_hour = day.tm_min = day.tm_sec = 0;
	midnight = mktime(&day);
	time = midnight * (int64_t)NS_PER_S + (int64_t)ns - ends->since_1970;
	if (time + day_ns / 2 < (int64_t)ends->begin)
		time += day_ns;
	if (time < (int64_t)ends->begin) {
		if (read_ends(ends, true, err) < 0)
			return -err->code;
		if (time + day_ns <= (int64_t)ends->end)
			time += day_ns;
	}
	*found = time < 0 ? 0 : time;
	return 0;
}

/* Finds a point relative to the begin or the end. */
static int find_relative(const char *text, struct ends *ends, uint64_t *time, struct kt_error *err)
{
	uint64_t ns;

	if (!parse_distance(text + 1, &ns))
		return -EINVAL;
	if (read_ends(ends, *text == '-', err) < 0)
		return -err->code;
	if (*text == '+')
		*time = ends->begin + ns;
	else
		*time = ns < ends->end ? ends->end - ns : 0;
	return 0;
}

/* Returns 0; -EINVAL if the text is no time, without an error; or -errno. */
static int find_point(const char *text, struct ends *ends, uint64_t *time, struct kt_error *err)
{
	uint64_t ns;

	if (*text == '+' || *text == '-')
		return find_relative(text, ends, time, err);
	if (!strchr(text, ':'))
		return parse_seconds(text, time) ? 0 : -EINVAL;
	if (!parse_clock(text, &ns))
		return -EINVAL;
	if (read_ends(ends, false, err) < 0)
		return -err->code;
	return find_clock(ns, ends, time, err);
}

static int resolve_point(const char *text, const char *command, struct ends *ends, uint64_t *time)
{
	struct kt_error err = {0};
	int ret = text ? find_point(text, ends, time, &err) : 0;

	if (ret == -EINVAL && !err.code)
		return report_argument(command, text, "not a time: 4711.5, +2, -2 or 12:30:05");
	return ret < 0 ? report_error(command, &err) : EXIT_OK;
}

int time_points_resolve(struct time_points *t, const char *command, const char *dir,
			int64_t since_1970)
{
	struct ends ends = {.dir = dir ? dir : TRACE_DIR, .since_1970 = since_1970};
	int status = resolve_point(t->since, command, &ends, &t->from);

	if (status == EXIT_OK)
		status = resolve_point(t->until, command, &ends, &t->to);
	if (status != EXIT_OK)
		return status;
	if (t->until && t->to <= t->from)
		return report_misuse(command, "--until must be after --since");
	return EXIT_OK;
}
