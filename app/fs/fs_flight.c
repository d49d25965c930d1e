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
#include "ctypes/btf.h"
#include "events/tracefs.h"
#include "session/flight/flight.h"
#include "session/flight/flight_info.h"

/* Fetches remaining data while the flight is open; pipes with unread data can wait. */
static void fetch_rest(const struct fs_flight *s)
{
	struct kt_error ignored;
	size_t i;

	for (i = 0; i < s->n_pipes && s->flight; i++)
		if (s->pipes[i] && fs_pipe_is_empty(s->pipes[i]))
			fs_pipe_fetch(s->pipes[i], s->flight, s->tracefs, &ignored);
}

static void leave_pipes(struct fs_flight *s)
{
	size_t i;

	for (i = 0; i < s->n_pipes; i++)
		fs_pipe_unref(s->pipes[i]);
	fs_packets_unref(s->packets);
	free(s->pipes);
	s->packets = NULL;
	s->pipes = NULL;
	s->n_pipes = 0;
}

/*
 * Ends all pipes, with what the flight held as far as it can be read. All pipes are fetched before
 * any is released: pipes of packets are released together, and may not find their position again.
 */
static void end_pipes(struct fs_flight *s)
{
	struct kt_error why;
	size_t i;

	for (i = 0; i < s->n_pipes && s->flight; i++)
		if (s->pipes[i] && fs_pipe_fetch(s->pipes[i], s->flight, s->tracefs, &why) < 0)
			fs_pipe_end_cut(s->pipes[i]);
	for (i = 0; i < s->n_pipes; i++)
		if (s->pipes[i])
			fs_pipe_end(s->pipes[i]);
	leave_pipes(s);
}

/* Replaces the flight, or frees it on error. */
static int set_flight(struct fs_flight *s, struct kt_flight *f, struct kt_error *err)
{
	const struct kt_flight_info *info = f ? kt_flight_get_info(f) : NULL;
	uint64_t began = info ? info->began : 0;
	struct fs_tree *tree = fs_tree_new(f, err);

	if (!tree) {
		kt_flight_free(f);
		return -err->code;
	}
	if (began != s->began)
		end_pipes(s);
	fetch_rest(s);
	fs_flight_release(s);
	if (began != s->began) {
		s->number++;
		s->began = began;
		fs_flight_set_consumed(s, NULL);
	}
	s->tree = tree;
	s->flight = f;
	return 0;
}

static int make_btf(struct fs_flight *s, struct kt_error *err)
{
	s->btf = kt_btf_new();
	return s->btf ? 0 : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

int fs_flight_open(struct fs_flight *s, const char *name, struct kt_error *err)
{
	struct kt_flight *f = kt_flight_open(name, err);

	*s = (struct fs_flight){.name = name, .tracefs = f ? kt_tracefs_open(err) : -1};
	if (s->tracefs < 0) {
		kt_flight_free(f);
		return -err->code;
	}
	if (set_flight(s, f, err) == 0 && make_btf(s, err) == 0)
		return 0;
	fs_flight_release(s);
	close(s->tracefs);
	return -err->code;
}

void fs_flight_close(struct fs_flight *s)
{
	fs_flight_release(s);
	fs_flight_set_consumed(s, NULL);
	leave_pipes(s);
	fs_errors_clear(&s->errors);
	kt_btf_free(s->btf);
	close(s->tracefs);
}

void fs_flight_release(struct fs_flight *s)
{
	size_t i;

	for (i = 0; i < s->n_pipes; i++)
		if (s->pipes[i])
			fs_pipe_release(s->pipes[i]);
	fs_tree_free(s->tree);
	kt_flight_free(s->flight);
	s->tree = NULL;
	s->flight = NULL;
}

int fs_flight_lock(struct fs_flight *s, struct kt_error *err)
{
	s->held = kt_flight_lock(s->name, err);
	if (!s->held)
		return -err->code;
	if (kt_flight_get_info(s->held)->began == s->began)
		return 0;
	fs_flight_unlock(s);
	return kt_fail(err, EAGAIN, "another flight recorder '%s' is running now", s->name);
}

void fs_flight_unlock(struct fs_flight *s)
{
	kt_flight_free(s->held);
	s->held = NULL;
}

void fs_flight_set_consumed(struct fs_flight *s, struct fs_text *consumed)
{
	fs_text_free(s->consumed);
	s->consumed = consumed;
}

/* A flight that was left behind, or is being started or stopped, is not running either. */
int fs_flight_reopen(struct fs_flight *s, struct kt_error *err)
{
	struct kt_flight *f = kt_flight_open(s->name, err);

	if (!f && err->code != ENOENT && err->code != ESTALE)
		return -err->code;
	return f || s->flight || !s->tree ? set_flight(s, f, err) : 0;
}

int fs_flight_check(struct fs_flight *s, struct kt_error *err)
{
	if (s->flight && kt_flight_check(s->flight, err) == 0)
		return 0;
	return fs_flight_reopen(s, err);
}

/* Returns NULL on error. */
static struct fs_pipe *make_pipe(struct fs_flight *s, size_t pipe, struct kt_error *err)
{
	if (pipe == FS_FLIGHT_TEXT)
		return fs_pipe_new_text(err);
	if (!s->packets)
		s->packets = fs_packets_new(err);
	return s->packets ? fs_pipe_new_packets(s->packets, pipe - FS_FLIGHT_RINGS, err) : NULL;
}

/* Returns the slot of a pipe, allocating it if needed. NULL on error. */
static struct fs_pipe **get_slot(struct fs_flight *s, size_t pipe, struct kt_error *err)
{
	struct fs_pipe **pipes;

	while (s->n_pipes <= pipe) {
		pipes = kt_grow(s->pipes, s->n_pipes, sizeof(struct fs_pipe *));
		if (!pipes) {
			kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
			return NULL;
		}
		s->pipes = pipes;
		pipes[s->n_pipes++] = NULL;
	}
	return &s->pipes[pipe];
}

static int check_and_fetch(struct fs_flight *s, struct fs_pipe *pipe, struct kt_error *err)
{
	if (fs_flight_check(s, err) < 0)
		return -err->code;
	return fs_pipe_fetch(pipe, s->flight, s->tracefs, err);
}

int fs_flight_fetch(struct fs_flight *s, struct fs_pipe *pipe, struct kt_error *err)
{
	int ret = check_and_fetch(s, pipe, err);

	if (ret == -EAGAIN && fs_flight_reopen(s, err) == 0)
		ret = check_and_fetch(s, pipe, err);
	return ret == -EAGAIN || ret == -EBUSY ? 0 : ret;
}

struct fs_pipe *fs_flight_join(struct fs_flight *s, size_t pipe, struct kt_error *err)
{
	struct fs_pipe **p = get_slot(s, pipe, err), *joined;
	bool is_new = p && !*p;

	if (is_new)
		*p = make_pipe(s, pipe, err);
	if (!p || !*p)
		return NULL;
	joined = fs_pipe_ref(*p);
	if (!is_new || fs_flight_fetch(s, joined, err) == 0)
		return joined;
	fs_pipe_unref(joined);
	return NULL;
}

static bool is_followed(const struct fs_flight *s)
{
	size_t i;

	for (i = 0; i < s->n_pipes; i++)
		if (s->pipes[i] && fs_pipe_is_shared(s->pipes[i]))
			return true;
	return false;
}

bool fs_flight_idle(struct fs_flight *s)
{
	struct kt_error ignored;

	if (is_followed(s)) {
		fs_flight_check(s, &ignored);
		return true;
	}
	fs_flight_release(s);
	return false;
}
