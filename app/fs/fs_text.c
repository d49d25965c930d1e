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
#include "trace/flight_snapshot.h"
#include "trace/flight_text.h"
#include "trace/read/trace_reader.h"
#include "trace/recording.h"
#include "values/text.h"
#include "view/ftrace_line.h"

enum {
	HITS = 256,            /* made into text at once */
	TRACE_SIZE = 16 << 20, /* bytes of one that grows, before another is begun */
};

/* A trace in memory. */
struct part {
	struct kt_trace_reader *reader; /* NULL: it is not open */
	int dir;                        /* from which it can be opened; or -1 */
	struct copy *copy;              /* whose the directory is; NULL: it is the part's own */
	uint64_t until;                 /* what is later is not of it */
	bool grows;
};

struct lines {
	struct part *parts; /* one after the other */
	size_t n, at;       /* which of them is read */
	bool is_whole;
	struct kt_flight_text
		*tail;          /* the last one grows by it, or the next; NULL: none ever did */
	struct kt_error failed; /* to be told behind the bytes until then; code 0: nothing */
	char *bytes;            /* of the text, */
	uint64_t begin;         /* from there on */
	size_t size;
	uint64_t read; /* up to there */
	struct kt_text text;
};

struct lines *lines_new(struct kt_error *err)
{
	struct lines *l = calloc(1, sizeof(*l));

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
	copy_leave(p->copy);
}

void lines_free(struct lines *l)
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

static void name_addresses(struct kt_recording *r, int dir)
{
	struct kt_error ignored;

	kt_recording_name_addresses(r, dir, &ignored);
}

static struct kt_trace_reader *open_in(int dir, uint64_t until, struct kt_error *err)
{
	struct kt_trace_reader *r;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", dir);
	r = kt_trace_reader_open(path, err);
	if (r)
		kt_trace_reader_resume(r, until);
	return r;
}

static int write_taken(struct kt_flight_snapshot *snapshot, int dir, struct kt_error *err)
{
	struct kt_recording *r = kt_flight_snapshot_recording(snapshot);

	if (copy_all(r, err) < 0 || kt_flight_snapshot_end(snapshot, dir, err) < 0)
		return -err->code;
	name_addresses(r, dir);
	return 0;
}

/* It is taken once it can be read. */
static int take_part(struct part *p, const struct kt_flight *held, int tracefs,
		     struct kt_error *err)
{
	int dir = memory_for(held, err);
	struct kt_flight_snapshot *snapshot;

	if (dir < 0)
		return dir;
	kt_buffer_sets_swap(kt_flight_buffer_sets(held));
	snapshot = kt_flight_snapshot_new(held, NULL, tracefs, ktrace_version, dir, err);
	if (snapshot && write_taken(snapshot, dir, err) == 0)
		p->reader = open_in(dir, p->until, err);
	if (p->reader)
		kt_buffer_sets_consume(kt_flight_buffer_sets(held));
	kt_flight_snapshot_free(snapshot);
	close(dir);
	return p->reader ? 0 : -err->code;
}

/* One more, that holds nothing as yet. On error NULL. */
static struct part *add_part(struct lines *l, struct kt_error *err)
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

int lines_take(struct lines *l, const struct kt_flight *held, int tracefs, struct kt_error *err)
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
		ret = take_part(p, held, tracefs, err);
		if (ret < 0)
			return memory_error(ret, err);
	} while (is_earlier);
	l->is_whole = true;
	return 0;
}

bool lines_is_whole(const struct lines *l)
{
	return l->is_whole;
}

int lines_show(struct lines *l, struct copy *c, struct kt_error *err)
{
	struct part *p = add_part(l, err);

	if (!p)
		return -err->code;
	p->copy = copy_join(c);
	p->dir = copy_dir(c);
	p->until = copy_until(c);
	return 0;
}

/* Where the last one grows, or is to. */
static struct part *growing(const struct lines *l)
{
	return l->n > 0 && l->parts[l->n - 1].grows ? &l->parts[l->n - 1] : NULL;
}

/* Of what has been read, and is not to be read again. */
static void forget_read(struct lines *l)
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

static int begin_trace(struct lines *l, const struct kt_flight *f, int tracefs,
		       struct kt_error *err)
{
	struct part *p;
	int ret;

	forget_read(l);
	p = add_part(l, err);
	if (!p)
		return -err->code;
	ret = p->dir = memory_for(f, err);
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

/* What could be copied of it is all there is to be. */
static void end_trace(struct lines *l)
{
	struct part *p = growing(l);

	if (!p)
		return;
	kt_flight_text_end(l->tail);
	p->grows = false;
	read_until(p, UINT64_MAX);
}

/* As kt_flight_text_copy. */
static int copy_more(struct lines *l, const struct kt_flight *f, struct kt_error *err)
{
	int ret = kt_flight_text_copy(l->tail, f, err);

	if (ret >= 0)
		read_until(growing(l), kt_flight_text_until(l->tail));
	if (ret == 0)
		end_trace(l);
	return ret;
}

/* What has been read of it takes memory until then. */
static int begin_anew(struct lines *l, const struct kt_flight *f, int tracefs, struct kt_error *err)
{
	end_trace(l);
	return begin_trace(l, f, tracefs, err);
}

int lines_follow(struct lines *l, const struct kt_flight *f, int tracefs, struct kt_error *err)
{
	int ret = 0;

	if (!l->tail)
		l->tail = kt_flight_text_new(err);
	if (!l->tail)
		return -err->code;
	while (ret == 0) {
		if (!growing(l))
			ret = begin_trace(l, f, tracefs, err);
		if (ret == 0)
			ret = copy_more(l, f, err);
	}
	if (ret > 0 && kt_recording_size(kt_flight_text_recording(l->tail)) > TRACE_SIZE)
		ret = begin_anew(l, f, tracefs, err);
	return ret < 0 ? memory_error(ret, err) : 0;
}

/* What has been read is given back. 1, 0 where it has been already, or -errno. */
static int next_hit(struct lines *l, struct kt_hit *hit, struct kt_error *err)
{
	struct part *p;
	int ret;

	for (; l->at < l->n; l->at++) {
		p = &l->parts[l->at];
		if (!p->reader && p->dir >= 0)
			p->reader = open_in(p->dir, p->until, err);
		if (!p->reader && p->dir >= 0)
			return -err->code;
		ret = p->reader ? kt_trace_reader_next(p->reader, hit, err) : 0;
		if (ret != 0 || p->grows)
			return ret;
		close_reader(p);
	}
	return 0;
}

static void rewind_to_first(struct lines *l)
{
	while (l->at > 0)
		close_reader(&l->parts[--l->at]);
	close_reader(&l->parts[0]);
	l->begin = l->size = 0;
	l->failed.code = 0;
}

/* An error is told in its place. */
static int print_some(struct lines *l, struct kt_error *err)
{
	struct kt_hit hit;
	int ret = 1, n;

	l->text.to = open_memstream(&l->bytes, &l->size);
	if (!l->text.to)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (n = 0; n < HITS && ret > 0; n++) {
		ret = next_hit(l, &hit, &l->failed);
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

/* The text's next bytes, in place of those that were there. */
static int go_on(struct lines *l, struct kt_error *err)
{
	l->begin += l->size;
	free(l->bytes);
	l->bytes = NULL;
	l->size = 0;
	return print_some(l, err);
}

ssize_t lines_read_at(struct lines *l, uint64_t from, size_t size, const char **bytes,
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
		if (go_on(l, err) < 0)
			return -err->code;
		if (!l->size && !l->failed.code)
			return 0;
	}
	left = l->begin + l->size - from;
	*bytes = l->bytes + (from - l->begin);
	return left < size ? left : size;
}

ssize_t lines_read(struct lines *l, size_t size, const char **bytes, struct kt_error *err)
{
	ssize_t n = lines_read_at(l, l->read, size, bytes, err);
	const char *end = n > 0 ? memrchr(*bytes, '\n', n) : NULL;

	if (end)
		n = end + 1 - *bytes;
	if (n > 0)
		l->read += n;
	return n;
}

bool lines_is_read(struct lines *l)
{
	struct kt_error err;
	const char *bytes;
	ssize_t n = lines_read_at(l, l->read, 1, &bytes, &err);

	if (n < 0)
		l->failed = err;
	return n == 0;
}

void lines_rest(struct lines *l)
{
	end_trace(l);
	lines_is_read(l);
	forget_read(l);
}
