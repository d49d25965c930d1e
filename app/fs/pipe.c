// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "app/command.h"
#include "base/error.h"
#include "base/grow.h"
#include "session/banks.h"
#include "session/flight.h"
#include "trace/reader.h"
#include "trace/recording.h"
#include "trace/snapshot.h"
#include "view/line.h"
#include "view/text.h"

/* Made into text at once. */
enum { HITS = 256 };

struct pipe {
	struct kt_reader **parts; /* one after the other; NULL: there is nothing to read */
	size_t n, at;             /* which of them is read */
	bool is_whole;
	struct kt_error failed; /* to be told behind the text until then; code 0: nothing */
	char *bytes;
	size_t size, read;
	struct kt_text text;
};

struct pipe *pipe_new(struct kt_error *err)
{
	struct pipe *p = calloc(1, sizeof(*p));

	if (!p)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return p;
}

void pipe_free(struct pipe *p)
{
	if (!p)
		return;
	while (p->at < p->n)
		kt_reader_free(p->parts[p->at++]);
	free(p->parts);
	free(p->bytes);
	free(p);
}

/* A directory in memory that no one else can enter, and that is gone once nothing in it is open. */
static int make_directory(struct kt_error *err)
{
	int fs = fsopen("tmpfs", FSOPEN_CLOEXEC), mount = -1, dir = -1;

	if (fs >= 0 && fsconfig(fs, FSCONFIG_SET_STRING, "mode", "700", 0) == 0 &&
	    fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		mount = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	if (mount >= 0)
		dir = openat(mount, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		kt_fail(err, errno, "no memory for files: %s", strerror(errno));
	if (mount >= 0)
		close(mount);
	if (fs >= 0)
		close(fs);
	return dir < 0 ? -err->code : dir;
}

/* All that rests. */
static int write_to(int dir, struct kt_snapshot *snapshot, struct kt_error *err)
{
	struct kt_recording *r = kt_snapshot_recording(snapshot);
	struct kt_error ignored;
	int ret;

	do
		ret = kt_recording_copy(r, err);
	while (ret > 0);
	if (ret == 0)
		ret = kt_snapshot_end(snapshot, dir, err);
	if (ret == 0)
		kt_recording_name_addresses(r, dir, &ignored);
	return ret;
}

static struct kt_reader *open_in(int dir, struct kt_error *err)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", dir);
	return kt_reader_open(path, err);
}

/* It is taken once it can be read. On error NULL. */
static struct kt_reader *take_part(const struct kt_flight *held, int tracefs, struct kt_error *err)
{
	int dir = make_directory(err);
	struct kt_reader *part = NULL;
	struct kt_snapshot *snapshot;

	if (dir < 0)
		return NULL;
	kt_banks_turn(kt_flight_banks(held));
	snapshot = kt_snapshot_new(held, NULL, tracefs, ktrace_version, dir, err);
	if (snapshot && write_to(dir, snapshot, err) == 0)
		part = open_in(dir, err);
	if (part)
		kt_banks_take(kt_flight_banks(held));
	kt_snapshot_free(snapshot);
	close(dir);
	return part;
}

/* For one more, NULL as yet. */
static int add_part(struct pipe *p, struct kt_error *err)
{
	struct kt_reader **parts = kt_grow(p->parts, p->n, sizeof(struct kt_reader *));

	if (!parts)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	p->parts = parts;
	parts[p->n++] = NULL;
	return 0;
}

int pipe_take(struct pipe *p, const struct kt_flight *held, int tracefs, struct kt_error *err)
{
	bool is_earlier;

	p->is_whole = false;
	do {
		if (add_part(p, err) < 0)
			return -err->code;
		is_earlier = !kt_banks_is_taken(kt_flight_banks(held));
		p->parts[p->n - 1] = take_part(held, tracefs, err);
		/* These files lie in memory. */
		if (!p->parts[p->n - 1])
			return err->code == ENOSPC ? kt_fail(err, ENOMEM, "%s", strerror(ENOMEM))
						   : -err->code;
	} while (is_earlier);
	p->is_whole = true;
	return 0;
}

bool pipe_is_whole(const struct pipe *p)
{
	return p->is_whole;
}

/* What has been read is given back. 1, 0 where it has been already, or -errno. */
static int next_hit(struct pipe *p, struct kt_hit *hit, struct kt_error *err)
{
	int ret;

	while (p->at < p->n) {
		ret = p->parts[p->at] ? kt_reader_next(p->parts[p->at], hit, err) : 0;
		if (ret != 0)
			return ret;
		kt_reader_free(p->parts[p->at]);
		p->parts[p->at++] = NULL;
	}
	return 0;
}

/* An error is told in its place. */
static int print_some(struct pipe *p, struct kt_error *err)
{
	struct kt_hit hit;
	int ret = 1, n;

	p->text.to = open_memstream(&p->bytes, &p->size);
	if (!p->text.to)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (n = 0; n < HITS && ret > 0; n++) {
		ret = next_hit(p, &hit, &p->failed);
		if (ret > 0)
			kt_line_print(&p->text, &hit);
	}
	if (ret >= 0)
		p->failed.code = 0;
	kt_text_flush(&p->text);
	if (fclose(p->text.to) == 0)
		return 0;
	return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

ssize_t pipe_read(struct pipe *p, size_t size, const char **bytes, struct kt_error *err)
{
	size_t left = p->size - p->read;

	if (!left && !p->failed.code) {
		free(p->bytes);
		p->bytes = NULL;
		p->size = p->read = 0;
		if (print_some(p, err) < 0)
			return -err->code;
		left = p->size;
	}
	if (!left && p->failed.code) {
		*err = p->failed;
		p->failed.code = 0;
		return -err->code;
	}
	*bytes = p->bytes + p->read;
	left = left < size ? left : size;
	p->read += left;
	return left;
}
