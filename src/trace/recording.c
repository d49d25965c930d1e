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
#include "session/session.h"
#include "trace/addresses.h"
#include "trace/metadata.h"
#include "trace/roster.h"
#include "trace/stream.h"

struct kt_recording {
	const struct kt_session *session;
	const struct kt_rings *rings;
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

static int write_begin(struct kt_recording *r, size_t cpu, struct kt_error *err)
{
	return write_mark(r, cpu, kt_session_began(r->session),
			  kt_ring_lost(kt_rings_at(r->rings, cpu)), err);
}

static int make_files(struct kt_recording *r, int dir, struct kt_error *err)
{
	size_t cpu;

	if (kt_metadata_here(&r->metadata, err) < 0)
		return -err->code;
	if (kt_metadata_write(&r->metadata, dir, err) < 0)
		return -err->code;
	if (kt_session_tasks(r->session)) {
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

struct kt_recording *kt_recording_new(const struct kt_session *session, const char *version,
				      int dir, struct kt_error *err)
{
	const struct kt_rings *rings = kt_session_rings(session);
	struct kt_recording *r;

	r = calloc(1, sizeof(*r) + kt_rings_cpus(rings) * sizeof(*r->streams));
	if (!r) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	r->session = session;
	r->rings = rings;
	r->metadata = (struct kt_metadata){
		.version = version,
		.follows = kt_session_follows(session),
		.events = kt_session_events(session),
		.n_events = kt_session_count(session),
	};
	r->addresses = kt_addresses_new(r->metadata.events, r->metadata.n_events, err);
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
	return r->roster ? kt_roster_copy(r->roster, kt_session_tasks(r->session), err) : 0;
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
	ret = kt_stream_write(r->streams[cpu], &packet, err);
	if (ret < 0)
		return ret;
	kt_ring_release(ring);
	return 1;
}

static int copy_all(struct kt_recording *r, struct kt_error *err)
{
	unsigned int i, max = kt_session_geometry(r->session).n_subbufs;
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

/* Records that are in a CPU's ring, or were, and not in its stream. */
static uint64_t unwritten(const struct kt_recording *r, size_t cpu)
{
	const struct kt_ledger *ledger = kt_session_ledger(r->session);
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < kt_session_count(r->session); i++)
		n += kt_tally_kept(kt_ledger_read(ledger, i, cpu)) -
		     kt_stream_records(r->streams[cpu], i);
	return n;
}

static int write_end(struct kt_recording *r, size_t cpu, struct kt_error *err)
{
	uint64_t ended = kt_session_ended(r->session), last = kt_stream_end(r->streams[cpu]);

	return write_mark(r, cpu, last > ended ? last : ended,
			  kt_ring_lost(kt_rings_at(r->rings, cpu)) + unwritten(r, cpu), err);
}

/* On a full disk too, as there is room for them (trace/stream). */
int kt_recording_end(struct kt_recording *r, struct kt_error *err)
{
	struct kt_error why;
	size_t cpu;
	int ret;

	for (cpu = 0; cpu < kt_rings_cpus(r->rings); cpu++)
		if (r->streams[cpu])
			kt_stream_stop(r->streams[cpu], kt_session_ended(r->session));
	ret = kt_recording_copy(r, err);
	for (cpu = 0; cpu < kt_rings_cpus(r->rings); cpu++) {
		if (!r->streams[cpu] || write_end(r, cpu, &why) == 0 || ret < 0)
			continue;
		*err = why;
		ret = -why.code;
	}
	return ret < 0 ? ret : 0;
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

size_t kt_recording_streams(const struct kt_recording *r)
{
	size_t cpu, n = 0;

	for (cpu = 0; cpu < kt_rings_cpus(r->rings); cpu++)
		n += !!r->streams[cpu];
	return n;
}

uint64_t kt_recording_records(const struct kt_recording *r, size_t event, size_t cpu)
{
	if (cpu >= kt_rings_cpus(r->rings) || !r->streams[cpu])
		return 0;
	return kt_stream_records(r->streams[cpu], event);
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

const struct kt_session *kt_recording_session(const struct kt_recording *r)
{
	return r->session;
}

const struct kt_metadata *kt_recording_metadata(const struct kt_recording *r)
{
	return &r->metadata;
}
