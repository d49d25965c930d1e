// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/stream_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "trace/read/metadata_reader.h"

/* A packet is a sub-buffer of at most 4 MiB, and its headers. */
enum { CTF_MAGIC = 0xc1fc1fc1u, PACKET_MAX = 64 << 20 };

/* Bytes of a packet that are held, unless a record is longer. */
enum { WINDOW = 128 << 10 };

enum { FORGET_MIN = 1 << 20 }; /* bytes, worth two system calls */

struct kt_stream_reader {
	const struct kt_metadata *metadata;
	char name[16];
	int fd;
	bool ended, damaged;
	off_t forgotten;    /* bytes before this offset are freed */
	off_t packet;       /* its offset in the file */
	size_t size;        /* of the packet; 0 before the first one */
	size_t content, at; /* offsets in the packet: end of the last record, and the next record */
	size_t from, held;  /* offset in the packet and length of what `bytes` holds */
	uint64_t time, end; /* of the last record, and of the packet's end */
	uint64_t lost;      /* records lost before the packet */
	struct kt_stream_share share;
	char *bytes;
	size_t room; /* allocated size of bytes */
	size_t *memory;
	struct kt_value *values; /* of the record read last */
};

static int open_file(int dir, const char *name, uint64_t *size)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		*size = st.st_size;
		return fd;
	}
	close(fd);
	return -EINVAL;
}

static bool grow_buffer(struct kt_stream_reader *s, size_t size)
{
	char *bytes;

	if (size <= s->room)
		return true;
	if (size - s->room > KT_SOURCES_MAX - *s->memory)
		return false;
	bytes = realloc(s->bytes, size);
	if (!bytes)
		return false;
	s->bytes = bytes;
	*s->memory += size - s->room;
	s->room = size;
	return true;
}

struct kt_stream_reader *kt_stream_reader_open(const struct kt_metadata *metadata, int dir,
					       const char *name, size_t *memory,
					       struct kt_error *err)
{
	struct kt_stream_reader *s = calloc(1, sizeof(*s));
	int ret = -ENOMEM;

	if (s) {
		snprintf(s->name, sizeof(s->name), "%s", name);
		s->metadata = metadata;
		s->memory = memory;
		s->values = calloc(metadata->n_members_max + 1, sizeof(*s->values));
		s->fd = -1;
		if (s->values && grow_buffer(s, metadata->packet_header_size))
			ret = s->fd = open_file(dir, name, &s->share.size);
	}
	if (ret >= 0)
		return s;
	kt_fail(err, -ret, "%s: %s", name, ret == -EINVAL ? "not a regular file" : strerror(-ret));
	kt_stream_reader_free(s);
	return NULL;
}

void kt_stream_reader_free(struct kt_stream_reader *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	*s->memory -= s->room;
	free(s->values);
	free(s->bytes);
	free(s);
}

/* Reads up to size bytes, fewer at the end of the file. Returns their number, or -errno. */
static ssize_t read_bytes(const struct kt_stream_reader *s, char *to, size_t size, off_t at)
{
	size_t len = 0;
	ssize_t n;

	while (len < size) {
		n = pread(s->fd, to + len, size - len, at + len);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			break;
		if (n > 0)
			len += n;
	}
	return len;
}

static int fail_cut(const struct kt_stream_reader *s, size_t found, struct kt_error *err)
{
	return kt_fail(err, ENODATA,
		       "%s is cut off %zu bytes after the start of the packet at byte %jd", s->name,
		       found, (intmax_t)s->packet);
}

/*
 * Holds the packet's bytes from an offset on. Returns 0 if the file ends where the packet begins.
 */
static int load_window(struct kt_stream_reader *s, size_t from, size_t size, struct kt_error *err)
{
	ssize_t n;

	if (!grow_buffer(s, size))
		return kt_fail(err, ENOMEM, "%s: %s", s->name, strerror(ENOMEM));
	n = read_bytes(s, s->bytes, size, s->packet + from);
	if (n < 0)
		return kt_fail(err, -n, "%s: %s", s->name, strerror(-n));
	if (from + n == 0)
		return 0;
	if ((size_t)n < size)
		return fail_cut(s, from + n, err);
	s->from = from;
	s->held = size;
	return 1;
}

/* Checks that all of a packet is in the file that is not held as a whole. */
static int check_size(const struct kt_stream_reader *s, struct kt_error *err)
{
	struct stat st;

	if (s->size <= WINDOW)
		return 0;
	if (fstat(s->fd, &st) < 0)
		return kt_fail(err, errno, "%s: %s", s->name, strerror(errno));
	if (st.st_size - s->packet < (off_t)s->size)
		return fail_cut(s, st.st_size - s->packet, err);
	return 0;
}

static int fail_damaged(const struct kt_stream_reader *s, size_t at, const char *what,
			struct kt_error *err)
{
	return kt_fail(err, EBADMSG, "%s is damaged at byte %jd: %s", s->name,
		       (intmax_t)s->packet + (intmax_t)at, what);
}

static uint64_t get_packet_number(const struct kt_stream_reader *s, enum kt_role role)
{
	return kt_metadata_number(s->metadata, role, s->bytes);
}

static int read_packet_head(struct kt_stream_reader *s, struct kt_error *err)
{
	const struct kt_metadata *metadata = s->metadata;
	uint64_t begin, content, size;

	if (get_packet_number(s, KT_ROLE_MAGIC) != CTF_MAGIC ||
	    memcmp(kt_metadata_at(metadata, KT_ROLE_UUID, s->bytes), metadata->uuid, 16))
		return fail_damaged(s, 0, "no packet of this trace", err);
	content = get_packet_number(s, KT_ROLE_CONTENT_SIZE);
	size = get_packet_number(s, KT_ROLE_PACKET_SIZE);
	if (content % 8 || size % 8 || content / 8 < metadata->packet_header_size ||
	    content > size || size / 8 > PACKET_MAX)
		return fail_damaged(s, 0, "a packet of impossible size", err);
	if (get_packet_number(s, KT_ROLE_STREAM) >= s->metadata->n_channels)
		return fail_damaged(s, 0, "a packet of an unknown stream", err);
	begin = get_packet_number(s, KT_ROLE_BEGIN);
	if (begin < s->time || get_packet_number(s, KT_ROLE_END) < begin)
		return fail_damaged(s, 0, "time goes backwards", err);
	if (get_packet_number(s, KT_ROLE_DISCARDED) < s->lost)
		return fail_damaged(s, 0, "the number of lost records decreases", err);
	s->share.cpu = get_packet_number(s, KT_ROLE_CPU);
	s->share.channel = get_packet_number(s, KT_ROLE_STREAM);
	s->time = begin;
	s->end = get_packet_number(s, KT_ROLE_END);
	s->at = metadata->packet_header_size;
	s->content = content / 8;
	s->size = size / 8;
	return 0;
}

static int read_next_packet(struct kt_stream_reader *s, struct kt_hit *hit, struct kt_error *err)
{
	uint64_t lost = s->lost;
	int ret;

	s->packet += s->size;
	s->size = s->content = s->at = 0;
	ret = load_window(s, 0, s->metadata->packet_header_size, err);
	if (ret <= 0)
		return ret;
	if (read_packet_head(s, err) < 0)
		return -err->code;
	ret = check_size(s, err);
	if (ret == 0)
		ret = load_window(s, 0, s->size < WINDOW ? s->size : WINDOW, err);
	if (ret == 0)
		ret = fail_cut(s, 0, err);
	if (ret < 0) {
		s->size = s->content = s->at = s->held = 0;
		return ret;
	}
	s->lost = get_packet_number(s, KT_ROLE_DISCARDED);
	if (!s->share.extent.end)
		s->share.extent.begin = s->time;
	s->share.extent.end = s->end;
	*hit = (struct kt_hit){.time = s->time, .cpu = s->share.cpu, .lost = s->lost - lost};
	return 1;
}

/*
 * Returns the full time of a record, which has its low bytes: the first such time not before the
 * last one.
 */
static uint64_t compute_full_time(const struct kt_stream_reader *s, const char *record)
{
	uint64_t low = kt_metadata_number(s->metadata, KT_ROLE_TIME, record);
	unsigned int unused = 64 - 8 * s->metadata->roles[KT_ROLE_TIME].member->width;

	return s->time + ((low - s->time) << unused >> unused);
}

static const char *get_held(const struct kt_stream_reader *s, size_t at)
{
	return s->bytes + (at - s->from);
}

/* Reads the record's header. */
static int read_header(const struct kt_stream_reader *s, struct kt_hit *hit, struct kt_error *err)
{
	const struct kt_metadata *metadata = s->metadata;
	const char *at = get_held(s, s->at);
	uint64_t id = kt_metadata_number(metadata, KT_ROLE_ID, at);

	hit->tid = kt_metadata_number(metadata, KT_ROLE_TID, at);
	hit->time = compute_full_time(s, at);
	if (id >= metadata->n_events || !metadata->events[id].system)
		return fail_damaged(s, s->at, "a record of an unknown event", err);
	if (metadata->events[id].channel != s->share.channel)
		return fail_damaged(s, s->at, "a record of another stream's event", err);
	if (hit->time < s->time || hit->time > s->end)
		return fail_damaged(s, s->at, "a record out of the packet's time", err);
	hit->event = &metadata->events[id];
	return 0;
}

/* Holds that many bytes from the record on, or up to the end of the packet's content. */
static int hold_bytes(struct kt_stream_reader *s, size_t size, struct kt_error *err)
{
	size_t rest = s->content - s->at;

	if (size > rest)
		size = rest;
	return s->from + s->held < s->at + size ? load_window(s, s->at, size, err) : 0;
}

/* Reads the values from what is held. Returns as kt_record_layout_read(). */
static ssize_t read_values(const struct kt_stream_reader *s, const struct kt_hit *hit)
{
	size_t fields = s->at + s->metadata->record_header_size + hit->event->context_size;
	size_t end = s->from + s->held;

	if (end > s->content)
		end = s->content;
	if (fields > end)
		return -EBADMSG;
	return kt_record_layout_read(&hit->event->fields, get_held(s, fields), end - fields,
				     s->values);
}

/*
 * Reads the values, after holding more if needed: most records are held already, or start the next
 * window; a longer one is tried again.
 */
static ssize_t find_values(struct kt_stream_reader *s, const struct kt_hit *hit,
			   struct kt_error *err)
{
	ssize_t size = read_values(s, hit);

	if (size == -EBADMSG && hold_bytes(s, WINDOW, err) < 0)
		return -err->code;
	if (size == -EBADMSG)
		size = read_values(s, hit);
	if (size == -EBADMSG && hold_bytes(s, KT_RECORD_MAX, err) < 0)
		return -err->code;
	if (size == -EBADMSG)
		size = read_values(s, hit);
	if (size == -EMSGSIZE)
		return fail_damaged(s, s->at, "a record of too many values", err);
	if (size < 0 && s->content - s->at > KT_RECORD_MAX)
		return fail_damaged(s, s->at, "a record longer than 1 MiB", err);
	return size < 0 ? fail_damaged(s, s->at, "a record longer than its packet", err) : size;
}

/* Reads the ids of stacks from what is held. */
static void read_stacks(const struct kt_stream_reader *s, struct kt_hit *hit)
{
	const char *context = get_held(s, s->at + s->metadata->record_header_size);
	enum kt_callstack_kind kind;

	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++)
		if (hit->event->stacks[kind].is_there)
			memcpy(&hit->stacks[kind].id, context + hit->event->stacks[kind].at,
			       sizeof(hit->stacks[kind].id));
}

static int read_record(struct kt_stream_reader *s, struct kt_hit *hit, struct kt_error *err)
{
	const struct kt_metadata *metadata = s->metadata;
	ssize_t size;

	s->at = (s->at + metadata->alignment - 1) & ~(metadata->alignment - 1);
	if (s->at >= s->content)
		return fail_damaged(s, s->content, "no room for a record", err);
	if (s->content - s->at < metadata->record_header_size)
		return fail_damaged(s, s->at, "no room for a record's header", err);
	if (s->from + s->held < s->at + metadata->record_header_size &&
	    hold_bytes(s, WINDOW, err) < 0)
		return -err->code;
	if (read_header(s, hit, err) < 0)
		return -err->code;
	size = find_values(s, hit, err);
	if (size < 0)
		return size;
	read_stacks(s, hit);
	s->at += metadata->record_header_size + hit->event->context_size + size;
	s->time = hit->time;
	hit->values = s->values;
	hit->cpu = s->share.cpu;
	hit->lost = 0;
	return 1;
}

int kt_stream_reader_next(struct kt_stream_reader *s, struct kt_hit *hit, struct kt_error *err)
{
	bool in_packet;
	int ret = 0;

	while (!s->ended) {
		in_packet = s->at < s->content;
		ret = in_packet ? read_record(s, hit, err) : read_next_packet(s, hit, err);
		if (ret > 0 && (hit->event || hit->lost))
			return ret;
		s->ended = ret <= 0;
		s->damaged = ret < 0 && ret != -ENODATA;
		if (ret < 0 && in_packet)
			s->share.extent.end = s->time;
	}
	return ret;
}

void kt_stream_reader_resume(struct kt_stream_reader *s)
{
	s->ended = s->damaged;
}

/* The file is open for reading: this opens it again for writing. */
void kt_stream_reader_forget(struct kt_stream_reader *s)
{
	off_t end = s->packet + s->from;
	char path[32];
	int fd;

	if (end - s->forgotten < FORGET_MIN)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", s->fd);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, s->forgotten, end - s->forgotten);
	close(fd);
	s->forgotten = end;
}

struct kt_stream_share kt_stream_reader_share(const struct kt_stream_reader *s)
{
	struct kt_stream_share share = s->share;

	share.bytes = s->packet + s->at;
	return share;
}
