// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/flight/flight_position.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "hook/ask/rcu_wait.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/counter_map.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "session/flight/flight_info.h"
#include "trace/flight/ring_peek.h"
#include "trace/recording.h"

enum { AT_ONCE = 4 << 20 }; /* bytes of a ring before the next ring's turn */

/* Position in one ring. */
struct stretch {
	struct kt_ring_position place; /* while it is closed */
	uint64_t before;               /* hits of its events before the period */
	uint64_t before_next;          /* and before the possible next period */
	uint64_t lost;                 /* reported in the trace before it was opened */
	bool is_elsewhere;         /* in another period than the trace's last packet of the ring */
	struct kt_ring_peek *peek; /* while it is open */
};

struct kt_flight_position {
	struct kt_period at; /* zero: none yet */
	bool is_over;        /* nothing more will come in this period */
	uint64_t until;
	size_t only; /* the ring, or KT_ALL_RINGS */
	struct kt_period *settled;
	size_t first, n, n_cpus; /* the range of rings */
	struct stretch *rings;   /* n of them */
};

struct kt_flight_position *kt_flight_position_new(size_t ring, struct kt_period *settled,
						  struct kt_error *err)
{
	struct kt_flight_position *t = calloc(1, sizeof(*t));

	if (!t) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	t->only = ring;
	t->settled = settled;
	return t;
}

static void close_ring(struct stretch *s)
{
	kt_ring_peek_free(s->peek);
	s->peek = NULL;
}

void kt_flight_position_end(struct kt_flight_position *t)
{
	struct stretch *s;

	for (s = t->rings; s < t->rings + t->n; s++) {
		if (!s->peek)
			continue;
		s->place = kt_ring_peek_position(s->peek);
		s->lost += kt_ring_peek_lost(s->peek);
		close_ring(s);
	}
}

void kt_flight_position_free(struct kt_flight_position *t)
{
	if (!t)
		return;
	kt_flight_position_end(t);
	free(t->rings);
	free(t);
}

struct kt_period kt_flight_position_period(const struct kt_flight_position *t)
{
	return t->at;
}

uint64_t kt_flight_position_until(const struct kt_flight_position *t)
{
	return t->until;
}

void kt_flight_position_change_trace(struct kt_flight_position *t)
{
	struct stretch *s;

	for (s = t->rings; s < t->rings + t->n; s++) {
		s->lost = 0;
		s->is_elsewhere = false;
	}
}

/* Returns the active period. */
static struct kt_period get_active_period(const struct kt_buffer_sets *b)
{
	size_t set = kt_buffer_sets_active(b);

	return (struct kt_period){set, kt_buffer_sets_began(b, set)};
}

static bool is_same(struct kt_period a, struct kt_period b)
{
	return a.set == b.set && a.began == b.began;
}

/* Returns whether a period's set is inactive and not cleared yet. */
static bool is_inactive(const struct kt_buffer_sets *b, struct kt_period p)
{
	return kt_buffer_sets_active(b) != p.set && kt_buffer_sets_began(b, p.set) == p.began;
}

/* Returns the first period available, or the one that was being read if there is more of it. */
static struct kt_period choose_period(const struct kt_flight_position *t,
				      const struct kt_buffer_sets *b, struct kt_period now)
{
	struct kt_period other = {!now.set, kt_buffer_sets_began(b, !now.set)};

	if (!t->at.began || !kt_buffer_sets_rings(b, other.set))
		return now;
	if (is_same(other, t->at))
		return t->is_over ? now : other;
	return other.began > t->at.began && other.began >= kt_buffer_sets_since(b) ? other : now;
}

/* Returns the hits in all periods before one, of the events whose records go to a ring. */
static uint64_t count_hits_before(const struct kt_flight_position *t, const struct kt_flight *f,
				  struct kt_period p, bool is_written, size_t ring)
{
	const struct kt_flight_info *info = kt_flight_get_info(f);
	const struct kt_counter_map *counters = kt_buffer_sets_counters(kt_flight_buffer_sets(f));
	size_t cpu = ring % t->n_cpus, i, set;
	struct kt_counters sum = {0};

	for (i = 0; i < info->n_events; i++) {
		if (info->events[i].channel != ring / t->n_cpus)
			continue;
		for (set = 0; set < KT_BUFFER_SETS; set++)
			kt_counters_add(&sum, kt_counter_map_read_before(counters, set, i, cpu));
		if (is_written)
			kt_counters_add(&sum, kt_counter_map_read_set(counters, !p.set, i, cpu));
	}
	return sum.hits - sum.no_ring;
}

/* Returns the position for a new period, from which losses of earlier ones are reported, if any. */
static struct kt_ring_position make_position(const struct stretch *s, bool was_reset)
{
	struct kt_ring_position next = {.continues = s->place.is_begun || s->place.continues};
	uint64_t passed = s->before + kt_ring_position_passed(&s->place);

	if (!next.continues || was_reset)
		return next;
	next.owed = s->place.owed;
	if (s->before_next > passed)
		next.owed += s->before_next - passed;
	return next;
}

/* Hits before a reset are not reported as lost. */
static void enter_period(struct kt_flight_position *t, const struct kt_buffer_sets *b,
			 struct kt_period p)
{
	bool was_reset = kt_buffer_sets_since(b) == p.began;
	struct stretch *s;

	for (s = t->rings; s < t->rings + t->n; s++) {
		s->place = make_position(s, was_reset);
		s->before = s->before_next;
		s->is_elsewhere = true;
	}
	t->at = p;
	t->is_over = false;
}

static int report_swapped(struct kt_error *err)
{
	return kt_fail(err, EAGAIN, "its buffer sets were swapped meanwhile");
}

/*
 * Returns whether the rings of a period are those known here; after the flight's end, no others
 * exist.
 */
static bool has_current_rings(const struct kt_flight *f, struct kt_period p)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	struct kt_error why;

	return kt_buffer_sets_are_current(b) ||
	       (kt_flight_check(f, &why) < 0 && kt_buffer_sets_were_current(b, p.set));
}

/* Goes to the next period, if there is one, provided that no swap happens meanwhile. */
static int find_period(struct kt_flight_position *t, const struct kt_flight *f,
		       struct kt_error *err)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	struct kt_period now = get_active_period(b), p = choose_period(t, b, now);
	size_t i;

	for (i = 0; i < t->n; i++)
		t->rings[i].before_next = count_hits_before(t, f, p, is_same(p, now), t->first + i);
	if (!has_current_rings(f, p) || !is_same(now, get_active_period(b)) ||
	    !kt_buffer_sets_rings(b, p.set))
		return report_swapped(err);
	if (!is_same(p, t->at))
		enter_period(t, b, p);
	return 0;
}

static int make_room(struct kt_flight_position *t, const struct kt_flight *f, struct kt_error *err)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	const struct kt_rings *rings = kt_buffer_sets_rings(b, kt_buffer_sets_active(b));
	bool is_all = t->only == KT_ALL_RINGS;

	if (t->rings)
		return 0;
	if (!rings)
		return report_swapped(err);
	t->n_cpus = kt_rings_cpus(rings);
	t->first = is_all ? 0 : t->only;
	t->n = is_all ? kt_rings_count(rings) : 1;
	t->rings = calloc(t->n, sizeof(*t->rings));
	return t->rings ? 0 : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

static int open_rings(struct kt_flight_position *t, const struct kt_rings *rings,
		      struct kt_error *err)
{
	const struct kt_ring *ring;
	struct stretch *s;
	size_t i;

	for (i = 0; i < t->n; i++) {
		s = &t->rings[i];
		ring = kt_rings_at(rings, t->first + i);
		s->peek = ring ? kt_ring_peek_new(ring, &s->place, err) : NULL;
		if (ring && !s->peek)
			return -err->code;
	}
	return 0;
}

int kt_flight_position_begin(struct kt_flight_position *t, const struct kt_flight *f,
			     struct kt_error *err)
{
	if (make_room(t, f, err) < 0 || find_period(t, f, err) < 0)
		return -err->code;
	if (open_rings(t, kt_buffer_sets_rings(kt_flight_buffer_sets(f), t->at.set), err) < 0) {
		kt_flight_position_end(t);
		return -err->code;
	}
	if (t->until < t->at.began)
		t->until = t->at.began;
	return 0;
}

/* In a new period hits may be older than the last ones of the previous period. */
static int write_packet(struct kt_flight_position *t, size_t i, const struct kt_packet *packet,
			struct kt_recording *r, struct kt_error *err)
{
	struct kt_packet p = *packet;
	struct stretch *s = &t->rings[i];

	p.lost += s->lost;
	if (s->is_elsewhere)
		kt_recording_change_ring(r, t->first + i);
	if (kt_recording_add(r, t->first + i, &p, err) < 0)
		return -err->code;
	s->is_elsewhere = false;
	return 0;
}

/* Reports the losses of earlier periods. */
static int report_losses(struct kt_flight_position *t, size_t i, struct kt_recording *r,
			 struct kt_error *err)
{
	struct kt_ring_peek *peek = t->rings[i].peek;
	struct kt_packet mark;

	if (!kt_ring_peek_owed(peek, t->at.began, &mark))
		return 0;
	if (write_packet(t, i, &mark, r, err) < 0)
		return -err->code;
	kt_ring_peek_forget_owed(peek);
	return 0;
}

/* Copies up to that time. Returns 1 if there may be more, else 0. */
static int copy_ring(struct kt_flight_position *t, size_t i, struct kt_recording *r, uint64_t until,
		     struct kt_error *err)
{
	struct kt_ring_peek *peek = t->rings[i].peek;
	struct kt_packet packet;
	size_t size = 0, fits, n;
	int ret;

	if (report_losses(t, i, r, err) < 0)
		return -err->code;
	for (; size < AT_ONCE; size += packet.size) {
		ret = kt_ring_peek_next(peek, &packet, err);
		if (ret < 0)
			return kt_fail_because(err, "CPU %zu", (t->first + i) % t->n_cpus);
		if (ret == 0)
			return 0;
		fits = kt_recording_until(r, t->first + i, &packet, until, &n);
		if (fits < packet.size) {
			kt_ring_peek_keep(peek, fits, n);
			packet.size = fits;
			packet.is_open = true;
		}
		if (fits == 0)
			return 0;
		if (write_packet(t, i, &packet, r, err) < 0) {
			kt_ring_peek_keep(peek, 0, 0);
			return -err->code;
		}
	}
	return 1;
}

static int copy_all(struct kt_flight_position *t, struct kt_recording *r, uint64_t until,
		    struct kt_error *err)
{
	size_t i;
	int ret, more;

	do {
		more = 0;
		for (i = 0; i < t->n; i++) {
			if (!t->rings[i].peek)
				continue;
			ret = copy_ring(t, i, r, until, err);
			if (ret < 0)
				return ret;
			more |= ret;
		}
	} while (more);
	return 0;
}

/* Waits until programs that were running at the swap, which has been observed, are done. */
static int settle_period(struct kt_flight_position *t, struct kt_period swapped,
			 struct kt_error *err)
{
	if (is_same(*t->settled, swapped))
		return 0;
	if (kt_rcu_wait(err) < 0)
		return -err->code;
	*t->settled = swapped;
	return 0;
}

/*
 * Returns the time up to which all hits of the period are in the ring; 0 if nothing more will come.
 * Hits up to a time when the set was active went there; when it is inactive, also those of programs
 * that were running then.
 */
static uint64_t find_end(struct kt_flight_position *t, const struct kt_buffer_sets *b,
			 struct kt_error *err)
{
	uint64_t now = kt_clock_now();
	struct kt_period swapped = get_active_period(b);

	if (is_same(swapped, t->at))
		return now;
	if (settle_period(t, swapped, err) < 0)
		return UINT64_MAX;
	now = kt_clock_now();
	return is_inactive(b, t->at) && kt_buffer_sets_since(b) <= t->at.began ? now : 0;
}

/* If a ring is cleared meanwhile, what was left in it counts as overwritten. */
int kt_flight_position_copy(struct kt_flight_position *t, const struct kt_flight *f,
			    struct kt_recording *r, struct kt_error *err)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	bool continues = is_same(get_active_period(b), t->at);
	uint64_t end = find_end(t, b, err);
	int ret = 0;

	if (end == UINT64_MAX)
		return -err->code;
	if (end)
		ret = copy_all(t, r, end, err);
	if (ret < 0 && ret != -ESTALE)
		return ret;
	if (end)
		t->until = end;
	t->is_over = !end || !continues;
	return !t->is_over;
}
