// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/gauge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/flight.h"
#include "session/ledger.h"

enum { TENTHS = 10 };

#define SECOND UINT64_C(1000000000)

/* Of all events on one CPU, in a bank, what read says of each. */
static uint64_t kept(const struct kt_flight *f, size_t bank, size_t cpu,
		     struct kt_tally read(const struct kt_ledger *ledger, size_t bank, size_t event,
					  size_t cpu))
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < kt_flight_about(f)->n_events; i++)
		sum += kt_tally_kept(read(kt_flight_ledger(f), bank, i, cpu));
	return sum;
}

/* Records that are in a bank since it was cleared. What is overwritten is read before what was
 * written: it is never more.
 */
static uint64_t left(struct kt_gauge *g, const struct kt_flight *f, size_t bank, size_t cpu)
{
	const struct kt_rings *rings = kt_flight_rings(f, bank);
	const struct kt_ring *ring = rings ? kt_rings_at(rings, cpu) : NULL;
	uint64_t overwritten, before, n;

	if (!ring)
		return 0;
	overwritten = kt_ring_overwritten(ring);
	before = kt_ring_overwritten_before(ring);
	n = kept(f, bank, cpu, kt_ledger_read_bank);
	g->overwritten += overwritten + before;
	g->taken += kept(f, bank, cpu, kt_ledger_read_before) - before;
	if (bank == kt_flight_bank(f) && overwritten)
		g->is_whole = false;
	return n > overwritten ? n - overwritten : 0;
}

static void add_ring(struct kt_gauge *g, const struct kt_flight *f, size_t cpu)
{
	size_t bank = kt_flight_bank(f);
	const struct kt_ring *ring = kt_rings_at(kt_flight_rings(f, bank), cpu);
	struct kt_held in_ring;
	uint64_t n, now, span;

	if (!ring)
		return;
	in_ring = kt_ring_held(ring);
	now = kt_clock_now();
	n = left(g, f, bank, cpu);
	span = now - (in_ring.since ? in_ring.since : kt_flight_began(f, bank));

	g->n_cpus++;
	g->held += n;
	g->bytes += in_ring.bytes;
	if (g->n_cpus == 1 || span < g->span)
		g->span = span;
	if (span)
		g->per_second += (unsigned __int128)n * SECOND * TENTHS / span;
}

static void add_cpu(struct kt_gauge *g, const struct kt_flight *f, size_t cpu)
{
	uint64_t resting = left(g, f, kt_flight_resting(f), cpu);
	size_t i;

	if (kt_flight_is_taken(f))
		g->taken += resting;
	else
		g->resting += resting;
	add_ring(g, f, cpu);
	for (i = 0; i < g->n_events; i++)
		kt_tally_add(&g->events[i].tally, kt_ledger_read(kt_flight_ledger(f), i, cpu));
}

/* Rings that are not written now. */
static size_t spares(const struct kt_flight *f)
{
	const struct kt_rings *rings = kt_flight_rings(f, kt_flight_resting(f));
	size_t cpu, n = 0;

	for (cpu = 0; rings && cpu < kt_rings_cpus(rings); cpu++)
		n += kt_rings_at(rings, cpu) != NULL;
	return n;
}

/* All but the events' memory. */
static void read_all(struct kt_gauge *g, const struct kt_flight *f)
{
	const struct kt_about *about = kt_flight_about(f);
	size_t cpu, i;

	*g = (struct kt_gauge){
		.n_spare = spares(f),
		.ring_size = kt_subbuf_size(about->geometry) * about->geometry.n_subbufs,
		.memory = kt_flight_memory(f),
		.is_whole = true,
		.events = g->events,
		.n_events = about->n_events,
	};
	memset(g->events, 0, g->n_events * sizeof(*g->events));
	for (cpu = 0; cpu < kt_ledger_cpus(kt_flight_ledger(f)); cpu++)
		add_cpu(g, f, cpu);
	for (i = 0; i < g->n_events; i++)
		g->events[i].missed = kt_flight_missed(f, i);
	g->is_first = kt_flight_began(f, kt_flight_bank(f)) == about->began;
	g->since = kt_clock_now() - kt_flight_began(f, kt_flight_bank(f));
	g->age = kt_clock_now() - about->began;
}

/* What does not change but with a turn, or a bank's being taken. */
struct stage {
	uint64_t began;
	size_t bank;
	bool is_taken;
};

static struct stage stage_of(const struct kt_flight *f)
{
	size_t bank = kt_flight_bank(f);

	return (struct stage){kt_flight_began(f, bank), bank, kt_flight_is_taken(f)};
}

static bool is_over(struct stage s, const struct kt_flight *f)
{
	struct stage now = stage_of(f);

	return now.began != s.began || now.bank != s.bank || now.is_taken != s.is_taken;
}

int kt_gauge_read(struct kt_gauge *g, const struct kt_flight *f, struct kt_error *err)
{
	struct stage stage;

	g->events = calloc(kt_flight_about(f)->n_events, sizeof(*g->events));
	if (!g->events)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	do {
		stage = stage_of(f);
		read_all(g, f);
	} while (is_over(stage, f));
	if (kt_flight_check(f, err) == 0)
		return 0;
	kt_gauge_clear(g);
	return -err->code;
}

void kt_gauge_clear(struct kt_gauge *g)
{
	free(g->events);
	*g = (struct kt_gauge){0};
}

struct kt_gauge_event kt_gauge_sum(const struct kt_gauge *g)
{
	struct kt_gauge_event sum = {0};
	size_t i;

	for (i = 0; i < g->n_events; i++) {
		kt_tally_add(&sum.tally, g->events[i].tally);
		sum.missed += g->events[i].missed;
	}
	return sum;
}
