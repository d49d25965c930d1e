// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/tail.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "base/clock.h"
#include "base/error.h"
#include "hook/grace.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/about.h"
#include "session/banks.h"
#include "session/excerpt.h"
#include "session/flight.h"
#include "session/ledger.h"
#include "trace/peek.h"
#include "trace/recording.h"

enum { AT_ONCE = 4 << 20 }; /* bytes of a ring, before it is another one's turn */

/* Of a CPU and a channel. */
struct stretch {
	struct kt_place place; /* while no trace is open */
	uint64_t before;       /* hits for it before the period, */
	uint64_t before_next;  /* and before what may be the next one */
	struct kt_peek *peek;  /* while one is */
};

/* A time in which a bank was written, or is: since then. */
struct period {
	size_t bank;
	uint64_t began;
};

struct kt_tail {
	struct period at; /* began 0: nowhere yet */
	bool is_over;     /* nothing more is to be had of it */
	uint64_t until;
	struct kt_excerpt of;           /* of the trace that is open */
	struct kt_recording *recording; /* it; NULL: none is */
	size_t n, n_cpus;
	struct stretch *rings; /* n of them */
};

struct kt_tail *kt_tail_new(struct kt_error *err)
{
	struct kt_tail *t = calloc(1, sizeof(*t));

	if (!t)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return t;
}

void kt_tail_end(struct kt_tail *t)
{
	size_t i;

	kt_recording_free(t->recording);
	t->recording = NULL;
	for (i = 0; i < t->n; i++) {
		if (!t->rings[i].peek)
			continue;
		t->rings[i].place = kt_peek_place(t->rings[i].peek);
		kt_peek_free(t->rings[i].peek);
		t->rings[i].peek = NULL;
	}
	kt_excerpt_clear(&t->of);
}

void kt_tail_free(struct kt_tail *t)
{
	if (!t)
		return;
	kt_tail_end(t);
	free(t->rings);
	free(t);
}

/* The one that goes on. */
static struct period written(const struct kt_banks *b)
{
	size_t bank = kt_banks_written(b);

	return (struct period){bank, kt_banks_began(b, bank)};
}

static bool is_same(struct period a, struct period b)
{
	return a.bank == b.bank && a.began == b.began;
}

/* Whether it rests, and is not cleared for another one yet. */
static bool is_resting(const struct kt_banks *b, struct period p)
{
	return kt_banks_written(b) != p.bank && kt_banks_began(b, p.bank) == p.began;
}

/* The first one that can be had; the one that was read, if there is more of it. */
static struct period choose(const struct kt_tail *t, const struct kt_banks *b, struct period now)
{
	struct period other = {!now.bank, kt_banks_began(b, !now.bank)};

	if (!t->at.began || !kt_banks_rings(b, other.bank))
		return now;
	if (is_same(other, t->at))
		return t->is_over ? now : other;
	return other.began > t->at.began && other.began >= kt_banks_since(b) ? other : now;
}

/* Of the events whose records go to a ring, in all periods before one: those that it should have.
 */
static uint64_t hits_before(const struct kt_tail *t, const struct kt_flight *f, struct period p,
			    bool is_written, size_t ring)
{
	const struct kt_about *about = kt_flight_about(f);
	const struct kt_ledger *ledger = kt_banks_ledger(kt_flight_banks(f));
	size_t cpu = ring % t->n_cpus, i, bank;
	struct kt_tally sum = {0};

	for (i = 0; i < about->n_events; i++) {
		if (about->events[i].channel != ring / t->n_cpus)
			continue;
		for (bank = 0; bank < KT_BANKS; bank++)
			kt_tally_add(&sum, kt_ledger_read_before(ledger, bank, i, cpu));
		if (is_written)
			kt_tally_add(&sum, kt_ledger_read_bank(ledger, !p.bank, i, cpu));
	}
	return sum.hits - sum.no_ring;
}

/* Where what is missing of the periods before is to be told, or nothing was to be had of them. */
static struct kt_place next_place(const struct stretch *s, bool was_reset)
{
	struct kt_place next = {.goes_on = s->place.is_begun || s->place.goes_on};
	uint64_t passed = s->before + kt_place_passed(&s->place);

	if (!next.goes_on || was_reset)
		return next;
	next.owed = s->place.owed;
	if (s->before_next > passed)
		next.owed += s->before_next - passed;
	return next;
}

/* What was hit before a reset nobody wants to know. */
static void go_to(struct kt_tail *t, const struct kt_banks *b, struct period p)
{
	bool was_reset = kt_banks_since(b) == p.began;
	size_t i;

	for (i = 0; i < t->n; i++) {
		t->rings[i].place = next_place(&t->rings[i], was_reset);
		t->rings[i].before = t->rings[i].before_next;
	}
	t->at = p;
	t->is_over = false;
}

static int fail_turned(struct kt_error *err)
{
	return kt_fail(err, EAGAIN, "it was turned meanwhile");
}

static bool are_current(const struct kt_flight *f)
{
	const struct kt_banks *b = kt_flight_banks(f);
	struct kt_error why;

	return kt_banks_are_current(b) ||
	       (kt_flight_check(f, &why) < 0 && kt_banks_were_current(b));
}

/* To the next period, if it is another one, while nothing is turned. */
static int find_period(struct kt_tail *t, const struct kt_flight *f, struct kt_error *err)
{
	const struct kt_banks *b = kt_flight_banks(f);
	struct period now = written(b), p = choose(t, b, now);
	size_t i;

	for (i = 0; i < t->n; i++)
		t->rings[i].before_next = hits_before(t, f, p, is_same(p, now), i);
	if (!are_current(f) || !is_same(now, written(b)) || !kt_banks_rings(b, p.bank))
		return fail_turned(err);
	if (!is_same(p, t->at))
		go_to(t, b, p);
	return 0;
}

static int make_room(struct kt_tail *t, const struct kt_flight *f, struct kt_error *err)
{
	const struct kt_banks *b = kt_flight_banks(f);
	const struct kt_rings *rings = kt_banks_rings(b, kt_banks_written(b));

	if (t->rings)
		return 0;
	if (!rings)
		return fail_turned(err);
	t->n = kt_rings_count(rings);
	t->n_cpus = kt_rings_cpus(rings);
	t->rings = calloc(t->n, sizeof(*t->rings));
	return t->rings ? 0 : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

static int begin_peeks(struct kt_tail *t, struct kt_error *err)
{
	const struct kt_rings *rings = t->of.origin.rings;
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (!kt_rings_at(rings, i))
			continue;
		t->rings[i].peek = kt_peek_new(kt_rings_at(rings, i), &t->rings[i].place, err);
		if (!t->rings[i].peek)
			return -err->code;
	}
	return 0;
}

/* What is missing of the periods before it. */
static int tell_owed(struct kt_tail *t, struct kt_error *err)
{
	struct kt_packet mark;
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->rings[i].peek && kt_peek_owed(t->rings[i].peek, t->at.began, &mark) &&
		    kt_recording_add(t->recording, i, &mark, err) < 0)
			return -err->code;
	return 0;
}

/* As if it had not begun. */
static void give_up(struct kt_tail *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		kt_peek_free(t->rings[i].peek);
		t->rings[i].peek = NULL;
	}
	kt_tail_end(t);
}

int kt_tail_begin(struct kt_tail *t, const struct kt_flight *f, int tracefs, const char *version,
		  int dir, struct kt_error *err)
{
	struct kt_span time = {t->until, kt_clock_now()};

	if (flock(dir, LOCK_EX | LOCK_NB) < 0)
		return kt_fail(err, errno, "%s", strerror(errno));
	if (make_room(t, f, err) < 0 || find_period(t, f, err) < 0 ||
	    kt_excerpt_read(&t->of, f, t->at.bank, time, tracefs, err) < 0)
		return -err->code;
	if (begin_peeks(t, err) == 0)
		t->recording = kt_recording_empty(&t->of.origin, version, dir, err);
	if (!t->recording || tell_owed(t, err) < 0) {
		give_up(t);
		return -err->code;
	}
	if (t->until < t->at.began)
		t->until = t->at.began;
	return 0;
}

/* Up to that time. Whether there may be more: 1, or 0. */
static int copy_of(struct kt_tail *t, size_t ring, uint64_t until, struct kt_error *err)
{
	struct kt_peek *peek = t->rings[ring].peek;
	struct kt_packet packet;
	size_t size = 0, fits, n;
	int ret;

	for (; size < AT_ONCE; size += packet.size) {
		ret = kt_peek_next(peek, &packet, err);
		if (ret < 0)
			return kt_fail_because(err, "CPU %zu", ring % t->n_cpus);
		if (ret == 0)
			return 0;
		fits = kt_recording_until(t->recording, ring, &packet, until, &n);
		if (fits < packet.size) {
			kt_peek_keep(peek, fits, n);
			packet.size = fits;
			packet.is_open = true;
		}
		if (fits == 0)
			return 0;
		if (kt_recording_add(t->recording, ring, &packet, err) < 0) {
			kt_peek_keep(peek, 0, 0);
			return -err->code;
		}
	}
	return 1;
}

static int copy_all(struct kt_tail *t, uint64_t until, struct kt_error *err)
{
	size_t i;
	int ret, more;

	do {
		more = 0;
		for (i = 0; i < t->n; i++) {
			if (!t->rings[i].peek)
				continue;
			ret = copy_of(t, i, until, err);
			if (ret < 0)
				return ret;
			more |= ret;
		}
	} while (more);
	return 0;
}

/*
 * What is to be had of its period was hit by this time. 0: nothing any more. What was hit by a time
 * at which it was written went there; and if it rests, what those did who were on their way.
 */
static uint64_t find_end(const struct kt_tail *t, const struct kt_banks *b, struct kt_error *err)
{
	uint64_t now = kt_clock_now();

	if (is_same(written(b), t->at))
		return now;
	if (kt_grace_wait(err) < 0)
		return UINT64_MAX;
	now = kt_clock_now();
	return is_resting(b, t->at) && kt_banks_since(b) <= t->at.began ? now : 0;
}

/* Where a ring is cleared meanwhile it is as if what it still had had been overwritten. */
int kt_tail_copy(struct kt_tail *t, const struct kt_flight *f, struct kt_error *err)
{
	const struct kt_banks *b = kt_flight_banks(f);
	bool goes_on = is_same(written(b), t->at);
	uint64_t end = find_end(t, b, err);
	int ret = 0;

	if (end == UINT64_MAX)
		return -err->code;
	if (end)
		ret = copy_all(t, end, err);
	if (ret < 0 && ret != -ESTALE)
		return ret;
	if (end)
		t->until = end;
	t->is_over = !end || !goes_on;
	return !t->is_over;
}

uint64_t kt_tail_until(const struct kt_tail *t)
{
	return t->until;
}

struct kt_recording *kt_tail_recording(const struct kt_tail *t)
{
	return t->recording;
}
