// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/pipe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/fs/lines.h"
#include "base/error.h"

struct pipe {
	struct lines *lines;
	unsigned int users;
	bool is_over, is_cut;
};

struct pipe *pipe_new(struct kt_error *err)
{
	struct pipe *p = calloc(1, sizeof(*p));

	if (!p) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	*p = (struct pipe){.lines = lines_new(err), .users = 1};
	if (p->lines)
		return p;
	free(p);
	return NULL;
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
	free(p);
}

bool pipe_is_joined(const struct pipe *p)
{
	return p->users > 1;
}

int pipe_fetch(struct pipe *p, const struct kt_flight *f, int tracefs, struct kt_error *err)
{
	return lines_follow(p->lines, f, tracefs, err);
}

void pipe_rest(struct pipe *p)
{
	lines_rest(p->lines);
}

void pipe_end(struct pipe *p)
{
	lines_rest(p->lines);
	p->is_over = true;
}

void pipe_cut(struct pipe *p)
{
	p->is_cut = true;
}

ssize_t pipe_read(struct pipe *p, size_t size, const char **bytes, struct kt_error *err)
{
	ssize_t n = lines_read(p->lines, size, bytes, err);

	if (n != 0 || (p->is_over && !p->is_cut))
		return n;
	p->is_cut = false;
	return kt_fail(err, p->is_over ? ESTALE : EAGAIN, "it is at its end, for now");
}

bool pipe_is_empty(const struct pipe *p)
{
	return !p->is_over && lines_is_read(p->lines);
}
