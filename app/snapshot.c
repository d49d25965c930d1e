// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace snapshot: what a session holds, as a trace, while it goes on (doc/flight.md). */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/command.h"
#include "app/progress.h"
#include "app/signals.h"
#include "app/trace.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/size.h"
#include "catalog/tracefs.h"
#include "session/about.h"
#include "session/banks.h"
#include "session/flight.h"
#include "trace/directory.h"
#include "trace/recording.h"
#include "trace/snapshot.h"
#include "view/text.h"

#define NAME "snapshot"

#define SECOND UINT64_C(1000000000)

struct snapshot {
	const char *name;
	const char *dir; /* or NULL: it is called like the session, and the time */
	sigset_t signals;
	int tracefs;
	struct kt_flight *flight;
};

/* Where what was held at that time goes; what one before was to take, beside it. */
static void name_directory(const struct snapshot *s, uint64_t time, bool is_earlier,
			   char path[PATH_MAX])
{
	uint64_t ns = time + kt_clock_since_1970();
	time_t seconds = ns / SECOND;
	struct tm tm;
	char text[64];

	if (s->dir) {
		snprintf(path, PATH_MAX, "%s%s", s->dir, is_earlier ? ".earlier" : "");
		return;
	}
	localtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y%m%d-%H%M%S", &tm);
	snprintf(path, PATH_MAX, "%s-%s.%03" PRIu64, s->name, text, ns % SECOND / 1000000);
}

/* Which hits were not to be recorded. */
static const char *left_out(const struct snapshot *s)
{
	const struct kt_about *about = kt_flight_about(s->flight);
	size_t i;

	for (i = 0; i < about->n_events; i++)
		if (about->events[i].filter)
			return "filters";
	return NULL;
}

/* By which trigger, and when. It was frozen then, or is to be yet. */
static void say_hit(const struct snapshot *s)
{
	static struct kt_text said;
	const struct kt_banks *banks = kt_flight_banks(s->flight);
	const struct kt_about *about = kt_flight_about(s->flight);
	struct kt_trigger_hit hit = kt_banks_hit(banks, kt_banks_resting(banks));
	uint64_t time = kt_snapshot_time(s->flight), between;
	bool is_frozen = hit.frozen <= time || hit.frozen == hit.at;

	if (!hit.at)
		return;
	between = hit.frozen > time ? hit.frozen - time : time - hit.frozen;
	said.to = stderr;
	kt_text_string(&said, is_frozen ? "  frozen " : "  to be frozen ");
	kt_text_duration(&said, between);
	kt_text_string(&said, is_frozen ? " before" : " behind it");
	if (hit.event < about->n_events) {
		kt_text_string(&said, ", by ");
		kt_text_string(&said, about->events[hit.event].system);
		kt_text_char(&said, ':');
		kt_text_string(&said, about->events[hit.event].name);
	}
	kt_text_string(&said, is_frozen ? "; it goes on from here\n" : "; it goes on until then\n");
	kt_text_flush(&said);
}

/* How much of it is written, on one line of a terminal. */
static void say_size(const struct kt_recording *r)
{
	char size[32];

	kt_size_format(kt_recording_size(r), size, sizeof(size));
	fprintf(stderr, "\r  %s\033[K", size);
}

/* Some MiB at a time, so that it can be ended. */
static int copy(const struct snapshot *s, struct kt_recording *r, struct kt_error *err)
{
	uint64_t began = kt_clock_now(), said = began;
	bool terminal = isatty(STDERR_FILENO);
	int n = 1;

	while (n > 0 && !is_ended(&s->signals)) {
		n = kt_recording_copy(r, err);
		if (!terminal || kt_clock_now() - said < SECOND)
			continue;
		said = kt_clock_now();
		say_size(r);
	}
	if (said > began)
		fputs("\r\033[K", stderr);
	return n > 0 ? kt_fail(err, EINTR, "ended before all was written") : n;
}

/* Into an empty directory. What rests is there then, and is not needed in the flight any more. */
static int write_into(struct snapshot *s, const char *path, int dir, struct kt_error *err)
{
	struct kt_snapshot *snapshot =
		kt_snapshot_new(s->flight, s->tracefs, ktrace_version, dir, err);
	int ret;

	if (!snapshot)
		return -err->code;
	ret = copy(s, kt_snapshot_recording(snapshot), err);
	if (ret == 0)
		ret = kt_snapshot_end(snapshot, dir, err);
	if (ret == 0) {
		kt_banks_take(kt_flight_banks(s->flight));
		name_addresses(NAME, kt_snapshot_recording(snapshot), dir);
		say_outcome(NAME, kt_snapshot_recording(snapshot), kt_snapshot_balance(snapshot),
			    kt_snapshot_span(snapshot), path, left_out(s));
		say_hit(s);
	}
	kt_snapshot_free(snapshot);
	return ret;
}

/* What rests, as a trace; if it cannot be there is none, and it waits for the next one. */
static int take(struct snapshot *s, bool is_earlier)
{
	struct kt_error err;
	char path[PATH_MAX];
	bool is_new;
	int dir, ret;

	name_directory(s, kt_snapshot_time(s->flight), is_earlier, path);
	dir = ret = kt_directory_make(path, &is_new, &err);
	if (dir >= 0) {
		ret = write_into(s, path, dir, &err);
		if (ret < 0) {
			kt_directory_remove(path, dir, is_new);
			kt_fail_because(&err, "cannot write to %s", path);
		}
		close(dir);
	}
	if (ret == 0)
		return EXIT_OK;
	say_error(NAME, &err);
	fprintf(stderr, "  what '%s' held is kept for the next 'ktrace " NAME "'\n", s->name);
	return EXIT_FAILED;
}

/* Before it is turned, as this is what goes wrong most. */
static int check(const struct snapshot *s, struct kt_error *err)
{
	char path[PATH_MAX];

	name_directory(s, kt_clock_now(), false, path);
	return kt_directory_check(path, err);
}

/* Where no spare is kept, it is there as long as it is needed. */
static int make_spare(struct snapshot *s, struct kt_error *err)
{
	if (kt_banks_make_spare(kt_flight_banks(s->flight), err) == 0)
		return 0;
	return kt_fail_because(err, "no second rings for '%s', which goes on and has lost nothing",
			       s->name);
}

static void free_spare(struct snapshot *s)
{
	struct kt_banks *banks = kt_flight_banks(s->flight);
	struct kt_error err;

	if (!kt_banks_wants_spare(banks) && kt_banks_drop_spare(banks, &err) < 0)
		say_error(NAME, &err);
}

/* Where one before was interrupted, what it was to take first. */
static int take_all(struct snapshot *s)
{
	struct kt_banks *banks = kt_flight_banks(s->flight);
	struct kt_error err;
	int status = EXIT_OK;

	if (check(s, &err) < 0)
		return say_error(NAME, &err);
	if (!kt_banks_is_taken(banks)) {
		fputs("ktrace " NAME
		      ": the one before was interrupted: first what it was to take\n",
		      stderr);
		kt_banks_turn(banks);
		status = take(s, true);
	}
	if (status != EXIT_OK)
		return status;
	if (make_spare(s, &err) < 0)
		return say_error(NAME, &err);
	kt_banks_turn(banks);
	status = take(s, false);
	if (status == EXIT_OK)
		free_spare(s);
	return status;
}

static int snapshot(struct snapshot *s)
{
	struct kt_error err;
	int status;

	take_signals(&s->signals);
	s->flight = kt_flight_hold(s->name, &err);
	if (!s->flight)
		return say_error(NAME, &err);
	s->tracefs = kt_tracefs_open(&err);
	if (s->tracefs >= 0) {
		status = take_all(s);
		close(s->tracefs);
	} else {
		status = say_error(NAME, &err);
	}
	kt_flight_free(s->flight);
	return status;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'},
		{},
	};
	struct snapshot s = {.name = FLIGHT_NAME};
	int c;

	while ((c = next_option(argc, argv, "o:", options)) != -1) {
		if (c != 'o')
			return EXIT_USAGE;
		s.dir = optarg;
	}
	if (argc > optind + 1)
		return unexpected(argv[0], argv[optind + 1]);
	if (argv[optind])
		s.name = argv[optind];
	return snapshot(&s);
}

const struct command snapshot_command = {
	.name = NAME,
	.args = " [-o DIR] [NAME]",
	.summary = "what a flight recorder holds, as a trace, while it goes on",
	.help = "NAME is what 'ktrace start' called it: 'flight' if none is named.\n"
		"\n"
		"Writes what is in its rings now as a trace, which 'ktrace print' and others\n"
		"open as they do one of 'ktrace record'. Recording does not stop for it: from\n"
		"one moment on it goes to the rings that were to spare, so each event is in one\n"
		"snapshot and in no other, unless it was overwritten, and then it is counted.\n"
		"If it cannot be written, or is interrupted, all of it is kept for the next\n"
		"snapshot. A session that a trigger has frozen records again from then on.\n"
		"\n"
		"  -o, --output DIR        where to (NAME-DATE-TIME); a trace that is there is\n"
		"                          moved to DIR.old, and the one there removed. What a\n"
		"                          snapshot before was to take goes to DIR.earlier\n"
		"\n"
		"examples:\n"
		"  ktrace snapshot\n"
		"  ktrace snapshot -o /tmp/incident && ktrace print /tmp/incident\n"
		"  ktrace snapshot execs\n",
	.run = run,
};
