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

/* Of all events of a channel on one CPU, in a bank, what read says of each. */
static uint64_t kept(const struct kt_flight *f, size_t bank, enum kt_channel channel, size_t cpu,
		     struct kt_counters read(const struct kt_counter_map *ledger, size_t bank,
					     size_t event, size_t cpu))
{
	const struct kt_counter_map *ledger = kt_buffer_sets_ledger(kt_flight_banks(f));
	const struct kt_flight_info *about = kt_flight_about(f);
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < about->n_events; i++)
		if (about->events[i].channel == channel)
			sum += kt_counters_kept(read(ledger, bank, i, cpu));
	return sum;
}

/* NULL: there is none. */
static const struct kt_ring *ring_of(const struct kt_flight *f, size_t bank,
				     enum kt_channel channel, size_t cpu)
{
	const struct kt_rings *rings = kt_buffer_sets_rings(kt_flight_banks(f), bank);
	size_t i;

	if (!rings)
		return NULL;
	i = channel * kt_rings_cpus(rings) + cpu;
	return i < kt_rings_count(rings) ? kt_rings_at(rings, i) : NULL;
}

/*
 * Records that are in a ring since it was cleared. What is overwritten is read before what was
 * written: it is never more.
 */
static uint64_t left(struct kt_flight_stats *g, const struct kt_flight *f, size_t bank,
		     enum kt_channel channel, size_t cpu)
{
	const struct kt_ring *ring = ring_of(f, bank, channel, cpu);
	uint64_t overwritten = ring ? kt_ring_overwritten(ring) : 0;
	uint64_t before = ring ? kt_ring_overwritten_before(ring) : 0;
	uint64_t n = kept(f, bank, channel, cpu, kt_counter_map_read_bank);

	g->overwritten += overwritten + before;
	g->taken += kept(f, bank, channel, cpu, kt_counter_map_read_before) - before;
	if (bank == kt_buffer_sets_written(kt_flight_banks(f)) && overwritten)
		g->channels[channel].is_whole = false;
	return n > overwritten ? n - overwritten : 0;
}

/* Of what is written. */
static uint64_t end_of(const struct kt_flight *f, size_t bank)
{
	struct kt_opened opened = kt_flight_control_opened(kt_flight_switches(f));
	uint64_t end = kt_buffer_sets_ended(kt_flight_banks(f), bank, kt_clock_now());

	return opened.is_open || opened.since > end ? end : opened.since;
}

static void add_ring(struct kt_flight_stats *g, const struct kt_flight *f, enum kt_channel channel,
		     size_t cpu)
{
	const struct kt_buffer_sets *b = kt_flight_banks(f);
	size_t bank = kt_buffer_sets_written(b);
	const struct kt_ring *ring = ring_of(f, bank, channel, cpu);
	struct kt_flight_stats_channel *c = &g->channels[channel];
	struct kt_held in_ring;
	uint64_t n, since, end, span;

	if (!ring)
		return;
	in_ring = kt_ring_held(ring);
	since = in_ring.since ? in_ring.since : kt_buffer_sets_began(b, bank);
	end = end_of(f, bank);
	n = left(g, f, bank, channel, cpu);
	span = end > since ? end - since : 0;

	c->n_rings++;
	c->held += n;
	c->bytes += in_ring.bytes;
	if (c->n_rings == 1 || span < c->span)
		c->span = span;
	if (span)
		g->per_second += (unsigned __int128)n * SECOND * TENTHS / span;
}

static void add_resting(struct kt_flight_stats *g, const struct kt_flight *f,
			enum kt_channel channel, size_t cpu)
{
	const struct kt_buffer_sets *b = kt_flight_banks(f);
	size_t bank = kt_buffer_sets_resting(b);
	uint64_t resting = left(g, f, bank, channel, cpu);

	if (kt_buffer_sets_is_taken(b))
		g->taken += resting;
	else
		g->resting += resting;
	g->channels[channel].n_spare += ring_of(f, bank, channel, cpu) != NULL;
}

static void add_cpu(struct kt_flight_stats *g, const struct kt_flight *f, size_t cpu)
{
	const struct kt_counter_map *ledger = kt_buffer_sets_ledger(kt_flight_banks(f));
	size_t i;

	for (i = 0; i < KT_CHANNELS; i++) {
		add_resting(g, f, i, cpu);
		add_ring(g, f, i, cpu);
	}
	for (i = 0; i < g->n_events; i++)
		kt_counters_add(&g->events[i].tally, kt_counter_map_read(ledger, i, cpu));
}

/* What was overwritten in rings that are freed counts as taken until it is known of it. */
static void add_gone(struct kt_flight_stats *g, const struct kt_buffer_sets *b)
{
	size_t bank;

	for (bank = 0; bank < KT_BUFFER_SETS; bank++) {
		g->overwritten += kt_buffer_sets_gone(b, bank);
		g->taken -= kt_buffer_sets_gone(b, bank);
	}
}

/* What was before the flight was reset is not told. What of it was not overwritten is taken. */
static void leave_out(struct kt_flight_stats *g, const struct kt_buffer_sets *b)
{
	uint64_t overwritten = kt_buffer_sets_overwritten_then(b);
	struct kt_counters then;
	size_t i;

	g->overwritten -= overwritten;
	g->taken += overwritten;
	for (i = 0; i < g->n_events; i++) {
		then = kt_buffer_sets_tally_then(b, i);
		g->taken -= kt_counters_kept(then);
		kt_counters_subtract(&g->events[i].tally, then);
	}
}

static void read_switch(struct kt_flight_stats_event *e, const struct kt_flight_control *switches,
			size_t event)
{
	struct kt_switched s = kt_flight_control_at(switches, event);

	e->is_enabled = s.number != 0;
	e->is_broken = e->is_enabled && kt_flight_control_is_broken(switches, event);
	e->switched = s.since ? kt_clock_now() - s.since : 0;
}

static struct kt_flight_stats_freezing read_freezing(const struct kt_buffer_sets *b, uint64_t now)
{
	struct kt_freezing f = kt_buffer_sets_freezing(b);
	struct kt_trigger_hit hit = kt_buffer_sets_hit(b, kt_buffer_sets_written(b));
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
	struct kt_opened opened = kt_flight_control_opened(s);

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

/* All but the events' memory. */
static void read_all(struct kt_flight_stats *g, const struct kt_flight *f)
{
	const struct kt_flight_info *about = kt_flight_about(f);
	const struct kt_buffer_sets *b = kt_flight_banks(f);
	size_t cpu, i;

	*g = (struct kt_flight_stats){
		.memory = kt_flight_memory(f),
		.freezing = read_freezing(b, kt_clock_now()),
		.pause = read_pause(kt_flight_switches(f)),
		.events = g->events,
		.n_events = about->n_events,
	};
	set_channel(&g->channels[KT_MAIN], about->geometry);
	set_channel(&g->channels[KT_RARE], kt_geometry_rare(about->geometry));
	memset(g->events, 0, g->n_events * sizeof(*g->events));
	for (cpu = 0; cpu < kt_counter_map_cpus(kt_buffer_sets_ledger(b)); cpu++)
		add_cpu(g, f, cpu);
	add_gone(g, b);
	leave_out(g, b);
	for (i = 0; i < g->n_events; i++) {
		g->events[i].missed = kt_buffer_sets_missed(b, i);
		read_switch(&g->events[i], kt_flight_switches(f), i);
	}
	g->is_first = kt_buffer_sets_began(b, kt_buffer_sets_written(b)) == kt_buffer_sets_since(b);
	g->is_reset = kt_buffer_sets_since(b) != about->began;
	g->since = kt_clock_now() - kt_buffer_sets_began(b, kt_buffer_sets_written(b));
	g->age = kt_clock_now() - about->began;
	g->clock_set = kt_flight_info_clock_set(about);
	g->counted = g->is_reset ? kt_clock_now() - kt_buffer_sets_since(b) : g->age;
}

/* What does not change but with a turn, a bank's being taken, or a reset. */
struct stage {
	uint64_t began, since;
	size_t bank;
	bool is_taken;
};

static struct stage stage_of(const struct kt_buffer_sets *b)
{
	size_t bank = kt_buffer_sets_written(b);

	return (struct stage){kt_buffer_sets_began(b, bank), kt_buffer_sets_since(b), bank,
			      kt_buffer_sets_is_taken(b)};
}

static bool is_over(struct stage s, const struct kt_buffer_sets *b)
{
	struct stage now = stage_of(b);

	return now.began != s.began || now.since != s.since || now.bank != s.bank ||
	       now.is_taken != s.is_taken || !kt_buffer_sets_are_current(b);
}

static size_t list(const struct kt_tid_bitmap *tids, uint32_t *to, size_t max)
{
	uint32_t tid;
	size_t n = 0;

	for (tid = 0; (tid = kt_tid_bitmap_next(tids, tid)) < KT_PIDS_MAX && n < max; tid++, n++)
		if (to)
			to[n] = tid;
	return n;
}

static int read_focus(struct kt_flight_stats *g, const struct kt_flight *f, struct kt_error *err)
{
	struct kt_tid_bitmap tids;
	int ret = kt_flight_control_focused(kt_flight_switches(f), &tids, err);

	if (ret < 0)
		return ret;
	g->n_focus = list(&tids, NULL, KT_PIDS_MAX);
	g->focus = g->n_focus ? calloc(g->n_focus, sizeof(*g->focus)) : NULL;
	if (g->focus)
		list(&tids, g->focus, g->n_focus);
	else if (g->n_focus)
		ret = kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_tid_bitmap_free(&tids);
	return ret;
}

int kt_flight_stats_read(struct kt_flight_stats *g, const struct kt_flight *f, struct kt_error *err)
{
	struct stage stage = stage_of(kt_flight_banks(f));
	struct kt_error unread;
	int ret;

	g->events = calloc(kt_flight_about(f)->n_events, sizeof(*g->events));
	if (!g->events)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	read_all(g, f);
	unread.code = -read_focus(g, f, &unread);
	ret = kt_flight_check(f, err);
	if (ret == 0 && unread.code) {
		*err = unread;
		ret = -err->code;
	}
	if (ret == 0 && is_over(stage, kt_flight_banks(f)))
		ret = kt_fail(err, EAGAIN, "it was turned meanwhile");
	if (ret == 0 && !kt_flight_control_are_current(kt_flight_switches(f)))
		ret = kt_fail(err, EAGAIN, "its filters were changed meanwhile");
	if (ret < 0)
		kt_flight_stats_clear(g);
	return ret;
}

void kt_flight_stats_clear(struct kt_flight_stats *g)
{
	free(g->focus);
	free(g->events);
	*g = (struct kt_flight_stats){0};
}

bool kt_flight_stats_is_on(const struct kt_flight *f)
{
	return !read_pause(kt_flight_switches(f)).is_paused &&
	       !read_freezing(kt_flight_banks(f), kt_clock_now()).is_frozen;
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
		kt_counters_add(&sum.tally, g->events[i].tally);
		sum.missed += g->events[i].missed;
	}
	return sum;
}
