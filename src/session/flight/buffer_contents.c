// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/flight/buffer_contents.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "ctypes/btf.h"
#include "events/event.h"
#include "events/event_reader.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/callstack_tables.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "session/flight/flight_control.h"
#include "session/flight/flight_info.h"
#include "session/task_names.h"

/* Returns KT_ALWAYS if all hits were recorded during the whole time that is covered. */
static struct kt_time_span find_complete(const struct kt_buffer_contents *x,
					 const struct kt_buffer_sets *b, size_t event)
{
	struct kt_time_span span = kt_buffer_sets_complete_in(b, x->set, event);
	uint64_t begin = x->begin[x->events[event]->channel];

	return (struct kt_time_span){
		.from = span.from <= begin ? KT_ALWAYS.from : span.from,
		.until = span.until >= x->until ? KT_ALWAYS.until : span.until,
	};
}

static int read_all_events(struct kt_buffer_contents *x, const struct kt_flight *f,
			   struct kt_event_reader *reader, struct kt_btf *btf, struct kt_error *err)
{
	const struct kt_flight_info *info = kt_flight_get_info_in(f, x->set);
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	size_t i;

	x->events = calloc(info->n_events, sizeof(struct kt_event *));
	x->missed = calloc(info->n_events, sizeof(*x->missed));
	x->complete = calloc(info->n_events, sizeof(*x->complete));
	if (!x->events || !x->missed || !x->complete)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	x->source.events = (const struct kt_event *const *)x->events;
	x->source.complete = x->complete;
	for (i = 0; i < info->n_events; i++) {
		x->events[i] = kt_flight_info_read_event(info, i, reader, btf, err);
		if (!x->events[i])
			return -err->code;
		x->source.n_events++;
		x->missed[i] = kt_buffer_sets_missed_in(b, x->set, i);
		x->complete[i] = find_complete(x, b, i);
	}
	return 0;
}

static int read_events(struct kt_buffer_contents *x, const struct kt_flight *f, int tracefs,
		       struct kt_error *err)
{
	struct kt_event_reader *reader = kt_event_reader_new(tracefs, err);
	struct kt_btf *btf = kt_btf_new();
	int ret;

	if (reader && btf)
		ret = read_all_events(x, f, reader, btf, err);
	else
		ret = kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_btf_free(btf);
	kt_event_reader_free(reader);
	return ret;
}

/* A flight on a kernel without BTF has no names. */
static int read_tasks(struct kt_buffer_contents *x, const struct kt_flight *f, struct kt_error *err)
{
	x->source.task_names = kt_flight_open_task_names(f, x->source.began, err);
	if (x->source.task_names || err->code == ENOENT)
		return 0;
	return kt_fail_because(err, "the names of its tasks cannot be read");
}

static int open_stacks(struct kt_buffer_contents *x, const struct kt_flight *f,
		       struct kt_error *err)
{
	x->source.stacks = kt_flight_open_stacks(f, NULL, err);
	if (x->source.stacks || err->code == ENOENT)
		return 0;
	return kt_fail_because(err, "its stacks cannot be read");
}

/* A ring that was overwritten goes back less far. */
static uint64_t find_begin(const struct kt_buffer_contents *x, const struct kt_ring *ring)
{
	uint64_t since = kt_ring_held(ring).since;

	return since > x->source.began ? since : x->source.began;
}

static void find_span(struct kt_buffer_contents *x)
{
	const struct kt_rings *rings = x->source.rings;
	uint64_t begin;
	size_t i, c;

	for (c = 0; c < KT_CHANNELS; c++) {
		x->begin[c] = UINT64_MAX;
		x->from[c] = x->source.began;
	}
	for (i = 0; i < kt_rings_count(rings); i++) {
		if (!kt_rings_at(rings, i))
			continue;
		begin = find_begin(x, kt_rings_at(rings, i));
		c = i / kt_rings_cpus(rings);
		if (x->from[c] < begin)
			x->from[c] = begin;
		if (x->begin[c] > begin)
			x->begin[c] = begin;
	}
}

/* Returns the flight's name, and the trigger that froze the set, or will. */
static struct kt_provenance get_provenance(const struct kt_flight *f, size_t set)
{
	const struct kt_flight_info *info = kt_flight_get_info(f);
	struct kt_trigger_hit hit = kt_buffer_sets_hit(kt_flight_buffer_sets(f), set);
	struct kt_provenance p = {
		.session = kt_flight_name(f),
		.frozen.hit = hit.at,
		.frozen_at = hit.frozen,
		.clock_set = kt_flight_info_clock_change(info),
	};

	if (hit.at && hit.event < info->n_events) {
		p.frozen.system = info->events[hit.event].system;
		p.frozen.event = info->events[hit.event].name;
		p.frozen.filter = info->events[hit.event].trigger;
	}
	return p;
}

int kt_buffer_contents_read(struct kt_buffer_contents *x, const struct kt_flight *f, size_t set,
			    struct kt_time_span time, int tracefs, struct kt_error *err)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	uint64_t began = kt_buffer_sets_began(b, set);

	*x = (struct kt_buffer_contents){
		.set = set,
		.until = time.until,
		.source.from = get_provenance(f, set),
		.source.rings = kt_buffer_sets_rings(b, set),
		.source.counters = kt_buffer_sets_counters(b),
		.source.began = began > time.from ? began : time.from,
	};
	find_span(x);
	if (read_events(x, f, tracefs, err) == 0 && read_tasks(x, f, err) == 0 &&
	    open_stacks(x, f, err) == 0)
		return 0;
	kt_buffer_contents_clear(x);
	return -err->code;
}

int kt_buffer_contents_read_all(struct kt_buffer_contents *x, const struct kt_flight *f,
				int tracefs, struct kt_error *err)
{
	const struct kt_flight_info *info = kt_flight_get_info(f);
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	size_t set = kt_buffer_sets_active(b), c;

	*x = (struct kt_buffer_contents){
		.set = set,
		.until = kt_clock_now(),
		.source.from.session = kt_flight_name(f),
		.source.rings = kt_buffer_sets_rings(b, set),
		.source.began = info->began,
		.source.is_one = true,
	};
	if (!x->source.rings)
		return kt_fail(err, EAGAIN, "its buffer sets were swapped meanwhile");
	if (!kt_flight_control_is_current(kt_flight_get_control(f)))
		return kt_fail(err, EAGAIN, "its filters were changed meanwhile");
	for (c = 0; c < KT_CHANNELS; c++)
		x->begin[c] = x->from[c] = info->began;
	if (read_events(x, f, tracefs, err) == 0)
		return 0;
	kt_buffer_contents_clear(x);
	return -err->code;
}

void kt_buffer_contents_clear(struct kt_buffer_contents *x)
{
	size_t i;

	kt_callstack_tables_free(x->source.stacks);
	kt_task_names_free(x->source.task_names);
	for (i = 0; i < x->source.n_events; i++)
		kt_event_free(x->events[i]);
	free(x->events);
	free(x->missed);
	free(x->complete);
	*x = (struct kt_buffer_contents){0};
}
