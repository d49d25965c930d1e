// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/recording.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "constants/symbols.h"
#include "events/event.h"
#include "events/kallsyms.h"
#include "hook/ask/rcu_wait.h"
#include "hook/ask/symbol_lookup.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/callstack_tables.h"
#include "session/counter_map.h"
#include "session/trace_source.h"
#include "trace/binaries_writer.h"
#include "trace/metadata_writer.h"
#include "trace/stacks_writer.h"
#include "trace/stream_writer.h"
#include "trace/symbol_addresses.h"
#include "trace/task_labels.h"
#include "trace/task_names_writer.h"

enum {
	AT_ONCE = 4 << 20, /* bytes of a ring before the next ring's turn */
	TRIES = 64,        /* to copy what is being written */
};

struct kt_recording {
	struct kt_trace_source source;
	const struct kt_rings *rings; /* its own; those of an empty one may have gone */
	size_t n_rings, n_cpus;
	uint64_t ended; /* after the stop */
	struct kt_metadata_writer metadata;
	struct kt_symbol_addresses *addresses;
	struct kt_symbols symbols; /* of its addresses */
	struct kt_task_labels tasks;
	struct kt_error failure; /* nothing more is copied after a failure; code 0: none */
	struct kt_task_names_writer *task_names_writer; /* NULL: names are not logged */
	struct kt_stacks_writer *stacks;                /* NULL: there are none */
	struct kt_binaries_writer *binaries;            /* NULL: none was written */
	struct kt_symbol_lookup *lookup;                /* NULL: none was made, or cannot be */
	bool has_looked_up;
	struct kt_stream_writer *streams[]; /* by ring; NULL if there is none */
};

/* Writes an empty packet: the trace starts or ends here, and this many records were lost before. */
static int write_mark(struct kt_recording *r, size_t ring, uint64_t time, uint64_t lost,
		      struct kt_error *err)
{
	struct kt_packet mark = {.begin = time, .end = time, .lost = lost};

	return kt_stream_writer_write(r->streams[ring], &mark, err);
}

/*
 * At the start nothing is lost. In overwrite mode the trace starts later, with the oldest packet.
 */
static int write_begin(struct kt_recording *r, size_t ring, struct kt_error *err)
{
	if (kt_ring_overwritten(kt_rings_at(r->rings, ring)))
		return 0;
	return write_mark(r, ring, r->source.began, 0, err);
}

static enum kt_channel get_channel(const struct kt_recording *r, size_t ring)
{
	return ring / r->n_cpus;
}

/* Returns the ring of an event's records. */
static size_t get_ring(const struct kt_recording *r, size_t event, size_t cpu)
{
	return r->source.events[event]->channel * r->n_cpus + cpu;
}

static int make_stream(struct kt_recording *r, size_t ring, int dir, struct kt_error *err)
{
	size_t cpu = ring % r->n_cpus;

	r->streams[ring] = kt_stream_writer_new(&r->metadata, dir, get_channel(r, ring), cpu, err);
	if (!r->streams[ring])
		return -err->code;
	kt_stream_writer_note(r->streams[ring], r->addresses);
	if (r->stacks && kt_callstack_tables_keep(r->source.stacks))
		kt_stream_writer_note_stacks(r->streams[ring], r->stacks);
	return 0;
}

static int make_files(struct kt_recording *r, int dir, struct kt_error *err)
{
	size_t i;

	if (kt_metadata_writer_fill(&r->metadata, err) < 0)
		return -err->code;
	if (kt_metadata_writer_write(&r->metadata, dir, err) < 0)
		return -err->code;
	if (r->source.task_names) {
		r->task_names_writer = kt_task_names_writer_new(&r->metadata, dir, err);
		if (!r->task_names_writer)
			return -err->code;
	}
	if (r->source.stacks) {
		r->stacks = kt_stacks_writer_new(&r->metadata, dir, r->source.stacks, r->addresses,
						 err);
		if (!r->stacks)
			return -err->code;
	}
	for (i = 0; i < r->n_rings; i++)
		if (kt_rings_at(r->rings, i) && make_stream(r, i, dir, err) < 0)
			return -err->code;
	return 0;
}

static int write_begins(struct kt_recording *r, struct kt_error *err)
{
	size_t i;

	for (i = 0; i < r->n_rings; i++)
		if (r->streams[i] && write_begin(r, i, err) < 0)
			return -err->code;
	return 0;
}

/* Allocates a recording without files. */
static struct kt_recording *allocate_recording(const struct kt_trace_source *source,
					       const char *version, struct kt_error *err)
{
	size_t n = kt_rings_count(source->rings);
	struct kt_recording *r = calloc(1, sizeof(*r) + n * sizeof(*r->streams));

	if (!r) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	r->source = *source;
	r->rings = source->rings;
	r->n_rings = n;
	r->n_cpus = kt_rings_cpus(source->rings);
	r->metadata = kt_metadata_writer_of(source, version);
	r->addresses = kt_symbol_addresses_new(source->events, source->n_events, err);
	if (r->addresses)
		return r;
	kt_recording_free(r);
	return NULL;
}

struct kt_recording *kt_recording_empty(const struct kt_trace_source *source, const char *version,
					int dir, struct kt_error *err)
{
	struct kt_recording *r = allocate_recording(source, version, err);

	if (r && make_files(r, dir, err) == 0)
		return r;
	kt_recording_free(r);
	return NULL;
}

struct kt_recording *kt_recording_new(const struct kt_trace_source *source, const char *version,
				      int dir, struct kt_error *err)
{
	struct kt_recording *r = kt_recording_empty(source, version, dir, err);

	if (!r || write_begins(r, err) == 0)
		return r;
	kt_recording_free(r);
	return NULL;
}

void kt_recording_free(struct kt_recording *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->n_rings; i++)
		kt_stream_writer_free(r->streams[i]);
	kt_task_names_writer_free(r->task_names_writer);
	kt_stacks_writer_free(r->stacks);
	kt_binaries_writer_free(r->binaries);
	kt_symbol_lookup_free(r->lookup);
	kt_symbol_addresses_free(r->addresses);
	kt_symbols_clear(&r->symbols);
	kt_task_labels_free(&r->tasks);
	free(r);
}

/* Copies the names of tasks, as far as they are known. */
static int copy_names(struct kt_recording *r, struct kt_error *err)
{
	return r->task_names_writer
		       ? kt_task_names_writer_copy(r->task_names_writer, r->source.task_names,
						   &r->tasks, err)
		       : 0;
}

/* Copies the stacks of all records so far that are new. */
static int copy_stacks(struct kt_recording *r, struct kt_error *err)
{
	return r->stacks ? kt_stacks_writer_copy(r->stacks, err) : 0;
}

/* Names and stacks are written before the records that need them. */
int kt_recording_add(struct kt_recording *r, size_t ring, const struct kt_packet *packet,
		     struct kt_error *err)
{
	if (copy_names(r, err) < 0 || copy_stacks(r, err) < 0)
		return -err->code;
	return kt_stream_writer_write(r->streams[ring], packet, err);
}

void kt_recording_change_ring(struct kt_recording *r, size_t ring)
{
	kt_stream_writer_change_ring(r->streams[ring]);
}

size_t kt_recording_until(const struct kt_recording *r, size_t ring, const struct kt_packet *packet,
			  uint64_t time, size_t *n_records)
{
	return kt_stream_writer_until(r->streams[ring], packet, time, n_records);
}

/* Returns 1, or 0 if no packet is complete. */
static int copy_packet(struct kt_recording *r, size_t i, struct kt_error *err)
{
	struct kt_ring *ring = kt_rings_at(r->rings, i);
	struct kt_packet packet;
	int ret = kt_ring_next(ring, &packet, err);

	if (ret < 0)
		return kt_fail_because(err, "CPU %zu", i % r->n_cpus);
	if (ret == 0)
		return 0;
	packet.lost -= kt_ring_overwritten(ring);
	if (kt_recording_add(r, i, &packet, err) < 0)
		return -err->code;
	kt_ring_release(ring);
	return 1;
}

static int copy_all(struct kt_recording *r, struct kt_error *err)
{
	size_t size = kt_subbuf_size(kt_rings_geometry(r->rings, KT_MAIN)), i, of_ring;
	int ret, n = 0;

	if (copy_names(r, err) < 0)
		return -err->code;
	if (r->stacks)
		kt_stacks_writer_watch(r->stacks);
	for (i = 0; i < r->n_rings; i++) {
		if (!r->streams[i])
			continue;
		for (of_ring = 0; of_ring <= AT_ONCE / size; of_ring++) {
			ret = copy_packet(r, i, err);
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

void kt_recording_write_back(struct kt_recording *r)
{
	size_t i;

	for (i = 0; i < r->n_rings; i++)
		if (r->streams[i])
			kt_stream_writer_write_back(r->streams[i]);
}

/* Returns whether every ring is copied up to these positions. */
static bool is_copied(const struct kt_recording *r, const uint64_t *places)
{
	size_t i;

	for (i = 0; i < r->n_rings; i++)
		if (r->streams[i] && !kt_ring_is_released(kt_rings_at(r->rings, i), places[i]))
			return false;
	return true;
}

/* Closes open sub-buffers, and stores each ring's position. */
static void close_all(const struct kt_recording *r, uint64_t *places)
{
	struct kt_ring *ring;
	size_t i;

	for (i = 0; i < r->n_rings; i++) {
		ring = kt_rings_at(r->rings, i);
		if (!ring)
			continue;
		places[i] = kt_ring_reserved(ring);
		kt_ring_flush(ring);
	}
}

/*
 * A program that had read the clock by now, without a reservation, has made it when all running
 * programs are done. Others may still be writing to a sub-buffer that was closed.
 */
int kt_recording_catch_up(struct kt_recording *r, uint64_t *until, struct kt_error *err)
{
	uint64_t now = kt_clock_now(), *places = calloc(r->n_rings, sizeof(*places));
	int tries, ret = 0;
	bool is_done = false;

	if (!places)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	ret = kt_rcu_wait(err);
	if (ret == 0)
		close_all(r, places);
	for (tries = 0; tries < TRIES && ret >= 0 && !is_done; tries++) {
		if (tries > 0)
			sched_yield();
		ret = kt_recording_copy(r, err);
		is_done = is_copied(r, places);
	}
	free(places);
	if (ret >= 0 && is_done)
		*until = now;
	return ret < 0 ? ret : 0;
}

static uint64_t count_unwritten(const struct kt_recording *r, size_t ring)
{
	size_t cpu = ring % r->n_cpus, i;
	uint64_t n = 0;

	for (i = 0; i < r->source.n_events; i++)
		if (get_ring(r, i, cpu) == ring)
			n += kt_counters_recorded(kt_recording_counters(r, i, cpu)) -
			     kt_stream_writer_records(r->streams[ring], i);
	return n - kt_ring_overwritten(kt_rings_at(r->rings, ring));
}

/* The counters may have more CPUs than there are rings. */
static bool has_ring(const struct kt_recording *r, size_t event, size_t cpu)
{
	return cpu < r->n_cpus && r->streams[get_ring(r, event, cpu)];
}

uint64_t kt_recording_unwritten(const struct kt_recording *r, size_t event, size_t cpu)
{
	return has_ring(r, event, cpu) ? count_unwritten(r, get_ring(r, event, cpu)) : 0;
}

void kt_recording_stop(struct kt_recording *r, uint64_t ended)
{
	size_t i;

	r->ended = ended;
	for (i = 0; i < r->n_rings; i++)
		if (r->streams[i])
			kt_stream_writer_stop(r->streams[i], ended);
}

static int write_end(struct kt_recording *r, size_t ring, struct kt_error *err)
{
	uint64_t last = kt_stream_writer_end(r->streams[ring]);

	return write_mark(r, ring, last > r->ended ? last : r->ended,
			  kt_ring_lost(kt_rings_at(r->rings, ring)) + count_unwritten(r, ring),
			  err);
}

/* On a full disk, too: there is room for them (trace/stream_writer.h). */
int kt_recording_end(struct kt_recording *r, struct kt_error *err)
{
	struct kt_error why;
	size_t i;
	int ret;

	do
		ret = kt_recording_copy(r, err);
	while (ret > 0);
	for (i = 0; i < r->n_rings; i++) {
		if (!r->streams[i] || write_end(r, i, &why) == 0 || ret < 0)
			continue;
		*err = why;
		ret = -why.code;
	}
	return ret;
}

/* Finds the symbols of new addresses: asks the kernel, which is faster, or searches its list. */
static int find_symbols(struct kt_recording *r, struct kt_symbols *symbols, struct kt_error *err)
{
	size_t n;
	const uint64_t *addresses = kt_symbol_addresses_take(r->addresses, &n);
	struct kt_error ignored;

	if (!n)
		return 0;
	if (!r->has_looked_up)
		r->lookup = kt_symbol_lookup_new(&ignored);
	r->has_looked_up = true;
	if (r->lookup && kt_symbol_lookup_find(r->lookup, addresses, n, symbols, &ignored) == 0)
		return 0;
	return kt_kallsyms_find("/proc/kallsyms", addresses, n, symbols, err);
}

/* Writes names of functions in user space; and those of the kernel's, unless NULL. */
static int write_functions(struct kt_recording *r, int dir, const struct kt_symbols *kernel,
			   struct kt_error *err)
{
	const struct kt_binaries *b = NULL;

	if (r->stacks)
		b = kt_stacks_writer_name(r->stacks, kernel);
	if (!b && !(kernel && kernel->n))
		return 0;
	if (!r->binaries)
		r->binaries = kt_binaries_writer_new(&r->metadata, dir, err);
	return r->binaries ? kt_binaries_writer_add(r->binaries, b, kernel, err) : -err->code;
}

int kt_recording_append_names(struct kt_recording *r, int dir, struct kt_error *err)
{
	struct kt_symbols symbols = {};
	int ret = find_symbols(r, &symbols, err);

	if (ret == 0)
		ret = write_functions(r, dir, &symbols, err);
	kt_symbols_clear(&symbols);
	return ret;
}

int kt_recording_add_names(struct kt_recording *r, int dir, struct kt_error *err)
{
	struct kt_error why = {0};

	find_symbols(r, &r->symbols, &why);
	if (r->symbols.n)
		r->metadata.symbols = &r->symbols;
	write_functions(r, dir, NULL, &why);
	if (r->tasks.n)
		kt_task_labels_add(&r->tasks, 0, "<idle>", KT_TASK_LABELS_MAX);
	r->metadata.tasks = &r->tasks;
	if ((r->symbols.n || r->tasks.n) && kt_metadata_writer_replace(&r->metadata, dir, err) < 0)
		return -err->code;
	*err = why;
	return -why.code;
}

struct kt_counters kt_recording_counters(const struct kt_recording *r, size_t event, size_t cpu)
{
	return kt_counter_map_read_set(r->source.counters, kt_rings_buffer_set(r->rings), event,
				       cpu);
}

uint64_t kt_recording_records(const struct kt_recording *r, size_t event, size_t cpu)
{
	if (!has_ring(r, event, cpu))
		return 0;
	return kt_stream_writer_records(r->streams[get_ring(r, event, cpu)], event);
}

uint64_t kt_recording_lost_stacks(const struct kt_recording *r, size_t event, size_t cpu)
{
	if (!has_ring(r, event, cpu))
		return 0;
	return kt_stream_writer_lost_stacks(r->streams[get_ring(r, event, cpu)], event);
}

/* An event goes to one ring of each CPU. */
size_t kt_recording_rows(const struct kt_recording *r)
{
	size_t cpu, n = 1;

	for (cpu = 0; cpu < r->n_cpus; cpu++)
		n += !!r->streams[cpu];
	return n * r->source.n_events;
}

uint64_t kt_recording_size(const struct kt_recording *r)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < r->n_rings; i++)
		if (r->streams[i])
			sum += kt_stream_writer_size(r->streams[i]);
	return sum;
}

const struct kt_trace_source *kt_recording_source(const struct kt_recording *r)
{
	return &r->source;
}

const struct kt_metadata_writer *kt_recording_metadata(const struct kt_recording *r)
{
	return &r->metadata;
}
