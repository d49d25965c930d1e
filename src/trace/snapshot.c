// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/span.h"
#include "catalog/event.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/about.h"
#include "session/banks.h"
#include "session/flight.h"
#include "session/origin.h"
#include "session/tasks.h"
#include "trace/balance.h"
#include "trace/recording.h"
#include "trace/sheet.h"

struct kt_snapshot {
	struct kt_origin origin;
	size_t bank;
	struct kt_event **events;
	uint64_t *missed; /* by event */
	struct kt_span *complete;
	uint64_t begin[KT_CHANNELS]; /* from there on something of a channel is there */
	uint64_t from[KT_CHANNELS];  /* and all of it */
	uint64_t until;
	struct kt_recording *recording;
	struct kt_balance *balance; /* once it has ended */
};

uint64_t kt_snapshot_time(const struct kt_flight *f)
{
	const struct kt_banks *b = kt_flight_banks(f);

	return kt_banks_began(b, kt_banks_written(b));
}

/* Always, where it was so all the time that anything is there of. */
static struct kt_span complete(const struct kt_snapshot *s, const struct kt_banks *b, size_t event)
{
	struct kt_span span = kt_banks_complete_in(b, s->bank, event);
	uint64_t begin = s->begin[s->events[event]->channel];

	return (struct kt_span){
		.from = span.from <= begin ? KT_ALWAYS.from : span.from,
		.until = span.until >= s->until ? KT_ALWAYS.until : span.until,
	};
}

static int read_events(struct kt_snapshot *s, const struct kt_flight *f, int tracefs,
		       struct kt_error *err)
{
	const struct kt_about *about = kt_flight_about(f);
	const struct kt_banks *b = kt_flight_banks(f);
	size_t i;

	s->events = calloc(about->n_events, sizeof(struct kt_event *));
	s->missed = calloc(about->n_events, sizeof(*s->missed));
	s->complete = calloc(about->n_events, sizeof(*s->complete));
	if (!s->events || !s->missed || !s->complete)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	s->origin.events = (const struct kt_event *const *)s->events;
	s->origin.complete = s->complete;
	for (i = 0; i < about->n_events; i++) {
		s->events[i] = kt_about_read_event(about, i, tracefs, err);
		if (!s->events[i])
			return -err->code;
		s->origin.n_events++;
		s->missed[i] = kt_banks_missed_in(b, s->bank, i);
		s->complete[i] = complete(s, b, i);
	}
	return 0;
}

/* As far as that is known: a flight on a kernel that does not tell its types has no names. */
static int read_tasks(struct kt_snapshot *s, const struct kt_flight *f, struct kt_error *err)
{
	s->origin.tasks = kt_flight_tasks(f, s->origin.began, err);
	return s->origin.tasks || err->code == ENOENT ? 0 : -err->code;
}

/* Where a ring was overwritten it goes less far back. */
static uint64_t begin_of(const struct kt_snapshot *s, const struct kt_ring *ring)
{
	uint64_t since = kt_ring_held(ring).since;

	return since > s->origin.began ? since : s->origin.began;
}

static void find_span(struct kt_snapshot *s)
{
	const struct kt_rings *rings = s->origin.rings;
	uint64_t begin;
	size_t i, c;

	for (c = 0; c < KT_CHANNELS; c++) {
		s->begin[c] = UINT64_MAX;
		s->from[c] = s->origin.began;
	}
	for (i = 0; i < kt_rings_count(rings); i++) {
		if (!kt_rings_at(rings, i))
			continue;
		begin = begin_of(s, kt_rings_at(rings, i));
		c = i / kt_rings_cpus(rings);
		if (s->from[c] < begin)
			s->from[c] = begin;
		if (s->begin[c] > begin)
			s->begin[c] = begin;
	}
}

/* Of which flight it is, and by which of its triggers that was frozen, or is to be yet. */
static struct kt_provenance provenance(const struct kt_flight *f, size_t bank)
{
	const struct kt_about *about = kt_flight_about(f);
	struct kt_trigger_hit hit = kt_banks_hit(kt_flight_banks(f), bank);
	struct kt_provenance p = {
		.session = kt_flight_name(f),
		.frozen.hit = hit.at,
		.frozen_at = hit.frozen,
	};

	if (hit.at && hit.event < about->n_events) {
		p.frozen.system = about->events[hit.event].system;
		p.frozen.event = about->events[hit.event].name;
		p.frozen.filter = about->events[hit.event].trigger;
	}
	return p;
}

/* Of a bank that ends then. Without a trace yet. */
static struct kt_snapshot *make(const struct kt_flight *f, size_t bank, uint64_t until, int tracefs,
				struct kt_error *err)
{
	struct kt_snapshot *s = calloc(1, sizeof(*s));
	const struct kt_banks *b = kt_flight_banks(f);

	if (!s) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	s->bank = bank;
	s->until = until;
	s->origin.from = provenance(f, bank);
	s->origin.rings = kt_banks_rings(b, bank);
	s->origin.ledger = kt_banks_ledger(b);
	s->origin.began = kt_banks_began(b, bank);
	find_span(s);
	if (read_events(s, f, tracefs, err) == 0 && read_tasks(s, f, err) == 0)
		return s;
	kt_snapshot_free(s);
	return NULL;
}

struct kt_snapshot *kt_snapshot_new(const struct kt_flight *f, const struct kt_occasion *taken,
				    int tracefs, const char *version, int dir, struct kt_error *err)
{
	const struct kt_banks *b = kt_flight_banks(f);
	size_t bank = kt_banks_resting(b);
	uint64_t until = kt_banks_ended(b, bank, kt_snapshot_time(f));
	struct kt_snapshot *s = make(f, bank, until, tracefs, err);

	if (!s)
		return NULL;
	if (taken)
		s->origin.from.taken = *taken;
	kt_rings_rewind(s->origin.rings);
	s->recording = kt_recording_new(&s->origin, version, dir, err);
	if (s->recording)
		kt_recording_stop(s->recording, s->until);
	if (s->recording && kt_sheet_make(dir, kt_recording_rows(s->recording), err) == 0)
		return s;
	kt_snapshot_free(s);
	return NULL;
}

/* All that was hit by a time at which it was written went there. The time; 0: that is not known. */
static uint64_t find_written(const struct kt_banks *b, size_t *bank)
{
	uint64_t began, now;

	*bank = kt_banks_written(b);
	began = kt_banks_began(b, *bank);
	now = kt_clock_now();
	return kt_banks_written(b) == *bank && kt_banks_began(b, *bank) == began ? now : 0;
}

struct kt_snapshot *kt_snapshot_peek(const struct kt_flight *f, int tracefs, const char *version,
				     int dir, struct kt_error *err)
{
	const struct kt_banks *b = kt_flight_banks(f);
	struct kt_snapshot *s;
	uint64_t time;
	size_t bank;

	time = find_written(b, &bank);
	if (!time || !kt_banks_are_current(b) || !kt_banks_rings(b, bank)) {
		kt_fail(err, EAGAIN, "it was turned meanwhile");
		return NULL;
	}
	s = make(f, bank, time, tracefs, err);
	if (!s)
		return NULL;
	s->recording = kt_recording_peek(&s->origin, s->until, version, dir, err);
	if (s->recording)
		return s;
	kt_snapshot_free(s);
	return NULL;
}

void kt_snapshot_free(struct kt_snapshot *s)
{
	size_t i;

	if (!s)
		return;
	kt_balance_free(s->balance);
	kt_recording_free(s->recording);
	kt_tasks_free(s->origin.tasks);
	for (i = 0; i < s->origin.n_events; i++)
		kt_event_free(s->events[i]);
	free(s->events);
	free(s->missed);
	free(s->complete);
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
	s->balance = kt_balance_of(s->recording, (struct kt_missed){.events = s->missed}, err);
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
	return s->from[channel];
}

uint64_t kt_snapshot_span(const struct kt_snapshot *s, enum kt_channel channel)
{
	return s->until > s->from[channel] ? s->until - s->from[channel] : 0;
}

uint64_t kt_snapshot_until(const struct kt_snapshot *s)
{
	return s->until;
}

uint64_t kt_snapshot_kept(const struct kt_snapshot *s)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < s->origin.n_events; i++)
		if (s->events[i]->channel == KT_KEPT)
			n += kt_balance_event(s->balance, i).records;
	return n;
}
