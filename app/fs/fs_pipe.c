// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/fs_pipe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/fs/fs_packets.h"
#include "app/fs/fs_text.h"
#include "base/error.h"

struct fs_pipe {
	struct fs_text *lines;      /* or NULL: */
	struct fs_packets *packets; /* of one ring */
	size_t ring;
	unsigned int users;
	bool is_over, is_cut;
};

static struct fs_pipe *create_pipe(struct fs_pipe made, struct kt_error *err)
{
	struct fs_pipe *p = malloc(sizeof(*p));

	made.users = 1;
	if (p)
		*p = made;
	else
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return p;
}

struct fs_pipe *fs_pipe_new_text(struct kt_error *err)
{
	struct fs_text *lines = fs_text_new(err);
	struct fs_pipe *p = lines ? create_pipe((struct fs_pipe){.lines = lines}, err) : NULL;

	if (!p)
		fs_text_free(lines);
	return p;
}

struct fs_pipe *fs_pipe_new_packets(struct fs_packets *packets, size_t ring, struct kt_error *err)
{
	struct fs_pipe *p = create_pipe((struct fs_pipe){.packets = packets, .ring = ring}, err);

	if (p)
		fs_packets_ref(packets);
	return p;
}

struct fs_pipe *fs_pipe_ref(struct fs_pipe *p)
{
	p->users++;
	return p;
}

void fs_pipe_unref(struct fs_pipe *p)
{
	if (!p || --p->users > 0)
		return;
	fs_text_free(p->lines);
	fs_packets_unref(p->packets);
	free(p);
}

bool fs_pipe_is_shared(const struct fs_pipe *p)
{
	return p->users > 1;
}

int fs_pipe_fetch(struct fs_pipe *p, const struct kt_flight *f, int tracefs, struct kt_error *err)
{
	if (p->is_over)
		return 0;
	if (p->lines)
		return fs_text_follow(p->lines, f, tracefs, err);
	return fs_packets_follow(p->packets, p->ring, f, tracefs, err);
}

void fs_pipe_release(struct fs_pipe *p)
{
	if (p->lines)
		fs_text_release(p->lines);
	else
		fs_packets_release(p->packets);
}

void fs_pipe_end(struct fs_pipe *p)
{
	fs_pipe_release(p);
	p->is_over = true;
}

void fs_pipe_end_cut(struct fs_pipe *p)
{
	p->is_cut = true;
}

static ssize_t read_source(struct fs_pipe *p, size_t size, const char **bytes, struct kt_error *err)
{
	if (p->lines)
		return fs_text_read(p->lines, size, bytes, err);
	return fs_packets_read(p->packets, p->ring, size, bytes, err);
}

ssize_t fs_pipe_read(struct fs_pipe *p, size_t size, const char **bytes, struct kt_error *err)
{
	ssize_t n = read_source(p, size, bytes, err);

	if (n != 0 || (p->is_over && !p->is_cut))
		return n;
	p->is_cut = false;
	return kt_fail(err, p->is_over ? ESTALE : EAGAIN, "no more data for now");
}

static bool is_read(const struct fs_pipe *p)
{
	return p->lines ? fs_text_is_read(p->lines) : fs_packets_are_read(p->packets, p->ring);
}

bool fs_pipe_is_empty(const struct fs_pipe *p)
{
	return !p->is_over && is_read(p);
}
