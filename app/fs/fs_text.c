// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/fs_text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/control/memory_dir.h"
#include "app/fs/fs_copy.h"
#include "base/error.h"
#include "base/grow.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "trace/flight/flight_snapshot.h"
#include "trace/flight/flight_text.h"
#include "trace/read/trace_reader.h"
#include "trace/recording.h"
#include "values/text.h"
#include "view/ftrace_line.h"

enum {
	HITS = 256,            /* made into text at once */
	TRACE_SIZE = 16 << 20, /* bytes of a growing trace, before another one is begun */
};

/* A trace in memory. */
struct part {
	struct kt_trace_reader *reader; /* NULL: not open */
	int dir;                        /* where to open it; or -1 */
	struct fs_copy *copy;           /* owner of the directory; NULL: the part itself */
	uint64_t until;                 /* later records do not belong to it */
	bool grows;
};

struct fs_text {
	struct part *parts; /* in order */
	size_t n, at;       /* number, and index of the part that is read */
	bool is_whole;
	struct kt_flight_text *tail; /* extends the last part, or the next; NULL: not used yet */
	struct kt_error failed;      /* to be returned after the bytes so far; code 0: none */
	char *bytes;                 /* of the text */
	uint64_t begin;              /* offset of the first byte */
	size_t size;
	uint64_t read; /* offset of the next byte to read */
	struct kt_text text;
};

struct fs_text *fs_text_new(struct kt_error *err)
{
	struct fs_text *l = calloc(1, sizeof(*l));

	if (!l)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return l;
}

static void close_reader(struct part *p)
{
	kt_trace_reader_free(p->reader);
	p->reader = NULL;
}

static void close_part(struct part *p)
{
	close_reader(p);
	if (!p->copy && p->dir >= 0)
		close(p->dir);
	fs_copy_unref(p->copy);
}

void fs_text_free(struct fs_text *l)
{
	size_t i;

	if (!l)
		return;
	kt_flight_text_free(l->tail);
	for (i = 0; i < l->n; i++)
		close_part(&l->parts[i]);
	free(l->parts);
	free(l->bytes);
	free(l);
}

static int copy_all(struct kt_recording *r, struct kt_error *err)
{
	int ret;

	do
		ret = kt_recording_copy(r, err);
	while (ret > 0);
	return ret;
}

static void add_names(struct kt_recording *r, int dir)
{
	struct kt_error ignored;

	kt_recording_add_names(r, dir, &ignored);
}

static struct kt_trace_reader *open_part(int dir, uint64_t until, struct kt_error *err)
{
	struct kt_trace_reader *r;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", dir);
	r = kt_trace_reader_open(path, err);
	if (r)
		kt_trace_reader_resume(r, until);
	return r;
}

static int write_consumed(struct kt_flight_snapshot *snapshot, int dir, struct kt_error *err)
{
	struct kt_recording *r = kt_flight_snapshot_recording(snapshot);

	if (copy_all(r, err) < 0 || kt_flight_snapshot_end(snapshot, dir, err) < 0)
		return -err->code;
	add_names(r, dir);
	return 0;
}

/* Consumes a part, when it can be read. */
static int consume_part(struct part *p, const struct kt_flight *held, int tracefs,
			struct kt_error *err)
{
	int dir = memory_dir_for_flight(held, err);
	struct kt_flight_snapshot *snapshot;

	if (dir < 0)
		return dir;
	kt_buffer_sets_swap(kt_flight_buffer_sets(held));
	snapshot = kt_flight_snapshot_new(held, NULL, tracefs, ktrace_version, dir, err);
	if (snapshot && write_consumed(snapshot, dir, err) == 0)
		p->reader = open_part(dir, p->until, err);
	if (p->reader)
		kt_buffer_sets_consume(kt_flight_buffer_sets(held));
	kt_flight_snapshot_free(snapshot);
	close(dir);
	return p->reader ? 0 : -err->code;
}

/* Appends an empty part. Returns NULL on error. */
static struct part *add_part(struct fs_text *l, struct kt_error *err)
{
	struct part *parts = kt_grow(l->parts, l->n, sizeof(*parts));

	if (!parts) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	l->parts = parts;
	parts[l->n] = (struct part){.dir = -1, .until = UINT64_MAX};
	return &parts[l->n++];
}

int fs_text_consume(struct fs_text *l, const struct kt_flight *held, int tracefs,
		    struct kt_error *err)
{
	struct part *p;
	bool is_earlier;
	int ret;

	l->is_whole = false;
	do {
		p = add_part(l, err);
		if (!p)
			return -err->code;
		is_earlier = !kt_buffer_sets_is_consumed(kt_flight_buffer_sets(held));
		ret = consume_part(p, held, tracefs, err);
		if (ret < 0)
			return memory_dir_error(ret, err);
	} while (is_earlier);
	l->is_whole = true;
	return 0;
}

bool fs_text_is_complete(const struct fs_text *l)
{
	return l->is_whole;
}

int fs_text_add_copy(struct fs_text *l, struct fs_copy *c, struct kt_error *err)
{
	struct part *p = add_part(l, err);

	if (!p)
		return -err->code;
	p->copy = fs_copy_ref(c);
	p->dir = fs_copy_dir(c);
	p->until = fs_copy_until(c);
	return 0;
}

/* Returns the part that grows, or will. */
static struct part *get_growing(const struct fs_text *l)
{
	return l->n > 0 && l->parts[l->n - 1].grows ? &l->parts[l->n - 1] : NULL;
}

/* Frees what was read, and will not be read again. */
static void forget_read(struct fs_text *l)
{
	size_t i;

	if (l->at == 0)
		return;
	for (i = 0; i < l->at; i++)
		close_part(&l->parts[i]);
	l->n -= l->at;
	memmove(l->parts, l->parts + l->at, l->n * sizeof(*l->parts));
	l->at = 0;
}

static int begin_trace(struct fs_text *l, const struct kt_flight *f, int tracefs,
		       struct kt_error *err)
{
	struct part *p;
	int ret;

	forget_read(l);
	p = add_part(l, err);
	if (!p)
		return -err->code;
	ret = p->dir = memory_dir_for_flight(f, err);
	if (ret >= 0)
		ret = kt_flight_text_begin(l->tail, f, tracefs, ktrace_version, p->dir, err);
	p->grows = ret == 0;
	if (ret < 0)
		close_part(&l->parts[--l->n]);
	return ret;
}

static void read_until(struct part *p, uint64_t until)
{
	p->until = until;
	if (p->reader)
		kt_trace_reader_resume(p->reader, until);
}

/* Ends the growing trace: what could be copied is everything. */
static void end_trace(struct fs_text *l)
{
	struct part *p = get_growing(l);

	if (!p)
		return;
	kt_flight_text_end(l->tail);
	p->grows = false;
	read_until(p, UINT64_MAX);
}

/* Copies as kt_flight_text_copy(). */
static int copy_new(struct fs_text *l, const struct kt_flight *f, struct kt_error *err)
{
	struct kt_recording *r = kt_flight_text_recording(l->tail);
	int ret = kt_flight_text_copy(l->tail, f, err);
	struct kt_error ignored;

	if (ret >= 0) {
		kt_recording_append_names(r, get_growing(l)->dir, &ignored);
		read_until(get_growing(l), kt_flight_text_until(l->tail));
	}
	if (ret == 0)
		end_trace(l);
	return ret;
}

/* Begins another trace, as what was read of the present one still takes memory. */
static int begin_next_trace(struct fs_text *l, const struct kt_flight *f, int tracefs,
			    struct kt_error *err)
{
	end_trace(l);
	return begin_trace(l, f, tracefs, err);
}

int fs_text_follow(struct fs_text *l, const struct kt_flight *f, int tracefs, struct kt_error *err)
{
	int ret = 0;

	if (!l->tail)
		l->tail = kt_flight_text_new(err);
	if (!l->tail)
		return -err->code;
	while (ret == 0) {
		if (!get_growing(l))
			ret = begin_trace(l, f, tracefs, err);
		if (ret == 0)
			ret = copy_new(l, f, err);
	}
	if (ret > 0 && kt_recording_size(kt_flight_text_recording(l->tail)) > TRACE_SIZE)
		ret = begin_next_trace(l, f, tracefs, err);
	return ret < 0 ? memory_dir_error(ret, err) : 0;
}

/* Gets the next record, and frees what was read. Returns 1, 0 if there is none, or -errno. */
static int get_next_hit(struct fs_text *l, struct kt_hit *hit, struct kt_error *err)
{
	struct part *p;
	int ret;

	for (; l->at < l->n; l->at++) {
		p = &l->parts[l->at];
		if (!p->reader && p->dir >= 0)
			p->reader = open_part(p->dir, p->until, err);
		if (!p->reader && p->dir >= 0)
			return -err->code;
		ret = p->reader ? kt_trace_reader_next(p->reader, hit, err) : 0;
		if (ret != 0 || p->grows)
			return ret;
		close_reader(p);
	}
	return 0;
}

static void rewind_to_first(struct fs_text *l)
{
	while (l->at > 0)
		close_reader(&l->parts[--l->at]);
	close_reader(&l->parts[0]);
	l->begin = l->size = 0;
	l->failed.code = 0;
}

/* An error is printed in its place. */
static int print_some(struct fs_text *l, struct kt_error *err)
{
	struct kt_hit hit;
	int ret = 1, n;

	l->text.to = open_memstream(&l->bytes, &l->size);
	if (!l->text.to)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (n = 0; n < HITS && ret > 0; n++) {
		ret = get_next_hit(l, &hit, &l->failed);
		if (ret > 0)
			kt_ftrace_line_print(&l->text, &hit);
	}
	if (ret >= 0)
		l->failed.code = 0;
	kt_text_flush(&l->text);
	if (fclose(l->text.to) == 0)
		return 0;
	return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

/* Replaces the bytes by the next part of the text. */
static int make_next_bytes(struct fs_text *l, struct kt_error *err)
{
	l->begin += l->size;
	free(l->bytes);
	l->bytes = NULL;
	l->size = 0;
	return print_some(l, err);
}

ssize_t fs_text_read_at(struct fs_text *l, uint64_t from, size_t size, const char **bytes,
			struct kt_error *err)
{
	uint64_t left;

	if (from < l->begin)
		rewind_to_first(l);
	while (from >= l->begin + l->size) {
		*err = l->failed;
		l->failed.code = 0;
		if (err->code && from == l->begin + l->size)
			return -err->code;
		if (make_next_bytes(l, err) < 0)
			return -err->code;
		if (!l->size && !l->failed.code)
			return 0;
	}
	left = l->begin + l->size - from;
	*bytes = l->bytes + (from - l->begin);
	return left < size ? left : size;
}

ssize_t fs_text_read(struct fs_text *l, size_t size, const char **bytes, struct kt_error *err)
{
	ssize_t n = fs_text_read_at(l, l->read, size, bytes, err);
	const char *end = n > 0 ? memrchr(*bytes, '\n', n) : NULL;

	if (end)
		n = end + 1 - *bytes;
	if (n > 0)
		l->read += n;
	return n;
}

bool fs_text_is_read(struct fs_text *l)
{
	struct kt_error err;
	const char *bytes;
	ssize_t n = fs_text_read_at(l, l->read, 1, &bytes, &err);

	if (n < 0)
		l->failed = err;
	return n == 0;
}

void fs_text_release(struct fs_text *l)
{
	end_trace(l);
	fs_text_is_read(l);
	forget_read(l);
}
