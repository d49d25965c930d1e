// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/flight_position.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "hook/rcu_wait.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/counter_map.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "session/flight/flight_info.h"
#include "trace/recording.h"
#include "trace/ring_peek.h"

enum { AT_ONCE = 4 << 20 }; /* bytes of a ring, before it is another one's turn */

/* Of a CPU and a channel. */
struct stretch {
	struct kt_ring_position place; /* while it is not open */
	uint64_t before;               /* hits for it before the period, */
	uint64_t before_next;          /* and before what may be the next one */
	uint64_t lost;                 /* told in the trace, before it was opened */
	bool is_elsewhere;             /* in another period than the trace's last packet of it */
	struct kt_ring_peek *peek;     /* while it is open */
};

struct kt_flight_position {
	struct kt_period at; /* zero: nowhere yet */
	bool is_over;        /* nothing more is to be had of it */
	uint64_t until;
	size_t only; /* the ring; or KT_ALL_RINGS */
	struct kt_period *settled;
	size_t first, n, n_cpus; /* of all rings these */
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
		s->place = kt_ring_peek_place(s->peek);
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

/* The one that goes on. */
static struct kt_period written(const struct kt_buffer_sets *b)
{
	size_t bank = kt_buffer_sets_written(b);

	return (struct kt_period){bank, kt_buffer_sets_began(b, bank)};
}

static bool is_same(struct kt_period a, struct kt_period b)
{
	return a.bank == b.bank && a.began == b.began;
}

/* Whether it rests, and is not cleared for another one yet. */
static bool is_resting(const struct kt_buffer_sets *b, struct kt_period p)
{
	return kt_buffer_sets_written(b) != p.bank && kt_buffer_sets_began(b, p.bank) == p.began;
}

/* The first one that can be had; the one that was read, if there is more of it. */
static struct kt_period choose(const struct kt_flight_position *t, const struct kt_buffer_sets *b,
			       struct kt_period now)
{
	struct kt_period other = {!now.bank, kt_buffer_sets_began(b, !now.bank)};

	if (!t->at.began || !kt_buffer_sets_rings(b, other.bank))
		return now;
	if (is_same(other, t->at))
		return t->is_over ? now : other;
	return other.began > t->at.began && other.began >= kt_buffer_sets_since(b) ? other : now;
}

/* Of the events whose records go to a ring, in all periods before one: those that it should have.
 */
static uint64_t hits_before(const struct kt_flight_position *t, const struct kt_flight *f,
			    struct kt_period p, bool is_written, size_t ring)
{
	const struct kt_flight_info *about = kt_flight_about(f);
	const struct kt_counter_map *ledger = kt_buffer_sets_ledger(kt_flight_banks(f));
	size_t cpu = ring % t->n_cpus, i, bank;
	struct kt_counters sum = {0};

	for (i = 0; i < about->n_events; i++) {
		if (about->events[i].channel != ring / t->n_cpus)
			continue;
		for (bank = 0; bank < KT_BUFFER_SETS; bank++)
			kt_counters_add(&sum, kt_counter_map_read_before(ledger, bank, i, cpu));
		if (is_written)
			kt_counters_add(&sum, kt_counter_map_read_bank(ledger, !p.bank, i, cpu));
	}
	return sum.hits - sum.no_ring;
}

/* Where what is missing of the periods before is to be told, or nothing was to be had of them. */
static struct kt_ring_position next_place(const struct stretch *s, bool was_reset)
{
	struct kt_ring_position next = {.goes_on = s->place.is_begun || s->place.goes_on};
	uint64_t passed = s->before + kt_ring_position_passed(&s->place);

	if (!next.goes_on || was_reset)
		return next;
	next.owed = s->place.owed;
	if (s->before_next > passed)
		next.owed += s->before_next - passed;
	return next;
}

/* What was hit before a reset nobody wants to know. */
static void go_to(struct kt_flight_position *t, const struct kt_buffer_sets *b, struct kt_period p)
{
	bool was_reset = kt_buffer_sets_since(b) == p.began;
	struct stretch *s;

	for (s = t->rings; s < t->rings + t->n; s++) {
		s->place = next_place(s, was_reset);
		s->before = s->before_next;
		s->is_elsewhere = true;
	}
	t->at = p;
	t->is_over = false;
}

static int fail_turned(struct kt_error *err)
{
	return kt_fail(err, EAGAIN, "it was turned meanwhile");
}

/* Those of a period; where the flight has ended, no others are wanted. */
static bool are_current(const struct kt_flight *f, struct kt_period p)
{
	const struct kt_buffer_sets *b = kt_flight_banks(f);
	struct kt_error why;

	return kt_buffer_sets_are_current(b) ||
	       (kt_flight_check(f, &why) < 0 && kt_buffer_sets_were_current(b, p.bank));
}

/* To the next period, if it is another one, while nothing is turned. */
static int find_period(struct kt_flight_position *t, const struct kt_flight *f,
		       struct kt_error *err)
{
	const struct kt_buffer_sets *b = kt_flight_banks(f);
	struct kt_period now = written(b), p = choose(t, b, now);
	size_t i;

	for (i = 0; i < t->n; i++)
		t->rings[i].before_next = hits_before(t, f, p, is_same(p, now), t->first + i);
	if (!are_current(f, p) || !is_same(now, written(b)) || !kt_buffer_sets_rings(b, p.bank))
		return fail_turned(err);
	if (!is_same(p, t->at))
		go_to(t, b, p);
	return 0;
}

static int make_room(struct kt_flight_position *t, const struct kt_flight *f, struct kt_error *err)
{
	const struct kt_buffer_sets *b = kt_flight_banks(f);
	const struct kt_rings *rings = kt_buffer_sets_rings(b, kt_buffer_sets_written(b));
	bool is_all = t->only == KT_ALL_RINGS;

	if (t->rings)
		return 0;
	if (!rings)
		return fail_turned(err);
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
	if (open_rings(t, kt_buffer_sets_rings(kt_flight_banks(f), t->at.bank), err) < 0) {
		kt_flight_position_end(t);
		return -err->code;
	}
	if (t->until < t->at.began)
		t->until = t->at.began;
	return 0;
}

/* Where it is in another period its hits may be from before the last ones of the one before. */
static int put(struct kt_flight_position *t, size_t i, const struct kt_packet *packet,
	       struct kt_recording *r, struct kt_error *err)
{
	struct kt_packet p = *packet;
	struct stretch *s = &t->rings[i];

	p.lost += s->lost;
	if (s->is_elsewhere)
		kt_recording_turn(r, t->first + i);
	if (kt_recording_add(r, t->first + i, &p, err) < 0)
		return -err->code;
	s->is_elsewhere = false;
	return 0;
}

/* What is missing of the periods before it. */
static int tell_owed(struct kt_flight_position *t, size_t i, struct kt_recording *r,
		     struct kt_error *err)
{
	struct kt_ring_peek *peek = t->rings[i].peek;
	struct kt_packet mark;

	if (!kt_ring_peek_owed(peek, t->at.began, &mark))
		return 0;
	if (put(t, i, &mark, r, err) < 0)
		return -err->code;
	kt_ring_peek_forget_owed(peek);
	return 0;
}

/* Up to that time. Whether there may be more: 1, or 0. */
static int copy_of(struct kt_flight_position *t, size_t i, struct kt_recording *r, uint64_t until,
		   struct kt_error *err)
{
	struct kt_ring_peek *peek = t->rings[i].peek;
	struct kt_packet packet;
	size_t size = 0, fits, n;
	int ret;

	if (tell_owed(t, i, r, err) < 0)
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
		if (put(t, i, &packet, r, err) < 0) {
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
			ret = copy_of(t, i, r, until, err);
			if (ret < 0)
				return ret;
			more |= ret;
		}
	} while (more);
	return 0;
}

/* Who was on his way when it was turned, which has been seen, is done. */
static int settle(struct kt_flight_position *t, struct kt_period turned, struct kt_error *err)
{
	if (is_same(*t->settled, turned))
		return 0;
	if (kt_rcu_wait(err) < 0)
		return -err->code;
	*t->settled = turned;
	return 0;
}

/*
 * What is to be had of its period was hit by this time. 0: nothing any more. What was hit by a time
 * at which it was written went there; and if it rests, what those did who were on their way.
 */
static uint64_t find_end(struct kt_flight_position *t, const struct kt_buffer_sets *b,
			 struct kt_error *err)
{
	uint64_t now = kt_clock_now();
	struct kt_period turned = written(b);

	if (is_same(turned, t->at))
		return now;
	if (settle(t, turned, err) < 0)
		return UINT64_MAX;
	now = kt_clock_now();
	return is_resting(b, t->at) && kt_buffer_sets_since(b) <= t->at.began ? now : 0;
}

/* Where a ring is cleared meanwhile it is as if what it still had had been overwritten. */
int kt_flight_position_copy(struct kt_flight_position *t, const struct kt_flight *f,
			    struct kt_recording *r, struct kt_error *err)
{
	const struct kt_buffer_sets *b = kt_flight_banks(f);
	bool goes_on = is_same(written(b), t->at);
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
	t->is_over = !end || !goes_on;
	return !t->is_over;
}
