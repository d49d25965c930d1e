// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/subject.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include "app/fs/lines.h"
#include "app/fs/pipe.h"
#include "app/fs/tree.h"
#include "base/error.h"
#include "catalog/tracefs.h"
#include "session/about.h"
#include "session/flight.h"

/* While the flight is open; but where there is still something to be read it can wait. */
static void fetch_rest(const struct subject *s)
{
	struct kt_error ignored;

	if (s->pipe && s->flight && pipe_is_empty(s->pipe))
		pipe_fetch(s->pipe, s->flight, s->tracefs, &ignored);
}

/* With all that the flight had, as far as it can still be had. */
static void end_pipe(struct subject *s)
{
	struct kt_error why;

	if (!s->pipe)
		return;
	if (s->flight && pipe_fetch(s->pipe, s->flight, s->tracefs, &why) < 0)
		pipe_cut(s->pipe);
	pipe_end(s->pipe);
	pipe_leave(s->pipe);
	s->pipe = NULL;
}

/* The flight is the subject's from then on, or freed. */
static int set(struct subject *s, struct kt_flight *f, struct kt_error *err)
{
	const struct kt_about *about = f ? kt_flight_about(f) : NULL;
	uint64_t began = about ? about->began : 0;
	struct tree *tree = tree_new(about, err);

	if (!tree) {
		kt_flight_free(f);
		return -err->code;
	}
	if (began != s->began)
		end_pipe(s);
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
	pipe_leave(s->pipe);
	close(s->tracefs);
}

void subject_rest(struct subject *s)
{
	if (s->pipe)
		pipe_rest(s->pipe);
	tree_free(s->tree);
	kt_flight_free(s->flight);
	s->tree = NULL;
	s->flight = NULL;
}

int subject_hold(struct subject *s, struct kt_error *err)
{
	s->held = kt_flight_hold(s->name, err);
	if (!s->held)
		return -err->code;
	if (kt_flight_about(s->held)->began == s->began)
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

struct pipe *subject_join(struct subject *s, struct kt_error *err)
{
	if (!s->pipe)
		s->pipe = pipe_new(err);
	return s->pipe ? pipe_join(s->pipe) : NULL;
}

static int look_and_fetch(struct subject *s, struct kt_error *err)
{
	if (subject_look(s, err) < 0)
		return -err->code;
	return s->pipe ? pipe_fetch(s->pipe, s->flight, s->tracefs, err) : 0;
}

int subject_fetch(struct subject *s, struct kt_error *err)
{
	int ret = look_and_fetch(s, err);

	if (ret == -EAGAIN && subject_renew(s, err) == 0)
		ret = look_and_fetch(s, err);
	return ret == -EAGAIN || ret == -EBUSY ? 0 : ret;
}

bool subject_idle(struct subject *s)
{
	struct kt_error ignored;

	if (s->pipe && pipe_is_joined(s->pipe)) {
		subject_look(s, &ignored);
		return true;
	}
	subject_rest(s);
	return false;
}
