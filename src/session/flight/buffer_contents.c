// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/flight/buffer_contents.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "ctypes/btf.h"
#include "events/event.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "session/flight/flight_control.h"
#include "session/flight/flight_info.h"
#include "session/task_names.h"

/* Always, where it was so all the time that anything is there of. */
static struct kt_time_span complete(const struct kt_buffer_contents *x,
				    const struct kt_buffer_sets *b, size_t event)
{
	struct kt_time_span span = kt_buffer_sets_complete_in(b, x->bank, event);
	uint64_t begin = x->begin[x->events[event]->channel];

	return (struct kt_time_span){
		.from = span.from <= begin ? KT_ALWAYS.from : span.from,
		.until = span.until >= x->until ? KT_ALWAYS.until : span.until,
	};
}

static int read_described(struct kt_buffer_contents *x, const struct kt_flight *f, int tracefs,
			  struct kt_btf *btf, struct kt_error *err)
{
	const struct kt_flight_info *about = kt_flight_about_in(f, x->bank);
	const struct kt_buffer_sets *b = kt_flight_banks(f);
	size_t i;

	x->events = calloc(about->n_events, sizeof(struct kt_event *));
	x->missed = calloc(about->n_events, sizeof(*x->missed));
	x->complete = calloc(about->n_events, sizeof(*x->complete));
	if (!x->events || !x->missed || !x->complete)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	x->origin.events = (const struct kt_event *const *)x->events;
	x->origin.complete = x->complete;
	for (i = 0; i < about->n_events; i++) {
		x->events[i] = kt_flight_info_read_event(about, i, tracefs, btf, err);
		if (!x->events[i])
			return -err->code;
		x->origin.n_events++;
		x->missed[i] = kt_buffer_sets_missed_in(b, x->bank, i);
		x->complete[i] = complete(x, b, i);
	}
	return 0;
}

static int read_events(struct kt_buffer_contents *x, const struct kt_flight *f, int tracefs,
		       struct kt_error *err)
{
	struct kt_btf *btf = kt_btf_new();
	int ret = btf ? read_described(x, f, tracefs, btf, err)
		      : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));

	kt_btf_free(btf);
	return ret;
}

/* As far as that is known: a flight on a kernel that does not tell its types has no names. */
static int read_tasks(struct kt_buffer_contents *x, const struct kt_flight *f, struct kt_error *err)
{
	x->origin.tasks = kt_flight_tasks(f, x->origin.began, err);
	if (x->origin.tasks || err->code == ENOENT)
		return 0;
	return kt_fail_because(err, "the names of its tasks cannot be read");
}

/* Where a ring was overwritten it goes less far back. */
static uint64_t begin_of(const struct kt_buffer_contents *x, const struct kt_ring *ring)
{
	uint64_t since = kt_ring_held(ring).since;

	return since > x->origin.began ? since : x->origin.began;
}

static void find_span(struct kt_buffer_contents *x)
{
	const struct kt_rings *rings = x->origin.rings;
	uint64_t begin;
	size_t i, c;

	for (c = 0; c < KT_CHANNELS; c++) {
		x->begin[c] = UINT64_MAX;
		x->from[c] = x->origin.began;
	}
	for (i = 0; i < kt_rings_count(rings); i++) {
		if (!kt_rings_at(rings, i))
			continue;
		begin = begin_of(x, kt_rings_at(rings, i));
		c = i / kt_rings_cpus(rings);
		if (x->from[c] < begin)
			x->from[c] = begin;
		if (x->begin[c] > begin)
			x->begin[c] = begin;
	}
}

/* Of which flight it is, and by which of its triggers that was frozen, or is to be yet. */
static struct kt_provenance provenance(const struct kt_flight *f, size_t bank)
{
	const struct kt_flight_info *about = kt_flight_about(f);
	struct kt_trigger_hit hit = kt_buffer_sets_hit(kt_flight_banks(f), bank);
	struct kt_provenance p = {
		.session = kt_flight_name(f),
		.frozen.hit = hit.at,
		.frozen_at = hit.frozen,
		.clock_set = kt_flight_info_clock_set(about),
	};

	if (hit.at && hit.event < about->n_events) {
		p.frozen.system = about->events[hit.event].system;
		p.frozen.event = about->events[hit.event].name;
		p.frozen.filter = about->events[hit.event].trigger;
	}
	return p;
}

int kt_buffer_contents_read(struct kt_buffer_contents *x, const struct kt_flight *f, size_t bank,
			    struct kt_time_span time, int tracefs, struct kt_error *err)
{
	const struct kt_buffer_sets *b = kt_flight_banks(f);
	uint64_t began = kt_buffer_sets_began(b, bank);

	*x = (struct kt_buffer_contents){
		.bank = bank,
		.until = time.until,
		.origin.from = provenance(f, bank),
		.origin.rings = kt_buffer_sets_rings(b, bank),
		.origin.ledger = kt_buffer_sets_ledger(b),
		.origin.began = began > time.from ? began : time.from,
	};
	find_span(x);
	if (read_events(x, f, tracefs, err) == 0 && read_tasks(x, f, err) == 0)
		return 0;
	kt_buffer_contents_clear(x);
	return -err->code;
}

int kt_buffer_contents_read_all(struct kt_buffer_contents *x, const struct kt_flight *f,
				int tracefs, struct kt_error *err)
{
	const struct kt_flight_info *about = kt_flight_about(f);
	const struct kt_buffer_sets *b = kt_flight_banks(f);
	size_t bank = kt_buffer_sets_written(b), c;

	*x = (struct kt_buffer_contents){
		.bank = bank,
		.until = kt_clock_now(),
		.origin.from.session = kt_flight_name(f),
		.origin.rings = kt_buffer_sets_rings(b, bank),
		.origin.began = about->began,
		.origin.is_one = true,
	};
	if (!x->origin.rings)
		return kt_fail(err, EAGAIN, "it was turned meanwhile");
	if (!kt_flight_control_are_current(kt_flight_switches(f)))
		return kt_fail(err, EAGAIN, "its filters were changed meanwhile");
	for (c = 0; c < KT_CHANNELS; c++)
		x->begin[c] = x->from[c] = about->began;
	if (read_events(x, f, tracefs, err) == 0)
		return 0;
	kt_buffer_contents_clear(x);
	return -err->code;
}

void kt_buffer_contents_clear(struct kt_buffer_contents *x)
{
	size_t i;

	kt_task_names_free(x->origin.tasks);
	for (i = 0; i < x->origin.n_events; i++)
		kt_event_free(x->events[i]);
	free(x->events);
	free(x->missed);
	free(x->complete);
	*x = (struct kt_buffer_contents){0};
}
