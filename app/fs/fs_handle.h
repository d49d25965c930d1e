/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An open file of the control tree, with its text.
 *
 *	struct fs_handle *o = fs_handle_new(&err);
 *
 *	fs_handle_fill(o, &fs, node, false, &err);
 *	n = fs_handle_read(o, &fs, from, size, &bytes, &err);
 *	fs_handle_free(o);
 */
#ifndef KT_APP_FS_FS_HANDLE_H
#define KT_APP_FS_FS_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct kt_error;
struct fs_handle;
struct fs_node;
struct fs_flight;

/* Creates a handle without text. Returns NULL on error. */
struct fs_handle *fs_handle_new(struct kt_error *err);
void fs_handle_free(struct fs_handle *o);

/*
 * Makes the file's present text, if it has one. Texts and copies of rings stay in memory until the
 * handle is closed: when open ones take FS_HANDLES_MIN bytes and FS_HANDLES_RINGS times the
 * flight's rings, limited users get -ENFILE. Returns 0 or -errno, as the file's row.
 */
enum { FS_HANDLES_MIN = 64 << 20, FS_HANDLES_RINGS = 4 };

int fs_handle_fill(struct fs_handle *o, struct fs_flight *s, const struct fs_node *p,
		   bool is_limited, struct kt_error *err);

/* Returns whether the text is shared by all readers, and read once. */
bool fs_handle_is_shared(const struct fs_handle *o);

/* Returns whether reading may have to wait; other files always have text or an end. */
bool fs_handle_can_wait(const struct fs_handle *o);

/*
 * Returns whether there is text, an end, or an error, as of the last check of the flight; with
 * `fetches`, checks it now.
 */
bool fs_handle_is_ready(const struct fs_handle *o, struct fs_flight *s, bool fetches);

/*
 * Reads text from an offset on, up to a size; from a shared text the next part. It is valid until
 * the next call. Returns its bytes, 0 at the end; or -errno: -EAGAIN if there is nothing yet.
 */
ssize_t fs_handle_read(struct fs_handle *o, struct fs_flight *s, off_t from, size_t size,
		       const char **bytes, struct kt_error *err);

/*
 * Reads as a reader that would wait; checks the flight only with `fetches`. A reader that has got
 * something is at the end when recording is off.
 */
ssize_t fs_handle_wait(struct fs_handle *o, struct fs_flight *s, bool fetches, size_t size,
		       const char **bytes, struct kt_error *err);

#endif
