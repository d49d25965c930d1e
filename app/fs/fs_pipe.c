// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/fs_pipe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/fs/fs_packets.h"
#include "app/fs/fs_text.h"
#include "base/error.h"

struct pipe {
	struct lines *lines;     /* or NULL: */
	struct packets *packets; /* of one ring */
	size_t ring;
	unsigned int users;
	bool is_over, is_cut;
};

static struct pipe *make(struct pipe made, struct kt_error *err)
{
	struct pipe *p = malloc(sizeof(*p));

	made.users = 1;
	if (p)
		*p = made;
	else
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return p;
}

struct pipe *pipe_of_lines(struct kt_error *err)
{
	struct lines *lines = lines_new(err);
	struct pipe *p = lines ? make((struct pipe){.lines = lines}, err) : NULL;

	if (!p)
		lines_free(lines);
	return p;
}

struct pipe *pipe_of_packets(struct packets *packets, size_t ring, struct kt_error *err)
{
	struct pipe *p = make((struct pipe){.packets = packets, .ring = ring}, err);

	if (p)
		packets_join(packets);
	return p;
}

struct pipe *pipe_join(struct pipe *p)
{
	p->users++;
	return p;
}

void pipe_leave(struct pipe *p)
{
	if (!p || --p->users > 0)
		return;
	lines_free(p->lines);
	packets_leave(p->packets);
	free(p);
}

bool pipe_is_joined(const struct pipe *p)
{
	return p->users > 1;
}

int pipe_fetch(struct pipe *p, const struct kt_flight *f, int tracefs, struct kt_error *err)
{
	if (p->is_over)
		return 0;
	if (p->lines)
		return lines_follow(p->lines, f, tracefs, err);
	return packets_follow(p->packets, p->ring, f, tracefs, err);
}

void pipe_rest(struct pipe *p)
{
	if (p->lines)
		lines_rest(p->lines);
	else
		packets_rest(p->packets);
}

void pipe_end(struct pipe *p)
{
	pipe_rest(p);
	p->is_over = true;
}

void pipe_cut(struct pipe *p)
{
	p->is_cut = true;
}

static ssize_t read_some(struct pipe *p, size_t size, const char **bytes, struct kt_error *err)
{
	if (p->lines)
		return lines_read(p->lines, size, bytes, err);
	return packets_read(p->packets, p->ring, size, bytes, err);
}

ssize_t pipe_read(struct pipe *p, size_t size, const char **bytes, struct kt_error *err)
{
	ssize_t n = read_some(p, size, bytes, err);

	if (n != 0 || (p->is_over && !p->is_cut))
		return n;
	p->is_cut = false;
	return kt_fail(err, p->is_over ? ESTALE : EAGAIN, "it is at its end, for now");
}

static bool is_read(const struct pipe *p)
{
	return p->lines ? lines_is_read(p->lines) : packets_is_read(p->packets, p->ring);
}

bool pipe_is_empty(const struct pipe *p)
{
	return !p->is_over && is_read(p);
}
