// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/flight/flight_snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "events/event.h"
#include "ring/rings.h"
#include "session/flight/buffer_contents.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "trace/event_counts.h"
#include "trace/event_counts_file.h"
#include "trace/recording.h"

struct kt_flight_snapshot {
	struct kt_buffer_contents of;
	struct kt_recording *recording;
	struct kt_event_counts *counts; /* after the end */
};

uint64_t kt_flight_snapshot_time(const struct kt_flight *f)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);

	return kt_buffer_sets_began(b, kt_buffer_sets_active(b));
}

static int begin_recording(struct kt_flight_snapshot *s, const char *version, int dir,
			   struct kt_error *err)
{
	kt_rings_rewind(s->of.source.rings);
	s->recording = kt_recording_new(&s->of.source, version, dir, err);
	if (!s->recording)
		return -err->code;
	kt_recording_stop(s->recording, s->of.until);
	return kt_event_counts_file_make(dir, kt_recording_rows(s->recording), err);
}

struct kt_flight_snapshot *kt_flight_snapshot_new(const struct kt_flight *f,
						  const struct kt_occasion *taken, int tracefs,
						  const char *version, int dir,
						  struct kt_error *err)
{
	struct kt_flight_snapshot *s = calloc(1, sizeof(*s));
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	size_t set = kt_buffer_sets_inactive(b);
	struct kt_time_span all = {0, kt_buffer_sets_ended(b, set, kt_flight_snapshot_time(f))};

	if (!s) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	if (kt_buffer_contents_read(&s->of, f, set, all, tracefs, err) == 0) {
		if (taken)
			s->of.source.from.taken = *taken;
		if (begin_recording(s, version, dir, err) == 0)
			return s;
	}
	kt_flight_snapshot_free(s);
	return NULL;
}

void kt_flight_snapshot_free(struct kt_flight_snapshot *s)
{
	if (!s)
		return;
	kt_event_counts_free(s->counts);
	kt_recording_free(s->recording);
	kt_buffer_contents_clear(&s->of);
	free(s);
}

struct kt_recording *kt_flight_snapshot_recording(const struct kt_flight_snapshot *s)
{
	return s->recording;
}

int kt_flight_snapshot_end(struct kt_flight_snapshot *s, int dir, struct kt_error *err)
{
	if (kt_recording_end(s->recording, err) < 0)
		return -err->code;
	s->counts =
		kt_event_counts_of(s->recording, (struct kt_missed){.events = s->of.missed}, err);
	if (!s->counts)
		return -err->code;
	return kt_event_counts_file_write(s->counts, kt_recording_metadata(s->recording), dir, err);
}

const struct kt_event_counts *kt_flight_snapshot_counts(const struct kt_flight_snapshot *s)
{
	return s->counts;
}

uint64_t kt_flight_snapshot_from(const struct kt_flight_snapshot *s, enum kt_channel channel)
{
	return s->of.from[channel];
}

uint64_t kt_flight_snapshot_span(const struct kt_flight_snapshot *s, enum kt_channel channel)
{
	return s->of.until > s->of.from[channel] ? s->of.until - s->of.from[channel] : 0;
}

uint64_t kt_flight_snapshot_rare_records(const struct kt_flight_snapshot *s)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < s->of.source.n_events; i++)
		if (s->of.events[i]->channel == KT_RARE)
			n += kt_event_counts_event(s->counts, i).records;
	return n;
}
