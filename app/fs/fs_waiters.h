/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Those who wait until there is something to be read.
 *
 *	queue_read(q, req, opened, size);
 *	while (poll(&device, 1, queue_timeout(q)) == 0)
 *		queue_go_on(q);
 */
#ifndef KT_APP_FS_FS_WAITERS_H
#define KT_APP_FS_FS_WAITERS_H

#include <stddef.h>

struct fuse_pollhandle;
struct fuse_req;
struct kt_error;
struct opened;
struct queue;
struct subject;

/* Empty when it is freed. On error NULL. */
struct queue *queue_new(struct subject *s, struct kt_error *err);
void queue_free(struct queue *q);

/* Who waits gets to the end. */
void queue_end(struct queue *q);

/* One reads, and is answered now or later; or wants to know once he could. */
void queue_read(struct queue *q, struct fuse_req *req, struct opened *o, size_t size);
void queue_poll(struct queue *q, struct fuse_req *req, struct opened *o,
		struct fuse_pollhandle *handle);

/* It is going to be closed. */
void queue_forget(struct queue *q, const struct opened *o);

/* ms until it is to go on; -1: nobody waits. */
int queue_timeout(const struct queue *q);

/* Answers those who can be, or who do not want to wait any more; to be called after a request. */
void queue_go_on(struct queue *q);

#endif
