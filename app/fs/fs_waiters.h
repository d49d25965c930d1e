/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Readers and pollers that wait for text.
 *
 *	fs_waiters_add_read(q, req, handle, size);
 *	while (poll(&device, 1, fs_waiters_timeout(q)) == 0)
 *		fs_waiters_answer(q);
 */
#ifndef KT_APP_FS_FS_WAITERS_H
#define KT_APP_FS_FS_WAITERS_H

#include <stddef.h>

struct fuse_pollhandle;
struct fuse_req;
struct kt_error;
struct fs_handle;
struct fs_waiters;
struct fs_flight;

/* Creates an empty list; it must be empty when freed. Returns NULL on error. */
struct fs_waiters *fs_waiters_new(struct fs_flight *s, struct kt_error *err);
void fs_waiters_free(struct fs_waiters *q);

/* Answers all readers with end-of-file. */
void fs_waiters_end(struct fs_waiters *q);

/* Add a reader, which is answered now or later; or a poller, which is notified. */
void fs_waiters_add_read(struct fs_waiters *q, struct fuse_req *req, struct fs_handle *o,
			 size_t size);
void fs_waiters_add_poll(struct fs_waiters *q, struct fuse_req *req, struct fs_handle *o,
			 struct fuse_pollhandle *handle);

/* Removes all waiters of a handle, which is about to be closed. */
void fs_waiters_remove(struct fs_waiters *q, const struct fs_handle *o);

/* Returns the ms until fs_waiters_answer() must be called; -1: nobody waits. */
int fs_waiters_timeout(const struct fs_waiters *q);

/* Answers waiters that can be answered or were interrupted; must be called after each request. */
void fs_waiters_answer(struct fs_waiters *q);

#endif
