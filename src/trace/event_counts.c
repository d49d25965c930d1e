// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/event_counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "hook/program.h"
#include "session/counter_map.h"
#include "session/trace_source.h"
#include "trace/recording.h"

static const char *const names[KT_N_LOSSES] = {
	[KT_LOST_FULL] = "full",       [KT_LOST_CONTENDED] = "contended",
	[KT_LOST_NO_RING] = "no_ring", [KT_LOST_UNFIT] = "unfit",
	[KT_LOST_MISSED] = "missed",   [KT_LOST_UNWRITTEN] = "unwritten",
};

const char *kt_loss_name(enum kt_loss loss)
{
	return names[loss];
}

const char *kt_outcome_figure(size_t figure)
{
	static const char *const first[] = {"hits", "filtered", "records", "overwritten",
					    "lost_stacks"};
	enum { LOST = sizeof(first) / sizeof(*first) };

	_Static_assert(offsetof(struct kt_outcome, lost) == LOST * sizeof(uint64_t),
		       "one name each");
	return figure < LOST ? first[figure] : kt_loss_name(figure - LOST);
}

struct kt_outcome kt_outcome_of(struct kt_counters t)
{
	struct kt_outcome o = {.hits = t.hits, .filtered = t.filtered, .lost_stacks = t.no_stack};

	o.lost[KT_LOST_FULL] = t.full;
	o.lost[KT_LOST_CONTENDED] = t.contended;
	o.lost[KT_LOST_NO_RING] = t.no_ring;
	o.lost[KT_LOST_UNFIT] = t.unfit;
	o.lost[KT_LOST_MISSED] = t.missed;
	return o;
}

uint64_t kt_outcome_lost(const struct kt_outcome *o)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < KT_N_LOSSES; i++)
		sum += o->lost[i];
	return sum;
}

static void add_outcome(struct kt_outcome *sum, const struct kt_outcome *o)
{
	size_t i;

	sum->hits += o->hits;
	sum->filtered += o->filtered;
	sum->records += o->records;
	sum->overwritten += o->overwritten;
	sum->lost_stacks += o->lost_stacks;
	for (i = 0; i < KT_N_LOSSES; i++)
		sum->lost[i] += o->lost[i];
}

struct kt_outcome kt_event_counts_sum(const struct kt_event_counts *b)
{
	struct kt_outcome sum = {0};
	size_t i;

	for (i = 0; i < b->n; i++)
		add_outcome(&sum, &b->rows[i].outcome);
	return sum;
}

struct kt_outcome kt_event_counts_event(const struct kt_event_counts *b, uint32_t event)
{
	struct kt_outcome sum = {0};
	size_t from = 0, to = b->n, mid;

	while (from < to) {
		mid = from + (to - from) / 2;
		if (b->rows[mid].event < event)
			from = mid + 1;
		else
			to = mid;
	}
	for (; from < b->n && b->rows[from].event == event; from++)
		add_outcome(&sum, &b->rows[from].outcome);
	return sum;
}

bool kt_event_counts_miss(const struct kt_event_counts *b)
{
	return b->missed_forks || b->missed_functions || b->missed_calls;
}

bool kt_event_counts_is_complete(const struct kt_event_counts *b)
{
	struct kt_outcome sum = kt_event_counts_sum(b);

	return !kt_outcome_lost(&sum) && !kt_event_counts_miss(b);
}

void kt_event_counts_free(struct kt_event_counts *b)
{
	if (!b)
		return;
	free(b->rows);
	free(b);
}

bool kt_event_counts_add(struct kt_event_counts *b, struct kt_row row)
{
	static const struct kt_outcome nothing;
	struct kt_row *rows;

	if (!memcmp(&row.outcome, &nothing, sizeof(nothing)))
		return true;
	rows = kt_grow(b->rows, b->n, sizeof(*rows));
	if (!rows)
		return false;
	b->rows = rows;
	rows[b->n++] = row;
	return true;
}

/*
 * A record that is not in the trace was overwritten if the ring's count, which is for all events,
 * is large enough; otherwise it is unwritten.
 */
static struct kt_outcome compute_outcome(const struct kt_recording *r, size_t event, size_t cpu)
{
	struct kt_counters counters = kt_recording_counters(r, event, cpu);
	struct kt_outcome o = kt_outcome_of(counters);
	uint64_t gone;

	o.records = kt_recording_records(r, event, cpu);
	o.lost_stacks += kt_recording_lost_stacks(r, event, cpu);
	gone = kt_counters_recorded(counters) - o.records;
	if (gone && kt_recording_unwritten(r, event, cpu))
		o.lost[KT_LOST_UNWRITTEN] = gone;
	else
		o.overwritten = gone;
	return o;
}

static bool add_event(struct kt_event_counts *b, const struct kt_recording *r, size_t event,
		      uint64_t missed)
{
	const struct kt_counter_map *counters = kt_recording_source(r)->counters;
	struct kt_outcome o = {.hits = missed, .lost[KT_LOST_MISSED] = missed};
	size_t cpu;

	for (cpu = 0; cpu < kt_counter_map_cpus(counters); cpu++)
		if (!kt_event_counts_add(
			    b, (struct kt_row){event, cpu, compute_outcome(r, event, cpu)}))
			return false;
	return kt_event_counts_add(b, (struct kt_row){event, KT_NO_CPU, o});
}

struct kt_event_counts *kt_event_counts_of(const struct kt_recording *r, struct kt_missed missed,
					   struct kt_error *err)
{
	struct kt_event_counts *b = calloc(1, sizeof(*b));
	size_t event;
	bool ok = b;

	for (event = 0; ok && event < kt_recording_source(r)->n_events; event++)
		ok = add_event(b, r, event, missed.events[event]);
	if (!ok) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		kt_event_counts_free(b);
		return NULL;
	}
	b->missed_forks = missed.forks;
	b->missed_functions = missed.functions;
	b->missed_calls = missed.calls;
	b->missed_unknown = !kt_program_counts_missed();
	return b;
}
