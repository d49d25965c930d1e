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

/* What its events had on one CPU goes to each; returns how many records they made in a bank. */
static uint64_t add_tallies(struct kt_gauge *g, const struct kt_flight *f, size_t bank, size_t cpu)
{
	const struct kt_ledger *ledger = kt_flight_ledger(f);
	uint64_t kept = 0;
	size_t i;

	for (i = 0; i < g->n_events; i++) {
		kept += kt_tally_kept(kt_ledger_read_bank(ledger, bank, i, cpu));
		kt_tally_add(&g->events[i].tally, kt_ledger_read(ledger, i, cpu));
	}
	return kept;
}

/* What is overwritten is read before what was written: it is never more. */
static void add_cpu(struct kt_gauge *g, const struct kt_flight *f, size_t bank, size_t cpu)
{
	const struct kt_ring *ring = kt_rings_at(kt_flight_rings(f, bank), cpu);
	uint64_t overwritten, kept, held, now, span;
	struct kt_held in_ring;

	if (!ring) {
		add_tallies(g, f, bank, cpu);
		return;
	}
	overwritten = kt_ring_overwritten(ring);
	in_ring = kt_ring_held(ring);
	now = kt_clock_now();
	kept = add_tallies(g, f, bank, cpu);
	held = kept > overwritten ? kept - overwritten : 0;
	span = now - (in_ring.since ? in_ring.since : kt_flight_about(f)->began);

	g->n_cpus++;
	g->overwritten += overwritten;
	g->held += held;
	g->bytes += in_ring.bytes;
	if (g->n_cpus == 1 || span < g->span)
		g->span = span;
	if (span)
		g->per_second += (unsigned __int128)held * SECOND * TENTHS / span;
}

/* Rings beside those of a bank. */
static size_t spares(const struct kt_flight *f, size_t bank)
{
	size_t i, cpu, n = 0;
	const struct kt_rings *rings;

	for (i = 0; i < KT_BANKS; i++) {
		rings = i == bank ? NULL : kt_flight_rings(f, i);
		for (cpu = 0; rings && cpu < kt_rings_cpus(rings); cpu++)
			n += kt_rings_at(rings, cpu) != NULL;
	}
	return n;
}

int kt_gauge_read(struct kt_gauge *g, const struct kt_flight *f, struct kt_error *err)
{
	const struct kt_about *about = kt_flight_about(f);
	size_t bank = kt_flight_bank(f), cpu, i;

	*g = (struct kt_gauge){
		.n_spare = spares(f, bank),
		.ring_size = kt_subbuf_size(about->geometry) * about->geometry.n_subbufs,
		.memory = kt_flight_memory(f),
		.events = calloc(about->n_events, sizeof(*g->events)),
		.n_events = about->n_events,
	};
	if (!g->events)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (cpu = 0; cpu < kt_ledger_cpus(kt_flight_ledger(f)); cpu++)
		add_cpu(g, f, bank, cpu);
	for (i = 0; i < g->n_events; i++)
		g->events[i].missed = kt_flight_missed(f, i);
	g->age = kt_clock_now() - about->began;
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
