// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/fs_handle.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/control/memory_dir.h"
#include "app/fs/fs_copy.h"
#include "app/fs/fs_files.h"
#include "app/fs/fs_flight.h"
#include "app/fs/fs_pipe.h"
#include "app/fs/fs_text.h"
#include "app/fs/fs_tree.h"
#include "base/error.h"
#include "session/flight/flight_stats.h"

struct opened {
	const struct file *file; /* NULL: nobody is to read it */
	uint32_t number;         /* of the subject */
	char *bytes;             /* the text; or it is one of these: */
	size_t size;
	struct lines *lines;     /* made as it is read */
	struct pipe *pipe;       /* waited for */
	bool has_read;           /* of that */
	struct subject *subject; /* whose opened_bytes has charged bytes of this one */
	uint64_t charged;
};

/* Bytes of what is open and has no text of its own, the kernel's part included. */
enum { OPENED_SIZE = 4096 };

struct opened *opened_new(struct kt_error *err)
{
	struct opened *o = calloc(1, sizeof(*o));

	if (!o)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return o;
}

static void clear(struct opened *o)
{
	free(o->bytes);
	lines_free(o->lines);
	pipe_leave(o->pipe);
	if (o->subject)
		o->subject->opened_bytes -= o->charged;
	*o = (struct opened){0};
}

void opened_free(struct opened *o)
{
	if (!o)
		return;
	clear(o);
	free(o);
}

static void charge(struct opened *o, uint64_t bytes)
{
	o->charged += bytes;
	o->subject->opened_bytes += bytes;
}

static int write_text(struct opened *o, const struct subject *s, const struct place *p,
		      struct kt_error *err)
{
	FILE *to = open_memstream(&o->bytes, &o->size);
	int ret;

	if (!to)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	ret = p->file->read(to, s, p, err);
	if (fclose(to) == 0) {
		charge(o, o->size);
		return ret;
	}
	return ret < 0 ? ret : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

/* Whether so many bytes more would be too many. */
static bool is_full(const struct subject *s, uint64_t more)
{
	uint64_t rings = s->flight ? memory_of_rings(s->flight) : 0;

	return s->copies.bytes + s->opened_bytes + more > OPENED_MIN + OPENED_RINGS * rings;
}

/* A copy that can be shared takes no more memory. */
static struct copy *find_copy(struct subject *s, bool is_limited, struct kt_error *err)
{
	struct copy *c = copy_share(&s->copies, s->flight);

	if (c)
		return c;
	if (is_limited && is_full(s, memory_of_rings(s->flight))) {
		kt_fail(err, ENFILE, "%s", strerror(ENFILE));
		return NULL;
	}
	return copy_make(&s->copies, s->flight, s->tracefs, err);
}

static int open_lines(struct opened *o, struct subject *s, bool is_limited, struct kt_error *err)
{
	struct copy *c = find_copy(s, is_limited, err);
	int ret = -1;

	if (c)
		o->lines = lines_new(err);
	if (o->lines)
		ret = lines_show(o->lines, c, err);
	if (ret == 0)
		charge(o, copy_reader_size(c));
	copy_leave(c);
	return ret < 0 ? -err->code : 0;
}

static int join_pipe(struct opened *o, struct subject *s, const struct place *p,
		     struct kt_error *err)
{
	o->pipe = p->file->join(s, p, err);
	return o->pipe ? 0 : -err->code;
}

int opened_make(struct opened *o, struct subject *s, const struct place *p, bool is_limited,
		struct kt_error *err)
{
	int ret = 0;

	if (is_limited && is_full(s, OPENED_SIZE))
		return kt_fail(err, ENFILE, "%s", strerror(ENFILE));
	o->file = p->file;
	o->number = s->number;
	o->subject = s;
	charge(o, OPENED_SIZE);
	if (p->file->read)
		ret = write_text(o, s, p, err);
	else if (p->file->is_of_rings)
		ret = open_lines(o, s, is_limited, err);
	else if (p->file->join)
		ret = join_pipe(o, s, p, err);
	if (ret < 0)
		clear(o);
	return ret;
}

bool opened_is_shared(const struct opened *o)
{
	return o->file && (o->file->read_on || o->file->join);
}

bool opened_can_wait(const struct opened *o)
{
	return o->pipe;
}

bool opened_is_ready(const struct opened *o, struct subject *s, bool looks)
{
	struct kt_error ignored;

	if (!o->pipe || !pipe_is_empty(o->pipe))
		return true;
	return looks && (subject_fetch(s, o->pipe, &ignored) < 0 || !pipe_is_empty(o->pipe));
}

/*
 * Behind a request of the most that there is at once, which was filled, the kernel reads on, and
 * would wait with what is there: it is never filled. It has 32 pages, begun and ended anywhere.
 */
static size_t less(size_t size)
{
	return size > (size_t)31 << 12 ? size - 1 : size;
}

static ssize_t read_pipe(struct opened *o, struct subject *s, bool looks, size_t size,
			 const char **bytes, struct kt_error *err)
{
	ssize_t n = pipe_read(o->pipe, less(size), bytes, err);

	looks &= n == -EAGAIN;
	if (looks && subject_fetch(s, o->pipe, err) < 0)
		return -err->code;
	if (looks)
		n = pipe_read(o->pipe, less(size), bytes, err);
	o->has_read |= n > 0;
	return n;
}

/* A text that is nobody's own, but still the same flight's. */
static ssize_t read_on(const struct opened *o, struct subject *s, size_t size, const char **bytes,
		       struct kt_error *err)
{
	if (o->number != s->number)
		return kt_fail(err, ESTALE, "%s", strerror(ESTALE));
	return o->file->read_on(s, size, bytes, err);
}

ssize_t opened_read(struct opened *o, struct subject *s, off_t from, size_t size,
		    const char **bytes, struct kt_error *err)
{
	size_t left = (size_t)from < o->size ? o->size - from : 0;

	if (o->pipe)
		return read_pipe(o, s, true, size, bytes, err);
	if (o->lines)
		return lines_read_at(o->lines, from, size, bytes, err);
	if (o->file && o->file->read_on)
		return read_on(o, s, size, bytes, err);
	if (!o->bytes)
		return kt_fail(err, EINVAL, "%s", strerror(EINVAL));
	*bytes = o->bytes + o->size - left;
	return left < size ? left : size;
}

/* What was recorded until it was found that nothing is, is fetched behind that. */
ssize_t opened_wait(struct opened *o, struct subject *s, bool looks, size_t size,
		    const char **bytes, struct kt_error *err)
{
	bool ends = looks && o->has_read && s->flight && !kt_flight_stats_is_recording(s->flight);
	ssize_t n = read_pipe(o, s, looks, size, bytes, err);

	return n == -EAGAIN && ends ? 0 : n;
}
