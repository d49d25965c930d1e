// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/flight/flight_stats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/counter_map.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "session/flight/flight_control.h"
#include "session/tid_bitmap.h"

enum { TENTHS = 10 };

#define SECOND UINT64_C(1000000000)

/* Returns the sum over all events of a channel on one CPU in a set. */
static uint64_t sum_events(const struct kt_flight *f, size_t set, enum kt_channel channel,
			   size_t cpu,
			   struct kt_counters read(const struct kt_counter_map *counters,
						   size_t set, size_t event, size_t cpu))
{
	const struct kt_counter_map *counters = kt_buffer_sets_counters(kt_flight_buffer_sets(f));
	const struct kt_flight_info *info = kt_flight_get_info(f);
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < info->n_events; i++)
		if (info->events[i].channel == channel)
			sum += kt_counters_recorded(read(counters, set, i, cpu));
	return sum;
}

/* Returns NULL if there is none. */
static const struct kt_ring *get_ring(const struct kt_flight *f, size_t set,
				      enum kt_channel channel, size_t cpu)
{
	const struct kt_rings *rings = kt_buffer_sets_rings(kt_flight_buffer_sets(f), set);
	size_t i;

	if (!rings)
		return NULL;
	i = channel * kt_rings_cpus(rings) + cpu;
	return i < kt_rings_count(rings) ? kt_rings_at(rings, i) : NULL;
}

/*
 * Returns the records in a ring since it was cleared. The overwritten ones are read first: so there
 * are never more of them than were written.
 */
static uint64_t count_left(struct kt_flight_stats *g, const struct kt_flight *f, size_t set,
			   enum kt_channel channel, size_t cpu)
{
	const struct kt_ring *ring = get_ring(f, set, channel, cpu);
	uint64_t overwritten = ring ? kt_ring_overwritten(ring) : 0;
	uint64_t before = ring ? kt_ring_overwritten_before(ring) : 0;
	uint64_t n = sum_events(f, set, channel, cpu, kt_counter_map_read_set);

	g->overwritten += overwritten + before;
	g->consumed += sum_events(f, set, channel, cpu, kt_counter_map_read_before) - before;
	if (set == kt_buffer_sets_active(kt_flight_buffer_sets(f)) && overwritten)
		g->channels[channel].is_whole = false;
	return n > overwritten ? n - overwritten : 0;
}

/* Returns the end of the set's time, if it is active. */
static uint64_t find_end(const struct kt_flight *f, size_t set)
{
	struct kt_enable_state opened = kt_flight_control_state(kt_flight_get_control(f));
	uint64_t end = kt_buffer_sets_ended(kt_flight_buffer_sets(f), set, kt_clock_now());

	return opened.is_open || opened.since > end ? end : opened.since;
}

static void add_ring(struct kt_flight_stats *g, const struct kt_flight *f, enum kt_channel channel,
		     size_t cpu)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	size_t set = kt_buffer_sets_active(b);
	const struct kt_ring *ring = get_ring(f, set, channel, cpu);
	struct kt_flight_stats_channel *c = &g->channels[channel];
	struct kt_held in_ring;
	uint64_t n, since, end, span;

	if (!ring)
		return;
	in_ring = kt_ring_held(ring);
	since = in_ring.since ? in_ring.since : kt_buffer_sets_began(b, set);
	end = find_end(f, set);
	n = count_left(g, f, set, channel, cpu);
	span = end > since ? end - since : 0;

	c->n_rings++;
	c->held += n;
	c->bytes += in_ring.bytes;
	if (c->n_rings == 1 || span < c->span)
		c->span = span;
	if (span)
		g->per_second += (unsigned __int128)n * SECOND * TENTHS / span;
}

static void add_inactive(struct kt_flight_stats *g, const struct kt_flight *f,
			 enum kt_channel channel, size_t cpu)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	size_t set = kt_buffer_sets_inactive(b);
	uint64_t inactive = count_left(g, f, set, channel, cpu);

	if (kt_buffer_sets_is_consumed(b))
		g->consumed += inactive;
	else
		g->inactive += inactive;
	g->channels[channel].n_spare += get_ring(f, set, channel, cpu) != NULL;
}

static void add_cpu(struct kt_flight_stats *g, const struct kt_flight *f, size_t cpu)
{
	const struct kt_counter_map *counters = kt_buffer_sets_counters(kt_flight_buffer_sets(f));
	size_t i;

	for (i = 0; i < KT_CHANNELS; i++) {
		add_inactive(g, f, i, cpu);
		add_ring(g, f, i, cpu);
	}
	for (i = 0; i < g->n_events; i++)
		kt_counters_add(&g->events[i].counters, kt_counter_map_read(counters, i, cpu));
}

/*
 * Records overwritten in freed rings count as consumed until it is known that they were
 * overwritten.
 */
static void add_freed(struct kt_flight_stats *g, const struct kt_buffer_sets *b)
{
	size_t set;

	for (set = 0; set < KT_BUFFER_SETS; set++) {
		g->overwritten += kt_buffer_sets_freed_overwritten(b, set);
		g->consumed -= kt_buffer_sets_freed_overwritten(b, set);
	}
}

/* Subtracts what was before the reset. What of it was not overwritten counts as consumed. */
static void subtract_before(struct kt_flight_stats *g, const struct kt_buffer_sets *b)
{
	uint64_t overwritten = kt_buffer_sets_overwritten_before(b);
	struct kt_counters then;
	size_t i;

	g->overwritten -= overwritten;
	g->consumed += overwritten;
	for (i = 0; i < g->n_events; i++) {
		then = kt_buffer_sets_counters_before(b, i);
		g->consumed -= kt_counters_recorded(then);
		kt_counters_subtract(&g->events[i].counters, then);
	}
}

static void read_event(struct kt_flight_stats_event *e, const struct kt_flight_control *switches,
		       size_t event)
{
	struct kt_event_state s = kt_flight_control_event(switches, event);

	e->is_enabled = s.number != 0;
	e->is_broken = e->is_enabled && kt_flight_control_is_broken(switches, event);
	e->switched = s.since ? kt_clock_now() - s.since : 0;
}

static struct kt_flight_stats_freezing read_freezing(const struct kt_buffer_sets *b, uint64_t now)
{
	struct kt_freezing f = kt_buffer_sets_freezing(b);
	struct kt_trigger_hit hit = kt_buffer_sets_hit(b, kt_buffer_sets_active(b));
	bool is_frozen = hit.at && hit.frozen <= now;

	if (!hit.at)
		return (struct kt_flight_stats_freezing){.can = f.can, .after = f.after};
	return (struct kt_flight_stats_freezing){
		.can = true,
		.after = f.after,
		.is_hit = true,
		.is_frozen = is_frozen,
		.hit = now > hit.at ? now - hit.at : 0,
		.rest = is_frozen ? now - hit.frozen : hit.frozen - now,
		.event = hit.event,
	};
}

static struct kt_flight_stats_pause read_pause(const struct kt_flight_control *s)
{
	struct kt_enable_state opened = kt_flight_control_state(s);

	return (struct kt_flight_stats_pause){
		.is_paused = !opened.is_open,
		.since = opened.is_open ? 0 : kt_clock_now() - opened.since,
	};
}

static void set_channel(struct kt_flight_stats_channel *c, struct kt_geometry geometry)
{
	*c = (struct kt_flight_stats_channel){
		.ring_size = kt_subbuf_size(geometry) * geometry.n_subbufs,
		.is_whole = true,
	};
}

/* Reads everything into memory that is already allocated. */
static void read_all(struct kt_flight_stats *g, const struct kt_flight *f)
{
	const struct kt_flight_info *info = kt_flight_get_info(f);
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	size_t cpu, i;

	*g = (struct kt_flight_stats){
		.memory = kt_flight_memory(f),
		.freezing = read_freezing(b, kt_clock_now()),
		.pause = read_pause(kt_flight_get_control(f)),
		.events = g->events,
		.n_events = info->n_events,
	};
	set_channel(&g->channels[KT_MAIN], info->geometry);
	set_channel(&g->channels[KT_RARE], kt_geometry_rare(info->geometry));
	memset(g->events, 0, g->n_events * sizeof(*g->events));
	for (cpu = 0; cpu < kt_counter_map_cpus(kt_buffer_sets_counters(b)); cpu++)
		add_cpu(g, f, cpu);
	add_freed(g, b);
	subtract_before(g, b);
	for (i = 0; i < g->n_events; i++) {
		g->events[i].missed = kt_buffer_sets_missed(b, i);
		read_event(&g->events[i], kt_flight_get_control(f), i);
	}
	g->is_first = kt_buffer_sets_began(b, kt_buffer_sets_active(b)) == kt_buffer_sets_since(b);
	g->is_reset = kt_buffer_sets_since(b) != info->began;
	g->since = kt_clock_now() - kt_buffer_sets_began(b, kt_buffer_sets_active(b));
	g->age = kt_clock_now() - info->began;
	g->clock_set = kt_flight_info_clock_change(info);
	g->counted = g->is_reset ? kt_clock_now() - kt_buffer_sets_since(b) : g->age;
}

/* What only changes by a swap, by consuming a set, or by a reset. */
struct stage {
	uint64_t began, since;
	size_t set;
	bool is_consumed;
};

static struct stage get_stage(const struct kt_buffer_sets *b)
{
	size_t set = kt_buffer_sets_active(b);

	return (struct stage){kt_buffer_sets_began(b, set), kt_buffer_sets_since(b), set,
			      kt_buffer_sets_is_consumed(b)};
}

static bool has_passed(struct stage s, const struct kt_buffer_sets *b)
{
	struct stage now = get_stage(b);

	return now.began != s.began || now.since != s.since || now.set != s.set ||
	       now.is_consumed != s.is_consumed || !kt_buffer_sets_are_current(b);
}

static size_t list_tasks(const struct kt_tid_bitmap *tids, uint32_t *to, size_t max)
{
	uint32_t tid;
	size_t n = 0;

	for (tid = 0; (tid = kt_tid_bitmap_next(tids, tid)) < KT_PIDS_MAX && n < max; tid++, n++)
		if (to)
			to[n] = tid;
	return n;
}

static int read_pid_filter(struct kt_flight_stats *g, const struct kt_flight *f,
			   struct kt_error *err)
{
	struct kt_tid_bitmap tids;
	int ret = kt_flight_control_pid_filter(kt_flight_get_control(f), &tids, err);

	if (ret < 0)
		return ret;
	g->n_pids = list_tasks(&tids, NULL, KT_PIDS_MAX);
	g->pids = g->n_pids ? calloc(g->n_pids, sizeof(*g->pids)) : NULL;
	if (g->pids)
		list_tasks(&tids, g->pids, g->n_pids);
	else if (g->n_pids)
		ret = kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_tid_bitmap_free(&tids);
	return ret;
}

int kt_flight_stats_read(struct kt_flight_stats *g, const struct kt_flight *f, struct kt_error *err)
{
	struct stage stage = get_stage(kt_flight_buffer_sets(f));
	struct kt_error unread;
	int ret;

	g->events = calloc(kt_flight_get_info(f)->n_events, sizeof(*g->events));
	if (!g->events)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	read_all(g, f);
	unread.code = -read_pid_filter(g, f, &unread);
	ret = kt_flight_check(f, err);
	if (ret == 0 && unread.code) {
		*err = unread;
		ret = -err->code;
	}
	if (ret == 0 && has_passed(stage, kt_flight_buffer_sets(f)))
		ret = kt_fail(err, EAGAIN, "its buffer sets were swapped meanwhile");
	if (ret == 0 && !kt_flight_control_is_current(kt_flight_get_control(f)))
		ret = kt_fail(err, EAGAIN, "its filters were changed meanwhile");
	if (ret < 0)
		kt_flight_stats_clear(g);
	return ret;
}

void kt_flight_stats_clear(struct kt_flight_stats *g)
{
	free(g->pids);
	free(g->events);
	*g = (struct kt_flight_stats){0};
}

bool kt_flight_stats_is_recording(const struct kt_flight *f)
{
	return !read_pause(kt_flight_get_control(f)).is_paused &&
	       !read_freezing(kt_flight_buffer_sets(f), kt_clock_now()).is_frozen;
}

uint64_t kt_flight_stats_held(const struct kt_flight_stats *g)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < KT_CHANNELS; i++)
		sum += g->channels[i].held;
	return sum;
}

struct kt_flight_stats_event kt_flight_stats_sum(const struct kt_flight_stats *g)
{
	struct kt_flight_stats_event sum = {0};
	size_t i;

	for (i = 0; i < g->n_events; i++) {
		kt_counters_add(&sum.counters, g->events[i].counters);
		sum.missed += g->events[i].missed;
	}
	return sum;
}
