// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/take_snapshot.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/signals.h"
#include "app/control/progress.h"
#include "app/control/trace_dir.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/size.h"
#include "base/time_span.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "session/flight/flight_info.h"
#include "session/trace_source.h"
#include "trace/flight/flight_snapshot.h"
#include "trace/recording.h"
#include "trace/trace_directory.h"
#include "values/text.h"

#define NAME "snapshot"

#define SECOND UINT64_C(1000000000)

/*
 * Makes the directory's name for that time; data left by an interrupted snapshot gets one of its
 * own.
 */
static void name_directory(const struct snapshot_request *t, uint64_t time, bool is_earlier,
			   char path[PATH_MAX])
{
	uint64_t ns = time + kt_clock_since_1970();
	time_t seconds = ns / SECOND;
	struct tm tm;
	char text[64];
	const char *dir = t->dir ? t->dir : "";
	bool is_within = !*dir || dir[strlen(dir) - 1] == '/';

	if (t->dir && !t->is_dated) {
		snprintf(path, PATH_MAX, "%s%s", t->dir, is_earlier ? ".earlier" : "");
		return;
	}
	localtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y%m%d-%H%M%S", &tm);
	snprintf(path, PATH_MAX, "%s%s-%s.%03" PRIu64, dir, is_within ? t->name : "", text,
		 ns % SECOND / 1000000);
}

int check_snapshot(const struct snapshot_request *t, struct kt_error *err)
{
	char path[PATH_MAX];

	name_directory(t, kt_clock_now(), false, path);
	return kt_trace_directory_check(path, err);
}

/* Returns what filters hits, for messages. */
static const char *get_filters(const struct kt_flight *f)
{
	const struct kt_flight_info *info = kt_flight_get_info(f);
	size_t i;

	for (i = 0; i < info->n_events; i++)
		if (info->events[i].filter)
			return "filters";
	return NULL;
}

/*
 * Reports that hits may be missing, as events were disabled or recording was paused; the trace has
 * details.
 */
static void print_incomplete(const struct kt_recording *r)
{
	const struct kt_trace_source *source = kt_recording_source(r);
	size_t i, n = 0;

	for (i = 0; i < source->n_events; i++)
		n += !kt_time_span_is_always(source->complete[i]);
	if (n)
		fprintf(stderr,
			"  %zu of %zu events incomplete for a while (disabled, paused, PID filter, "
			"filter changed or broken); see 'ktrace report'\n",
			n, source->n_events);
}

/* Reports the trigger and when it froze the rings, or will. */
static void print_frozen(const struct kt_provenance *from, uint64_t time)
{
	static struct kt_text reported;
	bool is_frozen = kt_provenance_is_frozen(from, time);
	uint64_t at = from->frozen_at, between = at > time ? at - time : time - at;

	if (!from->frozen.hit)
		return;
	reported.to = stderr;
	kt_text_string(&reported, is_frozen ? "  frozen " : "  will freeze ");
	kt_text_duration(&reported, between);
	kt_text_string(&reported, is_frozen ? " before" : " later");
	if (from->frozen.system) {
		kt_text_string(&reported, ", by ");
		kt_text_string(&reported, from->frozen.system);
		kt_text_char(&reported, ':');
		kt_text_string(&reported, from->frozen.event);
	}
	kt_text_string(&reported, is_frozen ? "; recording again\n" : "; recording until then\n");
	kt_text_flush(&reported);
}

/* Reports the time that rare events cover. */
static void print_rare(const struct kt_flight_snapshot *snapshot)
{
	uint64_t n = kt_flight_snapshot_rare_records(snapshot);
	static struct kt_text reported;

	if (!n)
		return;
	reported.to = stderr;
	kt_text_string(&reported, "  ");
	kt_text_number(&reported, n);
	kt_text_string(&reported, " of them rare, from the last ");
	kt_text_duration(&reported, kt_flight_snapshot_span(snapshot, KT_RARE));
	kt_text_char(&reported, '\n');
	kt_text_flush(&reported);
}

/* Prints how much is written, on one line of a terminal. */
static void print_size(const struct kt_recording *r)
{
	char size[32];

	kt_size_format(kt_recording_size(r), size, sizeof(size));
	fprintf(stderr, "\r  %s\033[K", size);
}

/* Copies some MiB at a time, so that signals can end it. */
static int copy_rings(const struct snapshot_request *t, struct kt_recording *r,
		      struct kt_error *err)
{
	uint64_t began = kt_clock_now(), reported = began;
	bool terminal = isatty(STDERR_FILENO);
	int n = 1;

	while (n > 0 && !is_ended(t->signals)) {
		n = kt_recording_copy(r, err);
		kt_recording_write_back(r);
		if (!terminal || kt_clock_now() - reported < SECOND)
			continue;
		reported = kt_clock_now();
		print_size(r);
	}
	if (reported > began)
		fputs("\r\033[K", stderr);
	return n > 0 ? kt_fail(err, EINTR, "interrupted before everything was written") : n;
}

/*
 * Writes the inactive buffer set into an empty directory; the flight does not need it any more
 * after that.
 */
static int write_into(struct snapshot_request *t, const struct kt_flight *f,
		      const struct kt_occasion *hit, const struct kt_trace_directory *dir,
		      struct kt_error *err)
{
	struct kt_flight_snapshot *snapshot =
		kt_flight_snapshot_new(f, hit, t->tracefs, ktrace_version, dir->fd, err);
	int ret;

	if (!snapshot)
		return -err->code;
	ret = copy_rings(t, kt_flight_snapshot_recording(snapshot), err);
	if (ret == 0)
		ret = kt_flight_snapshot_end(snapshot, dir->fd, err);
	/* Data must be on disk, since the crash that the snapshot is about may follow. */
	if (ret == 0)
		ret = kt_trace_directory_sync(dir, err);
	if (ret == 0) {
		kt_buffer_sets_consume(kt_flight_buffer_sets(f));
		t->from = kt_flight_snapshot_from(snapshot, KT_MAIN);
		add_names(NAME, kt_flight_snapshot_recording(snapshot), dir->fd);
		print_outcome(NAME, kt_flight_snapshot_recording(snapshot),
			      kt_flight_snapshot_counts(snapshot),
			      kt_flight_snapshot_span(snapshot, KT_MAIN), &dir->place,
			      get_filters(f));
		print_rare(snapshot);
		print_incomplete(kt_flight_snapshot_recording(snapshot));
		print_frozen(&kt_recording_source(kt_flight_snapshot_recording(snapshot))->from,
			     kt_flight_snapshot_time(f));
	}
	kt_flight_snapshot_free(snapshot);
	return ret;
}

/* Writes the inactive buffer set as a trace; on error it waits for the next snapshot. */
static int write_inactive(struct snapshot_request *t, const struct kt_flight *f, bool is_earlier)
{
	struct kt_error err;
	struct kt_trace_directory dir;
	char path[PATH_MAX];
	int ret;

	name_directory(t, kt_flight_snapshot_time(f), is_earlier, path);
	ret = kt_trace_directory_make(&dir, path, &err);
	if (ret == 0) {
		ret = write_into(t, f, is_earlier ? NULL : &t->hit, &dir, &err);
		if (ret < 0) {
			kt_trace_directory_discard(&dir);
			kt_fail_because(&err, "cannot write to %s", path);
		}
		kt_trace_directory_close(&dir);
	}
	if (ret == 0)
		return EXIT_OK;
	report_error(NAME, &err);
	fprintf(stderr, "  the events of '%s' are kept for the next 'ktrace " NAME "'\n", t->name);
	return EXIT_FAILED;
}

/* Creates a spare for this snapshot, if the flight keeps none. */
static int make_spare(const struct snapshot_request *t, const struct kt_flight *f,
		      struct kt_error *err)
{
	if (kt_buffer_sets_make_spare(kt_flight_buffer_sets(f), err) == 0)
		return 0;
	return kt_fail_because(err, "no memory for a second buffer set of '%s'; nothing is lost",
			       t->name);
}

static void free_spare(const struct kt_flight *f)
{
	struct kt_buffer_sets *sets = kt_flight_buffer_sets(f);
	struct kt_error err;

	if (!kt_buffer_sets_wants_spare(sets) && kt_buffer_sets_drop_spare(sets, &err) < 0)
		report_error(NAME, &err);
}

int take_snapshot(struct snapshot_request *t, struct kt_flight *flight)
{
	struct kt_buffer_sets *sets = kt_flight_buffer_sets(flight);
	struct kt_error err;
	int status = EXIT_OK;

	if (check_snapshot(t, &err) < 0)
		return report_error(NAME, &err);
	if (!kt_buffer_sets_is_consumed(sets)) {
		fputs("ktrace " NAME ": first saving what an interrupted snapshot left\n", stderr);
		kt_buffer_sets_swap(sets);
		status = write_inactive(t, flight, true);
	}
	if (status != EXIT_OK)
		return status;
	if (make_spare(t, flight, &err) < 0)
		return report_error(NAME, &err);
	kt_buffer_sets_swap(sets);
	status = write_inactive(t, flight, false);
	if (status == EXIT_OK)
		free_spare(flight);
	return status;
}
