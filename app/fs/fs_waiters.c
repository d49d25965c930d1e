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
 * Nothing tells that there is something: it is looked for, so often. Each look, and what is done by
 * those who wait, can be hits again.
 */
enum { MS = 1000000, EVERY = 50 * MS };

struct waiter {
	struct waiter *next;
	struct opened *opened;
	fuse_req_t req; /* who reads; NULL: */
	size_t size;
	struct fuse_pollhandle *poll; /* who is to be told */
};

struct queue {
	struct subject *subject;
	struct waiter *first;
	uint64_t looked;
};

struct queue *queue_new(struct subject *s, struct kt_error *err)
{
	struct queue *q = calloc(1, sizeof(*q));

	if (!q) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	q->subject = s;
	return q;
}

/* The first from there on of a file, or whose ever. */
static struct waiter **find(struct waiter **at, const struct opened *o)
{
	while (*at && o && (*at)->opened != o)
		at = &(*at)->next;
	return at;
}

static void take_out(struct waiter **at)
{
	struct waiter *w = *at;

	*at = w->next;
	if (w->poll)
		fuse_pollhandle_destroy(w->poll);
	free(w);
}

void queue_forget(struct queue *q, const struct opened *o)
{
	struct waiter **at = &q->first;

	while (*(at = find(at, o)))
		take_out(at);
}

void queue_end(struct queue *q)
{
	const struct waiter *w;

	for (w = q->first; w; w = w->next)
		if (w->req)
			fuse_reply_buf(w->req, NULL, 0);
	queue_forget(q, NULL);
}

void queue_free(struct queue *q)
{
	free(q);
}

/* Whether it is. */
static bool answer_read(struct queue *q, const struct waiter *w, bool looks)
{
	struct kt_error err;
	const char *bytes;
	ssize_t n = opened_wait(w->opened, q->subject, looks, w->size, &bytes, &err);

	if (n == -EAGAIN)
		return false;
	if (n < 0)
		fuse_reply_err(w->req, -n);
	else
		fuse_reply_buf(w->req, n ? bytes : NULL, n);
	return true;
}

static bool answer(struct queue *q, const struct waiter *w, bool looks)
{
	if (w->req && fuse_req_interrupted(w->req)) {
		fuse_reply_err(w->req, EINTR);
		return true;
	}
	if (w->req)
		return answer_read(q, w, looks);
	if (!opened_is_ready(w->opened, q->subject, looks))
		return false;
	fuse_lowlevel_notify_poll(w->poll);
	return true;
}

static bool is_due(const struct queue *q)
{
	return kt_clock_now() - q->looked >= EVERY;
}

void queue_go_on(struct queue *q)
{
	bool looks = is_due(q);
	struct waiter **at = &q->first;

	if (!*at)
		return;
	while (*at)
		if (answer(q, *at, looks))
			take_out(at);
		else
			at = &(*at)->next;
	if (looks)
		q->looked = kt_clock_now();
}

/* The last one, behind those who wait already. */
static struct waiter *append(struct queue *q, struct opened *o)
{
	struct waiter **at = &q->first;

	while (*at)
		at = &(*at)->next;
	*at = calloc(1, sizeof(**at));
	if (*at)
		(*at)->opened = o;
	return *at;
}

void queue_read(struct queue *q, fuse_req_t req, struct opened *o, size_t size)
{
	struct waiter *w = append(q, o);

	if (!w) {
		fuse_reply_err(req, ENOMEM);
		return;
	}
	w->req = req;
	w->size = size;
	queue_go_on(q);
}

/* One of a file is enough, whoever polls it. */
static int append_handle(struct queue *q, struct opened *o, struct fuse_pollhandle *handle)
{
	struct waiter **at = &q->first, *w;

	while (*(at = find(at, o)) && !(*at)->poll)
		at = &(*at)->next;
	w = *at ? *at : append(q, o);
	if (!w || w->poll)
		fuse_pollhandle_destroy(w ? w->poll : handle);
	if (w)
		w->poll = handle;
	return w ? 0 : -ENOMEM;
}

void queue_poll(struct queue *q, fuse_req_t req, struct opened *o, struct fuse_pollhandle *handle)
{
	bool looks = is_due(q), is_ready = opened_is_ready(o, q->subject, looks || !handle);

	if (looks)
		q->looked = kt_clock_now();
	if (handle && !is_ready && append_handle(q, o, handle) < 0)
		fuse_reply_err(req, ENOMEM);
	else if (!opened_can_wait(o))
		fuse_reply_poll(req, POLLIN | POLLRDNORM | POLLOUT | POLLWRNORM);
	else
		fuse_reply_poll(req, is_ready ? POLLIN | POLLRDNORM : 0);
	if (handle && is_ready)
		fuse_pollhandle_destroy(handle);
}

int queue_timeout(const struct queue *q)
{
	uint64_t passed = kt_clock_now() - q->looked;

	return !q->first ? -1 : passed < EVERY ? (int)((EVERY - passed + MS - 1) / MS) : 0;
}
