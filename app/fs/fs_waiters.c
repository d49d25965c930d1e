// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/fs_waiters.h"

#define FUSE_USE_VERSION 35

#include <errno.h>
#include <fuse3/fuse_lowlevel.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/fs/fs_handle.h"
#include "base/clock.h"
#include "base/error.h"

/*
 * No event announces new records, so the flight is checked at this interval. Each check, and what
 * woken readers do, may be recorded, too.
 */
enum { MS = 1000000, INTERVAL = 50 * MS };

struct waiter {
	struct waiter *next;
	struct fs_handle *handle;
	fuse_req_t req; /* of a reader; NULL: */
	size_t size;
	struct fuse_pollhandle *poll; /* of a poller */
};

struct fs_waiters {
	struct fs_flight *fs;
	struct waiter *first;
	uint64_t fetched;
};

struct fs_waiters *fs_waiters_new(struct fs_flight *s, struct kt_error *err)
{
	struct fs_waiters *q = calloc(1, sizeof(*q));

	if (!q) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	q->fs = s;
	return q;
}

/* Returns the first waiter from there on of a handle, or of any. */
static struct waiter **find_waiter(struct waiter **at, const struct fs_handle *o)
{
	while (*at && o && (*at)->handle != o)
		at = &(*at)->next;
	return at;
}

static void remove_waiter(struct waiter **at)
{
	struct waiter *w = *at;

	*at = w->next;
	if (w->poll)
		fuse_pollhandle_destroy(w->poll);
	free(w);
}

void fs_waiters_remove(struct fs_waiters *q, const struct fs_handle *o)
{
	struct waiter **at = &q->first;

	while (*(at = find_waiter(at, o)))
		remove_waiter(at);
}

void fs_waiters_end(struct fs_waiters *q)
{
	const struct waiter *w;

	for (w = q->first; w; w = w->next)
		if (w->req)
			fuse_reply_buf(w->req, NULL, 0);
	fs_waiters_remove(q, NULL);
}

void fs_waiters_free(struct fs_waiters *q)
{
	free(q);
}

/* Returns whether it was answered. */
static bool answer_read(struct fs_waiters *q, const struct waiter *w, bool fetches)
{
	struct kt_error err;
	const char *bytes;
	ssize_t n = fs_handle_wait(w->handle, q->fs, fetches, w->size, &bytes, &err);

	if (n == -EAGAIN)
		return false;
	if (n < 0)
		fuse_reply_err(w->req, -n);
	else
		fuse_reply_buf(w->req, n ? bytes : NULL, n);
	return true;
}

static bool answer_waiter(struct fs_waiters *q, const struct waiter *w, bool fetches)
{
	if (w->req && fuse_req_interrupted(w->req)) {
		fuse_reply_err(w->req, EINTR);
		return true;
	}
	if (w->req)
		return answer_read(q, w, fetches);
	if (!fs_handle_is_ready(w->handle, q->fs, fetches))
		return false;
	fuse_lowlevel_notify_poll(w->poll);
	return true;
}

static bool is_due(const struct fs_waiters *q)
{
	return kt_clock_now() - q->fetched >= INTERVAL;
}

void fs_waiters_answer(struct fs_waiters *q)
{
	bool fetches = is_due(q);
	struct waiter **at = &q->first;

	if (!*at)
		return;
	while (*at)
		if (answer_waiter(q, *at, fetches))
			remove_waiter(at);
		else
			at = &(*at)->next;
	if (fetches)
		q->fetched = kt_clock_now();
}

/* Appends a waiter and returns it. */
static struct waiter *append_waiter(struct fs_waiters *q, struct fs_handle *o)
{
	struct waiter **at = &q->first;

	while (*at)
		at = &(*at)->next;
	*at = calloc(1, sizeof(**at));
	if (*at)
		(*at)->handle = o;
	return *at;
}

void fs_waiters_add_read(struct fs_waiters *q, fuse_req_t req, struct fs_handle *o, size_t size)
{
	struct waiter *w = append_waiter(q, o);

	if (!w) {
		fuse_reply_err(req, ENOMEM);
		return;
	}
	w->req = req;
	w->size = size;
	fs_waiters_answer(q);
}

/* One handle per file is enough, however many poll it. */
static int append_handle(struct fs_waiters *q, struct fs_handle *o, struct fuse_pollhandle *handle)
{
	struct waiter **at = &q->first, *w;

	while (*(at = find_waiter(at, o)) && !(*at)->poll)
		at = &(*at)->next;
	w = *at ? *at : append_waiter(q, o);
	if (!w || w->poll)
		fuse_pollhandle_destroy(w ? w->poll : handle);
	if (w)
		w->poll = handle;
	return w ? 0 : -ENOMEM;
}

void fs_waiters_add_poll(struct fs_waiters *q, fuse_req_t req, struct fs_handle *o,
			 struct fuse_pollhandle *handle)
{
	bool fetches = is_due(q), is_ready = fs_handle_is_ready(o, q->fs, fetches || !handle);

	if (fetches)
		q->fetched = kt_clock_now();
	if (handle && !is_ready && append_handle(q, o, handle) < 0)
		fuse_reply_err(req, ENOMEM);
	else if (!fs_handle_can_wait(o))
		fuse_reply_poll(req, POLLIN | POLLRDNORM | POLLOUT | POLLWRNORM);
	else
		fuse_reply_poll(req, is_ready ? POLLIN | POLLRDNORM : 0);
	if (handle && is_ready)
		fuse_pollhandle_destroy(handle);
}

int fs_waiters_timeout(const struct fs_waiters *q)
{
	uint64_t passed = kt_clock_now() - q->fetched;

	return !q->first ? -1 : passed < INTERVAL ? (int)((INTERVAL - passed + MS - 1) / MS) : 0;
}
