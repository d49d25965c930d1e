// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/outcome.h"

#include <inttypes.h>
#include <stdio.h>

#include "catalog/event.h"
#include "session/session.h"
#include "trace/recording.h"

static const char *const causes[N_LOSSES] = {
	[LOST_FULL] = "for want of room in a ring (-b)",
	[LOST_CONTENDED] = "disturbed while taking room",
	[LOST_NO_RING] = "on a CPU that came too late to have a ring",
	[LOST_UNFIT] = "with more data than fit in a record (-b)",
	[LOST_MISSED] = "kept back by the kernel",
	[LOST_UNWRITTEN] = "not written to the trace",
};

struct outcome outcome_of(const struct kt_session *s, const struct kt_recording *r, size_t event)
{
	struct kt_tally tally = kt_session_tally(s, event);
	uint64_t missed = kt_session_missed(s, event);
	struct outcome o = {
		.hits = tally.hits + missed,
		.filtered = tally.filtered,
		.records = kt_recording_records(r, event),
		.lost =
			{
				[LOST_FULL] = tally.full,
				[LOST_CONTENDED] = tally.contended,
				[LOST_NO_RING] = tally.no_ring,
				[LOST_UNFIT] = tally.unfit,
				[LOST_MISSED] = missed,
			},
	};

	o.lost[LOST_UNWRITTEN] = tally.hits - kt_tally_lost(tally) - o.records;
	return o;
}

struct outcome outcome_of_all(const struct kt_session *s, const struct kt_recording *r)
{
	struct outcome sum = {.missed_forks = kt_session_missed_forks(s)}, o;
	size_t event, i;

	for (event = 0; event < kt_session_count(s); event++) {
		o = outcome_of(s, r, event);
		sum.hits += o.hits;
		sum.filtered += o.filtered;
		sum.records += o.records;
		for (i = 0; i < N_LOSSES; i++)
			sum.lost[i] += o.lost[i];
	}
	return sum;
}

uint64_t outcome_lost(const struct outcome *o)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < N_LOSSES; i++)
		sum += o->lost[i];
	return sum;
}

bool outcome_complete(const struct outcome *o)
{
	return !outcome_lost(o) && !o->missed_forks;
}

/* lost 5 of 70: 3 for want of room, 2 not written */
static void say_lost(const struct outcome *o)
{
	const char *between = ":";
	size_t i;

	fprintf(stderr, "lost %" PRIu64 " of %" PRIu64, outcome_lost(o), o->hits);
	for (i = 0; i < N_LOSSES; i++) {
		if (!o->lost[i])
			continue;
		fprintf(stderr, "%s %" PRIu64 " %s", between, o->lost[i], causes[i]);
		between = ",";
	}
	fputc('\n', stderr);
}

void say_losses(const char *command, const struct kt_session *s, const struct kt_recording *r)
{
	const struct kt_event *const *events = kt_session_events(s);
	struct outcome o = outcome_of_all(s, r);
	size_t i;

	if (o.missed_forks)
		fprintf(stderr,
			"ktrace %s: %" PRIu64 " forks on the machine were kept back by the kernel; "
			"what came of them may not be recorded\n",
			command, o.missed_forks);
	if (!outcome_lost(&o))
		return;
	fprintf(stderr, "ktrace %s: ", command);
	say_lost(&o);
	for (i = 0; i < kt_session_count(s); i++) {
		o = outcome_of(s, r, i);
		if (!outcome_lost(&o))
			continue;
		fprintf(stderr, "  %s:%s: ", events[i]->system, events[i]->name);
		say_lost(&o);
	}
}
