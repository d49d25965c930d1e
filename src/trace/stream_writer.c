// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/stream_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/write_all.h"
#include "bpf/ring_layout.h"
#include "events/event.h"
#include "events/record_sizes.h"
#include "ring/ring.h"
#include "trace/metadata_writer.h"
#include "trace/stacks_writer.h"
#include "trace/symbol_addresses.h"
#include "trace/trace_directory.h"

/* The header of a packet; the metadata declares the same. */
struct header {
	uint32_t magic;
	uint8_t uuid[16];
	uint16_t stream_id, cpu_id;
	uint64_t timestamp_begin, timestamp_end;
	uint64_t content_size, packet_size; /* in bits */
	uint64_t events_discarded;
};

_Static_assert(sizeof(struct header) == 64, "records begin at a multiple of 8");

enum { CTF_MAGIC = 0xc1fc1fc1u, STEP_BACK_MAX = 1000000 };

enum { BLOCK = 1024 }; /* assumed block size of file systems, or a divisor of it */

struct of_event {
	bool is_here; /* the event is of this channel */
	uint64_t records, lost_stacks;
};

struct kt_stream_writer {
	const struct kt_metadata_writer *metadata;
	struct kt_record_sizes *sizes;
	struct kt_symbol_addresses *addresses; /* or NULL: not needed */
	struct kt_stacks_writer *stacks;       /* or NULL: they are taken otherwise */
	char name[16];
	int fd;
	enum kt_channel channel;
	unsigned int cpu;
	uint64_t size; /* of the packets written completely */
	uint64_t written_back;
	uint64_t end;      /* end time of the last of them */
	uint64_t stopped;  /* UINT64_MAX: not stopped */
	bool ring_changed; /* packets may be older than the one before */
	struct of_event events[];
};

struct kt_stream_writer *kt_stream_writer_new(const struct kt_metadata_writer *metadata, int dir,
					      enum kt_channel channel, unsigned int cpu,
					      struct kt_error *err)
{
	struct kt_stream_writer *s;
	size_t i;

	s = calloc(1, sizeof(*s) + metadata->n_events * sizeof(*s->events));
	if (s)
		s->sizes = kt_record_sizes_new(metadata->events, metadata->n_events);
	if (!s || !s->sizes) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		free(s);
		return NULL;
	}
	s->metadata = metadata;
	s->channel = channel;
	s->cpu = cpu;
	s->stopped = UINT64_MAX;
	for (i = 0; i < metadata->n_events; i++)
		s->events[i].is_here = metadata->events[i]->channel == channel;
	kt_trace_directory_name_stream(s->name, sizeof(s->name), channel, cpu);
	s->fd = openat(dir, s->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (s->fd < 0) {
		kt_fail(err, errno, "%s: %s", s->name, strerror(errno));
		kt_record_sizes_free(s->sizes);
		free(s);
		return NULL;
	}
	return s;
}

void kt_stream_writer_free(struct kt_stream_writer *s)
{
	if (!s)
		return;
	close(s->fd);
	kt_record_sizes_free(s->sizes);
	free(s);
}

void kt_stream_writer_note(struct kt_stream_writer *s, struct kt_symbol_addresses *addresses)
{
	s->addresses = addresses;
}

void kt_stream_writer_note_stacks(struct kt_stream_writer *s, struct kt_stacks_writer *stacks)
{
	s->stacks = stacks;
}

static int report_record(const struct kt_stream_writer *s, size_t at, struct kt_error *err)
{
	return kt_fail(err, EBADMSG, "%s: invalid record at byte %zu of a packet", s->name, at);
}

struct found {
	uint64_t event, time;
	size_t size; /* up to its last byte */
};

/* Finds the record at byte `at`, which follows one of time `last`. Returns false if there is none.
 */
static bool find_record(const struct kt_stream_writer *s, const struct kt_packet *p, size_t at,
			uint64_t last, struct found *found)
{
	size_t room = p->size - at;
	uint64_t header;

	if (room < sizeof(struct kt_record))
		return false;
	memcpy(&header, p->records + at, sizeof(header));
	found->event = header & ((1u << KT_TIME_SHIFT) - 1);
	found->time = kt_record_time(header, last - STEP_BACK_MAX);
	if (found->event >= s->metadata->n_events || !s->events[found->event].is_here)
		return false;
	found->size = kt_record_sizes_get(s->sizes, found->event, p->records + at, room);
	return kt_record_size(found->size) <= room;
}

static void note_stacks(struct kt_stream_writer *s, size_t event, const void *record)
{
	unsigned int kinds = s->metadata->events[event]->stacks;

	if (kinds)
		s->events[event].lost_stacks += kt_stacks_writer_note(s->stacks, kinds, record);
}

static void uncount_records(struct kt_stream_writer *s, const struct kt_packet *p, size_t until)
{
	struct found r = {.time = p->begin};
	size_t at;

	for (at = 0; at < until && find_record(s, p, at, r.time, &r); at += kt_record_size(r.size))
		s->events[r.event].records--;
}

/*
 * Returns where the last record ends. Makes the times monotonic, none before begin; *end becomes
 * the last. Counts the records: only one look at each is fast.
 */
static ssize_t check_records(struct kt_stream_writer *s, const struct kt_packet *p, uint64_t begin,
			     uint64_t *end, struct kt_error *err)
{
	uint64_t header, latest = p->end + STEP_BACK_MAX, last = begin, read = p->begin;
	size_t at = 0, content = 0;
	struct found r;

	while (at < p->size) {
		if (!find_record(s, p, at, read, &r) || r.time > latest) {
			uncount_records(s, p, at);
			return report_record(s, at, err);
		}
		s->events[r.event].records++;
		if (s->addresses)
			kt_symbol_addresses_note(s->addresses, r.event,
						 (const char *)p->records + at);
		if (s->stacks)
			note_stacks(s, r.event, p->records + at);
		read = r.time > read ? r.time : read;
		if (r.time < last) {
			r.time = last;
			header = r.event | r.time << KT_TIME_SHIFT;
			memcpy(p->records + at, &header, sizeof(header));
		}
		last = r.time;
		content = at + r.size;
		at += kt_record_size(r.size);
	}
	if (*end < last)
		*end = last;
	return content;
}

/* What is not a record is reported when it is written. */
size_t kt_stream_writer_until(const struct kt_stream_writer *s, const struct kt_packet *p,
			      uint64_t time, size_t *n)
{
	struct found r = {.time = p->begin};
	size_t at;

	*n = 0;
	for (at = 0; at < p->size; at += kt_record_size(r.size)) {
		if (!find_record(s, p, at, r.time, &r))
			return p->size;
		if (r.time > time)
			return at;
		(*n)++;
	}
	return at;
}

/*
 * Packets start at multiples of the header's size: the kernel copies less aligned data at half the
 * speed. And an empty packet can still be written on a full disk: each packet leaves room for it in
 * its last block.
 */
static size_t compute_padding(const struct kt_stream_writer *s, const struct kt_packet *p)
{
	size_t rest = -p->size % sizeof(struct header);
	uint64_t end = s->size + sizeof(struct header) + p->size + rest;

	return p->size && end % BLOCK == 0 ? rest + sizeof(struct header) : rest;
}

int kt_stream_writer_write(struct kt_stream_writer *s, const struct kt_packet *p,
			   struct kt_error *err)
{
	uint64_t begin = p->begin > s->end ? p->begin : s->end;
	uint64_t last = p->end < s->stopped ? p->end : s->stopped;
	uint64_t end = last > begin && !p->is_open ? last : begin;
	static char zeroes[2 * sizeof(struct header)];
	size_t pad = compute_padding(s, p);
	ssize_t content;
	int ret;

	if (begin - p->begin > STEP_BACK_MAX && !s->ring_changed)
		return kt_fail(err, EBADMSG, "%s: a packet is older than the one before", s->name);
	content = check_records(s, p, begin, &end, err);
	if (content < 0)
		return content;
	if (s->stacks && kt_stacks_writer_flush(s->stacks, err) < 0) {
		uncount_records(s, p, p->size);
		return -err->code;
	}

	struct header header = {
		.magic = CTF_MAGIC,
		.stream_id = s->channel,
		.cpu_id = s->cpu,
		.timestamp_begin = begin,
		.timestamp_end = end,
		.content_size = 8 * (sizeof(header) + content),
		.packet_size = 8 * (sizeof(header) + p->size + pad),
		.events_discarded = p->lost,
	};
	struct iovec iov[] = {{&header, sizeof(header)}, {p->records, p->size}, {zeroes, pad}};

	memcpy(header.uuid, s->metadata->uuid, sizeof(header.uuid));
	ret = kt_write_all(s->fd, iov, 3);
	if (ret < 0) {
		/* Removes the part that was written; if that fails, too, readers find it cut. */
		if (ftruncate(s->fd, s->size) == 0)
			lseek(s->fd, s->size, SEEK_SET);
		uncount_records(s, p, p->size);
		return kt_fail(err, -ret, "%s: %s", s->name, strerror(-ret));
	}
	s->size += sizeof(header) + p->size + pad;
	s->ring_changed &= begin > p->begin;
	s->end = end;
	return 0;
}

void kt_stream_writer_change_ring(struct kt_stream_writer *s)
{
	s->ring_changed = true;
}

void kt_stream_writer_stop(struct kt_stream_writer *s, uint64_t time)
{
	s->stopped = time;
}

size_t kt_stream_writer_packet_size(const void *bytes, size_t size)
{
	struct header header;

	if (size < sizeof(header))
		return 0;
	memcpy(&header, bytes, sizeof(header));
	return header.packet_size / 8;
}

uint64_t kt_stream_writer_end(const struct kt_stream_writer *s)
{
	return s->end;
}

uint64_t kt_stream_writer_records(const struct kt_stream_writer *s, size_t event)
{
	return s->events[event].records;
}

uint64_t kt_stream_writer_lost_stacks(const struct kt_stream_writer *s, size_t event)
{
	return s->events[event].lost_stacks;
}

void kt_stream_writer_write_back(struct kt_stream_writer *s)
{
	sync_file_range(s->fd, s->written_back, s->size - s->written_back, SYNC_FILE_RANGE_WRITE);
	s->written_back = s->size;
}

uint64_t kt_stream_writer_size(const struct kt_stream_writer *s)
{
	return s->size;
}
