// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/symbols.h"
#include "catalog/kallsyms.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/ledger.h"
#include "session/origin.h"
#include "trace/addresses.h"
#include "trace/metadata.h"
#include "trace/roster.h"
#include "trace/stream.h"

enum { AT_ONCE = 4 << 20 }; /* bytes of a ring, before it is another one's turn */

struct kt_recording {
	struct kt_origin origin;
	const struct kt_rings *rings; /* its own */
	uint64_t ended;               /* once it is stopped */
	struct kt_metadata metadata;
	struct kt_addresses *addresses;
	struct kt_symbols symbols;   /* that lie there */
	struct kt_error failure;     /* nothing more is copied then; its code is 0 until then */
	struct kt_roster *roster;    /* NULL: tasks have no names */
	struct kt_stream *streams[]; /* by CPU; NULL where there is no ring */
};

/* A packet that says: here it begins, or ends, and so many were lost until then. */
static int write_mark(struct kt_recording *r, size_t cpu, uint64_t time, uint64_t lost,
		      struct kt_error *err)
{
	struct kt_packet mark = {.begin = time, .end = time, .lost = lost};

	return kt_stream_write(r->streams[cpu], &mark, err);
}

/* Where something is overwritten it begins later: with the oldest packet that is left. */
static int write_begin(struct kt_recording *r, size_t cpu, struct kt_error *err)
{
	if (kt_ring_overwritten(kt_rings_at(r->rings, cpu)))
		return 0;
	return write_mark(r, cpu, r->origin.began, kt_ring_lost(kt_rings_at(r->rings, cpu)), err);
}

static int make_files(struct kt_recording *r, int dir, struct kt_error *err)
{
	size_t cpu;

	if (kt_metadata_here(&r->metadata, err) < 0)
		return -err->code;
	if (kt_metadata_write(&r->metadata, dir, err) < 0)
		return -err->code;
	if (r->origin.tasks) {
		r->roster = kt_roster_new(&r->metadata, dir, err);
		if (!r->roster)
			return -err->code;
	}
	for (cpu = 0; cpu < kt_rings_cpus(r->rings); cpu++) {
		if (!kt_rings_at(r->rings, cpu))
			continue;
		r->streams[cpu] = kt_stream_new(&r->metadata, dir, cpu, err);
		if (!r->streams[cpu] || write_begin(r, cpu, err) < 0)
			return -err->code;
		kt_stream_note(r->streams[cpu], r->addresses);
	}
	return 0;
}

struct kt_recording *kt_recording_new(const struct kt_origin *origin, const char *version, int dir,
				      struct kt_error *err)
{
	size_t n_cpus = kt_rings_cpus(origin->rings);
	struct kt_recording *r = calloc(1, sizeof(*r) + n_cpus * sizeof(*r->streams));

	if (!r) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	r->origin = *origin;
	r->rings = origin->rings;
	r->metadata = (struct kt_metadata){
		.version = version,
		.follows = origin->follows,
		.from = origin->from,
		.events = origin->events,
		.n_events = origin->n_events,
		.complete = origin->complete,
	};
	r->addresses = kt_addresses_new(origin->events, origin->n_events, err);
	if (!r->addresses || make_files(r, dir, err) < 0) {
		kt_recording_free(r);
		return NULL;
	}
	return r;
}

void kt_recording_free(struct kt_recording *r)
{
	size_t cpu;

	if (!r)
		return;
	for (cpu = 0; cpu < kt_rings_cpus(r->rings); cpu++)
		kt_stream_free(r->streams[cpu]);
	kt_roster_free(r->roster);
	kt_addresses_free(r->addresses);
	kt_symbols_clear(&r->symbols);
	free(r);
}

/* The tasks' names, as far as they are known. */
static int copy_names(struct kt_recording *r, struct kt_error *err)
{
	return r->roster ? kt_roster_copy(r->roster, r->origin.tasks, err) : 0;
}

/* 1, or 0 where none is whole. Names are there before the records that they are for. */
static int copy_packet(struct kt_recording *r, size_t cpu, struct kt_error *err)
{
	struct kt_ring *ring = kt_rings_at(r->rings, cpu);
	struct kt_packet packet;
	int ret = kt_ring_next(ring, &packet, err);

	if (ret < 0)
		return kt_fail_because(err, "CPU %zu", cpu);
	if (ret == 0)
		return 0;
	if (copy_names(r, err) < 0)
		return -err->code;
	packet.lost -= kt_ring_overwritten(ring);
	ret = kt_stream_write(r->streams[cpu], &packet, err);
	if (ret < 0)
		return ret;
	kt_ring_release(ring);
	return 1;
}

static int copy_all(struct kt_recording *r, struct kt_error *err)
{
	unsigned int i, max = AT_ONCE / kt_subbuf_size(kt_rings_geometry(r->rings)) + 1;
	int ret, n = 0;
	size_t cpu;

	if (copy_names(r, err) < 0)
		return -err->code;
	for (cpu = 0; cpu < kt_rings_cpus(r->rings); cpu++) {
		if (!r->streams[cpu])
			continue;
		for (i = 0; i < max; i++) {
			ret = copy_packet(r, cpu, err);
			if (ret < 0)
				return ret;
			if (ret == 0)
				break;
			n++;
		}
	}
	return n;
}

int kt_recording_copy(struct kt_recording *r, struct kt_error *err)
{
	int n = r->failure.code ? -r->failure.code : copy_all(r, &r->failure);

	if (n < 0)
		*err = r->failure;
	return n;
}

uint64_t kt_recording_unwritten(const struct kt_recording *r, size_t cpu)
{
	uint64_t n = 0;
	size_t i;

	if (cpu >= kt_rings_cpus(r->rings) || !r->streams[cpu])
		return 0;
	for (i = 0; i < r->origin.n_events; i++)
		n += kt_tally_kept(kt_recording_tally(r, i, cpu)) -
		     kt_stream_records(r->streams[cpu], i);
	return n - kt_ring_overwritten(kt_rings_at(r->rings, cpu));
}

void kt_recording_stop(struct kt_recording *r, uint64_t ended)
{
	size_t cpu;

	r->ended = ended;
	for (cpu = 0; cpu < kt_rings_cpus(r->rings); cpu++)
		if (r->streams[cpu])
			kt_stream_stop(r->streams[cpu], ended);
}

static int write_end(struct kt_recording *r, size_t cpu, struct kt_error *err)
{
	uint64_t last = kt_stream_end(r->streams[cpu]);

	return write_mark(r, cpu, last > r->ended ? last : r->ended,
			  kt_ring_lost(kt_rings_at(r->rings, cpu)) + kt_recording_unwritten(r, cpu),
			  err);
}

/* On a full disk too, as there is room for them (trace/stream). */
int kt_recording_end(struct kt_recording *r, struct kt_error *err)
{
	struct kt_error why;
	size_t cpu;
	int ret;

	do
		ret = kt_recording_copy(r, err);
	while (ret > 0);
	for (cpu = 0; cpu < kt_rings_cpus(r->rings); cpu++) {
		if (!r->streams[cpu] || write_end(r, cpu, &why) == 0 || ret < 0)
			continue;
		*err = why;
		ret = -why.code;
	}
	return ret;
}

int kt_recording_name_addresses(struct kt_recording *r, int dir, struct kt_error *err)
{
	size_t n;
	const uint64_t *addresses = kt_addresses_sort(r->addresses, &n);

	if (!addresses)
		return 0;
	if (kt_kallsyms_find("/proc/kallsyms", addresses, n, &r->symbols, err) < 0)
		return -err->code;
	r->metadata.symbols = &r->symbols;
	return kt_metadata_replace(&r->metadata, dir, err);
}

struct kt_tally kt_recording_tally(const struct kt_recording *r, size_t event, size_t cpu)
{
	return kt_ledger_read_bank(r->origin.ledger, kt_rings_bank(r->rings), event, cpu);
}

uint64_t kt_recording_records(const struct kt_recording *r, size_t event, size_t cpu)
{
	if (cpu >= kt_rings_cpus(r->rings) || !r->streams[cpu])
		return 0;
	return kt_stream_records(r->streams[cpu], event);
}

size_t kt_recording_rows(const struct kt_recording *r)
{
	size_t cpu, n = 1;

	for (cpu = 0; cpu < kt_rings_cpus(r->rings); cpu++)
		n += !!r->streams[cpu];
	return n * r->origin.n_events;
}

uint64_t kt_recording_size(const struct kt_recording *r)
{
	uint64_t sum = 0;
	size_t cpu;

	for (cpu = 0; cpu < kt_rings_cpus(r->rings); cpu++)
		if (r->streams[cpu])
			sum += kt_stream_size(r->streams[cpu]);
	return sum;
}

const struct kt_origin *kt_recording_origin(const struct kt_recording *r)
{
	return &r->origin;
}

const struct kt_metadata *kt_recording_metadata(const struct kt_recording *r)
{
	return &r->metadata;
}
