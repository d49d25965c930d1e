// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/flight_snapshot.h"

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

struct kt_snapshot {
	struct kt_excerpt of;
	struct kt_recording *recording;
	struct kt_balance *balance; /* once it has ended */
};

uint64_t kt_snapshot_time(const struct kt_flight *f)
{
	const struct kt_banks *b = kt_flight_banks(f);

	return kt_banks_began(b, kt_banks_written(b));
}

static int begin_recording(struct kt_snapshot *s, const char *version, int dir,
			   struct kt_error *err)
{
	kt_rings_rewind(s->of.origin.rings);
	s->recording = kt_recording_new(&s->of.origin, version, dir, err);
	if (!s->recording)
		return -err->code;
	kt_recording_stop(s->recording, s->of.until);
	return kt_sheet_make(dir, kt_recording_rows(s->recording), err);
}

struct kt_snapshot *kt_snapshot_new(const struct kt_flight *f, const struct kt_occasion *taken,
				    int tracefs, const char *version, int dir, struct kt_error *err)
{
	struct kt_snapshot *s = calloc(1, sizeof(*s));
	const struct kt_banks *b = kt_flight_banks(f);
	size_t bank = kt_banks_resting(b);
	struct kt_span all = {0, kt_banks_ended(b, bank, kt_snapshot_time(f))};

	if (!s) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	if (kt_excerpt_read(&s->of, f, bank, all, tracefs, err) == 0) {
		if (taken)
			s->of.origin.from.taken = *taken;
		if (begin_recording(s, version, dir, err) == 0)
			return s;
	}
	kt_snapshot_free(s);
	return NULL;
}

void kt_snapshot_free(struct kt_snapshot *s)
{
	if (!s)
		return;
	kt_balance_free(s->balance);
	kt_recording_free(s->recording);
	kt_excerpt_clear(&s->of);
	free(s);
}

struct kt_recording *kt_snapshot_recording(const struct kt_snapshot *s)
{
	return s->recording;
}

int kt_snapshot_end(struct kt_snapshot *s, int dir, struct kt_error *err)
{
	if (kt_recording_end(s->recording, err) < 0)
		return -err->code;
	s->balance = kt_balance_of(s->recording, (struct kt_missed){.events = s->of.missed}, err);
	if (!s->balance)
		return -err->code;
	return kt_sheet_write(s->balance, kt_recording_metadata(s->recording), dir, err);
}

const struct kt_balance *kt_snapshot_balance(const struct kt_snapshot *s)
{
	return s->balance;
}

uint64_t kt_snapshot_from(const struct kt_snapshot *s, enum kt_channel channel)
{
	return s->of.from[channel];
}

uint64_t kt_snapshot_span(const struct kt_snapshot *s, enum kt_channel channel)
{
	return s->of.until > s->of.from[channel] ? s->of.until - s->of.from[channel] : 0;
}

uint64_t kt_snapshot_kept(const struct kt_snapshot *s)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < s->of.origin.n_events; i++)
		if (s->of.events[i]->channel == KT_KEPT)
			n += kt_balance_event(s->balance, i).records;
	return n;
}
