// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/fs_copy.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/control/memory_dir.h"
#include "base/error.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "session/flight/flight_info.h"
#include "trace/flight/flight_text.h"
#include "trace/recording.h"
#include "trace/trace_directory.h"

#define TASKS KT_TRACE_DIRECTORY_KTRACE "/" KT_TRACE_DIRECTORY_NAMES

/*
 * Measured: a reader takes at most 8 times the text that describes the events, 16 times the text of
 * the tasks (a slot and its neighbours each), one packet per ring, and the rest.
 */
enum {
	READER_EVENTS = 8,
	READER_TASKS = 16,
	READER_PACKET = 128 << 10,
	READER_REST = 128 << 10,
};

/* Values that change with every record and every swap. */
struct moment {
	uint64_t flight; /* its start */
	uint64_t began;  /* when its active buffer set became active */
	uint64_t reserved;
};

struct fs_copy {
	struct fs_copies *copies;
	struct moment moment;
	unsigned int users;
	int dir;
	uint64_t until, bytes, reader;
};

static struct moment read_moment(const struct kt_flight *f)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	size_t set = kt_buffer_sets_active(b), i;
	const struct kt_rings *rings = kt_buffer_sets_rings(b, set);
	struct moment m = {kt_flight_get_info(f)->began, kt_buffer_sets_began(b, set), 0};

	for (i = 0; rings && i < kt_rings_count(rings); i++)
		if (kt_rings_at(rings, i))
			m.reserved += kt_ring_reserved(kt_rings_at(rings, i));
	return m;
}

static bool is_same(struct moment a, struct moment b)
{
	return a.flight == b.flight && a.began == b.began && a.reserved == b.reserved;
}

struct fs_copy *fs_copy_ref(struct fs_copy *c)
{
	c->users++;
	return c;
}

struct fs_copy *fs_copies_share(struct fs_copies *copies, const struct kt_flight *f)
{
	if (!copies->newest || !is_same(copies->newest->moment, read_moment(f)))
		return NULL;
	return fs_copy_ref(copies->newest);
}

static int write_trace(struct fs_copy *c, struct kt_flight_text *t, const struct kt_flight *f,
		       int tracefs, struct kt_error *err)
{
	struct kt_error ignored;
	int ret = kt_flight_text_begin(t, f, tracefs, ktrace_version, c->dir, err);

	if (ret == 0)
		ret = kt_flight_text_copy(t, f, err);
	if (ret == 0)
		return kt_fail(err, EAGAIN, "the buffers have been swapped");
	if (ret < 0)
		return ret;
	kt_recording_add_names(kt_flight_text_recording(t), c->dir, &ignored);
	c->until = kt_flight_text_until(t);
	return 0;
}

static uint64_t get_size(int dir, const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, 0) == 0 ? st.st_size : 0;
}

static void measure_growth(struct fs_copy *c, const struct kt_flight *f)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	const struct kt_rings *rings = kt_buffer_sets_rings(b, kt_buffer_sets_active(b));
	struct statfs fs;

	if (fstatfs(c->dir, &fs) == 0)
		c->bytes = (fs.f_blocks - fs.f_bfree) * fs.f_bsize;
	c->reader = READER_REST + READER_EVENTS * get_size(c->dir, "metadata") +
		    READER_TASKS * get_size(c->dir, TASKS);
	if (rings)
		c->reader += READER_PACKET * kt_rings_count(rings);
}

static int write_copy(struct fs_copy *c, const struct kt_flight *f, int tracefs,
		      struct kt_error *err)
{
	struct kt_flight_text *t = kt_flight_text_new(err);
	int ret = t ? 0 : -err->code;

	/* Read first: a record written meanwhile makes the copy outdated. */
	c->moment = read_moment(f);
	if (ret == 0)
		ret = c->dir = memory_dir_for_flight(f, err);
	if (ret >= 0)
		ret = write_trace(c, t, f, tracefs, err);
	kt_flight_text_free(t);
	if (ret == 0)
		measure_growth(c, f);
	return memory_dir_error(ret, err);
}

struct fs_copy *fs_copies_make(struct fs_copies *copies, const struct kt_flight *f, int tracefs,
			       struct kt_error *err)
{
	struct fs_copy *c = malloc(sizeof(*c));

	if (!c) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	*c = (struct fs_copy){.copies = copies, .users = 1, .dir = -1};
	if (write_copy(c, f, tracefs, err) == 0) {
		copies->bytes += c->bytes;
		copies->newest = c;
		return c;
	}
	fs_copy_unref(c);
	return NULL;
}

void fs_copy_unref(struct fs_copy *c)
{
	if (!c || --c->users > 0)
		return;
	if (c->copies->newest == c)
		c->copies->newest = NULL;
	c->copies->bytes -= c->bytes;
	if (c->dir >= 0)
		close(c->dir);
	free(c);
}

int fs_copy_dir(const struct fs_copy *c)
{
	return c->dir;
}

uint64_t fs_copy_until(const struct fs_copy *c)
{
	return c->until;
}

uint64_t fs_copy_reader_size(const struct fs_copy *c)
{
	return c->reader;
}
