// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/fs_flight.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/fs/fs_packets.h"
#include "app/fs/fs_pipe.h"
#include "app/fs/fs_text.h"
#include "app/fs/fs_tree.h"
#include "base/error.h"
#include "base/grow.h"
#include "events/tracefs.h"
#include "session/flight/flight.h"
#include "session/flight/flight_info.h"

/* While the flight is open; but where there is still something to be read it can wait. */
static void fetch_rest(const struct subject *s)
{
	struct kt_error ignored;
	size_t i;

	for (i = 0; i < s->n_pipes && s->flight; i++)
		if (s->pipes[i] && pipe_is_empty(s->pipes[i]))
			pipe_fetch(s->pipes[i], s->flight, s->tracefs, &ignored);
}

static void leave_pipes(struct subject *s)
{
	size_t i;

	for (i = 0; i < s->n_pipes; i++)
		pipe_leave(s->pipes[i]);
	packets_leave(s->packets);
	free(s->pipes);
	s->packets = NULL;
	s->pipes = NULL;
	s->n_pipes = 0;
}

/*
 * With all that the flight had, as far as it can still be had: by all of them, before any rests, as
 * those of packets rest together, and may find no way back.
 */
static void end_pipes(struct subject *s)
{
	struct kt_error why;
	size_t i;

	for (i = 0; i < s->n_pipes && s->flight; i++)
		if (s->pipes[i] && pipe_fetch(s->pipes[i], s->flight, s->tracefs, &why) < 0)
			pipe_cut(s->pipes[i]);
	for (i = 0; i < s->n_pipes; i++)
		if (s->pipes[i])
			pipe_end(s->pipes[i]);
	leave_pipes(s);
}

/* The flight is the subject's from then on, or freed. */
static int set(struct subject *s, struct kt_flight *f, struct kt_error *err)
{
	const struct kt_flight_info *info = f ? kt_flight_get_info(f) : NULL;
	uint64_t began = info ? info->began : 0;
	struct tree *tree = tree_new(f, err);

	if (!tree) {
		kt_flight_free(f);
		return -err->code;
	}
	if (began != s->began)
		end_pipes(s);
	fetch_rest(s);
	subject_rest(s);
	if (began != s->began) {
		s->number++;
		s->began = began;
		subject_set_taken(s, NULL);
	}
	s->tree = tree;
	s->flight = f;
	return 0;
}

int subject_open(struct subject *s, const char *name, struct kt_error *err)
{
	struct kt_flight *f = kt_flight_open(name, err);

	*s = (struct subject){.name = name, .tracefs = f ? kt_tracefs_open(err) : -1};
	if (s->tracefs >= 0 && set(s, f, err) == 0)
		return 0;
	if (s->tracefs < 0)
		kt_flight_free(f);
	else
		close(s->tracefs);
	return -err->code;
}

void subject_close(struct subject *s)
{
	subject_rest(s);
	subject_set_taken(s, NULL);
	leave_pipes(s);
	close(s->tracefs);
}

void subject_rest(struct subject *s)
{
	size_t i;

	for (i = 0; i < s->n_pipes; i++)
		if (s->pipes[i])
			pipe_rest(s->pipes[i]);
	tree_free(s->tree);
	kt_flight_free(s->flight);
	s->tree = NULL;
	s->flight = NULL;
}

int subject_hold(struct subject *s, struct kt_error *err)
{
	s->held = kt_flight_lock(s->name, err);
	if (!s->held)
		return -err->code;
	if (kt_flight_get_info(s->held)->began == s->began)
		return 0;
	subject_let_go(s);
	return kt_fail(err, EAGAIN, "another session '%s' is running now", s->name);
}

void subject_let_go(struct subject *s)
{
	kt_flight_free(s->held);
	s->held = NULL;
}

void subject_set_taken(struct subject *s, struct lines *taken)
{
	lines_free(s->taken);
	s->taken = taken;
}

/* One that was left behind, or is just being started or stopped, does not run either. */
int subject_renew(struct subject *s, struct kt_error *err)
{
	struct kt_flight *f = kt_flight_open(s->name, err);

	if (!f && err->code != ENOENT && err->code != ESTALE)
		return -err->code;
	return f || s->flight || !s->tree ? set(s, f, err) : 0;
}

int subject_look(struct subject *s, struct kt_error *err)
{
	if (s->flight && kt_flight_check(s->flight, err) == 0)
		return 0;
	return subject_renew(s, err);
}

/* On error NULL. */
static struct pipe *make_pipe(struct subject *s, size_t pipe, struct kt_error *err)
{
	if (pipe == SUBJECT_TEXT)
		return pipe_of_lines(err);
	if (!s->packets)
		s->packets = packets_new(err);
	return s->packets ? pipe_of_packets(s->packets, pipe - SUBJECT_RINGS, err) : NULL;
}

/* Where there is one, or is to be. On error NULL. */
static struct pipe **make_room(struct subject *s, size_t pipe, struct kt_error *err)
{
	struct pipe **pipes;

	while (s->n_pipes <= pipe) {
		pipes = kt_grow(s->pipes, s->n_pipes, sizeof(struct pipe *));
		if (!pipes) {
			kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
			return NULL;
		}
		s->pipes = pipes;
		pipes[s->n_pipes++] = NULL;
	}
	return &s->pipes[pipe];
}

static int look_and_fetch(struct subject *s, struct pipe *pipe, struct kt_error *err)
{
	if (subject_look(s, err) < 0)
		return -err->code;
	return pipe_fetch(pipe, s->flight, s->tracefs, err);
}

int subject_fetch(struct subject *s, struct pipe *pipe, struct kt_error *err)
{
	int ret = look_and_fetch(s, pipe, err);

	if (ret == -EAGAIN && subject_renew(s, err) == 0)
		ret = look_and_fetch(s, pipe, err);
	return ret == -EAGAIN || ret == -EBUSY ? 0 : ret;
}

struct pipe *subject_join(struct subject *s, size_t pipe, struct kt_error *err)
{
	struct pipe **p = make_room(s, pipe, err), *joined;
	bool is_new = p && !*p;

	if (is_new)
		*p = make_pipe(s, pipe, err);
	if (!p || !*p)
		return NULL;
	joined = pipe_join(*p);
	if (!is_new || subject_fetch(s, joined, err) == 0)
		return joined;
	pipe_leave(joined);
	return NULL;
}

static bool is_followed(const struct subject *s)
{
	size_t i;

	for (i = 0; i < s->n_pipes; i++)
		if (s->pipes[i] && pipe_is_joined(s->pipes[i]))
			return true;
	return false;
}

bool subject_idle(struct subject *s)
{
	struct kt_error ignored;

	if (is_followed(s)) {
		subject_look(s, &ignored);
		return true;
	}
	subject_rest(s);
	return false;
}
