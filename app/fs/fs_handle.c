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

struct fs_handle {
	const struct fs_file *file; /* NULL: must not be read */
	uint32_t number;            /* of the flight (fs_flight.number) */
	char *bytes;                /* the text; or one of the following: */
	size_t size;
	struct fs_text *lines; /* made while it is read */
	struct fs_pipe *pipe;  /* may have to wait */
	bool has_read;         /* something was read from the pipe */
	struct fs_flight *fs;  /* whose opened_bytes include this handle's charged bytes */
	uint64_t charged;
};

/* Bytes of an open file without text, including the kernel's. */
enum { FS_HANDLE_SIZE = 4096 };

struct fs_handle *fs_handle_new(struct kt_error *err)
{
	struct fs_handle *o = calloc(1, sizeof(*o));

	if (!o)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return o;
}

static void clear_text(struct fs_handle *o)
{
	free(o->bytes);
	fs_text_free(o->lines);
	fs_pipe_unref(o->pipe);
	if (o->fs)
		o->fs->opened_bytes -= o->charged;
	*o = (struct fs_handle){0};
}

void fs_handle_free(struct fs_handle *o)
{
	if (!o)
		return;
	clear_text(o);
	free(o);
}

static void charge_bytes(struct fs_handle *o, uint64_t bytes)
{
	o->charged += bytes;
	o->fs->opened_bytes += bytes;
}

static int write_text(struct fs_handle *o, const struct fs_flight *s, const struct fs_node *p,
		      struct kt_error *err)
{
	FILE *to = open_memstream(&o->bytes, &o->size);
	int ret;

	if (!to)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	ret = p->file->read(to, s, p, err);
	if (fclose(to) == 0) {
		charge_bytes(o, o->size);
		return ret;
	}
	return ret < 0 ? ret : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

/* Returns whether that many more bytes would exceed the limit. */
static bool is_full(const struct fs_flight *s, uint64_t more)
{
	uint64_t rings = s->flight ? memory_dir_ring_bytes(s->flight) : 0;

	return s->copies.bytes + s->opened_bytes + more > FS_HANDLES_MIN + FS_HANDLES_RINGS * rings;
}

/* Sharing an existing copy takes no memory. */
static struct fs_copy *find_copy(struct fs_flight *s, bool is_limited, struct kt_error *err)
{
	struct fs_copy *c = fs_copies_share(&s->copies, s->flight);

	if (c)
		return c;
	if (is_limited && is_full(s, memory_dir_ring_bytes(s->flight))) {
		kt_fail(err, ENFILE, "%s", strerror(ENFILE));
		return NULL;
	}
	return fs_copies_make(&s->copies, s->flight, s->tracefs, err);
}

static int open_lines(struct fs_handle *o, struct fs_flight *s, bool is_limited,
		      struct kt_error *err)
{
	struct fs_copy *c = find_copy(s, is_limited, err);
	int ret = -1;

	if (c)
		o->lines = fs_text_new(err);
	if (o->lines)
		ret = fs_text_add_copy(o->lines, c, err);
	if (ret == 0)
		charge_bytes(o, fs_copy_reader_size(c));
	fs_copy_unref(c);
	return ret < 0 ? -err->code : 0;
}

static int join_pipe(struct fs_handle *o, struct fs_flight *s, const struct fs_node *p,
		     struct kt_error *err)
{
	o->pipe = p->file->join(s, p, err);
	return o->pipe ? 0 : -err->code;
}

int fs_handle_fill(struct fs_handle *o, struct fs_flight *s, const struct fs_node *p,
		   bool is_limited, struct kt_error *err)
{
	int ret = 0;

	if (is_limited && is_full(s, FS_HANDLE_SIZE))
		return kt_fail(err, ENFILE, "%s", strerror(ENFILE));
	o->file = p->file;
	o->number = s->number;
	o->fs = s;
	charge_bytes(o, FS_HANDLE_SIZE);
	if (p->file->read)
		ret = write_text(o, s, p, err);
	else if (p->file->is_of_rings)
		ret = open_lines(o, s, is_limited, err);
	else if (p->file->join)
		ret = join_pipe(o, s, p, err);
	if (ret < 0)
		clear_text(o);
	return ret;
}

bool fs_handle_is_shared(const struct fs_handle *o)
{
	return o->file && (o->file->read_on || o->file->join);
}

bool fs_handle_can_wait(const struct fs_handle *o)
{
	return o->pipe;
}

bool fs_handle_is_ready(const struct fs_handle *o, struct fs_flight *s, bool fetches)
{
	struct kt_error ignored;

	if (!o->pipe || !fs_pipe_is_empty(o->pipe))
		return true;
	return fetches && (fs_flight_fetch(s, o->pipe, &ignored) < 0 || !fs_pipe_is_empty(o->pipe));
}

/*
 * Returns a size below that of the largest request: after a request of that size that was filled,
 * the kernel reads on, and would wait with what it has. Such a request has 32 pages, aligned or
 * not.
 */
static size_t limit_size(size_t size)
{
	return size > (size_t)31 << 12 ? size - 1 : size;
}

static ssize_t read_pipe(struct fs_handle *o, struct fs_flight *s, bool fetches, size_t size,
			 const char **bytes, struct kt_error *err)
{
	ssize_t n = fs_pipe_read(o->pipe, limit_size(size), bytes, err);

	fetches &= n == -EAGAIN;
	if (fetches && fs_flight_fetch(s, o->pipe, err) < 0)
		return -err->code;
	if (fetches)
		n = fs_pipe_read(o->pipe, limit_size(size), bytes, err);
	o->has_read |= n > 0;
	return n;
}

/* Reads a shared text, if it still belongs to the same flight. */
static ssize_t read_shared(const struct fs_handle *o, struct fs_flight *s, size_t size,
			   const char **bytes, struct kt_error *err)
{
	if (o->number != s->number)
		return kt_fail(err, ESTALE, "%s", strerror(ESTALE));
	return o->file->read_on(s, size, bytes, err);
}

ssize_t fs_handle_read(struct fs_handle *o, struct fs_flight *s, off_t from, size_t size,
		       const char **bytes, struct kt_error *err)
{
	size_t left = (size_t)from < o->size ? o->size - from : 0;

	if (o->pipe)
		return read_pipe(o, s, true, size, bytes, err);
	if (o->lines)
		return fs_text_read_at(o->lines, from, size, bytes, err);
	if (o->file && o->file->read_on)
		return read_shared(o, s, size, bytes, err);
	if (!o->bytes)
		return kt_fail(err, EINVAL, "%s", strerror(EINVAL));
	*bytes = o->bytes + o->size - left;
	return left < size ? left : size;
}

/* Records written until recording was found to be off are fetched after that. */
ssize_t fs_handle_wait(struct fs_handle *o, struct fs_flight *s, bool fetches, size_t size,
		       const char **bytes, struct kt_error *err)
{
	bool ends = fetches && o->has_read && s->flight && !kt_flight_stats_is_recording(s->flight);
	ssize_t n = read_pipe(o, s, fetches, size, bytes, err);

	return n == -EAGAIN && ends ? 0 : n;
}
