/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a flight holds and records, as text, or one ring as packets; each line or packet is read
 * once, however many readers there are, until the flight ends.
 *
 *	struct fs_pipe *p = fs_pipe_new_text(&err);
 *
 *	do
 *		fs_pipe_fetch(p, flight, tracefs, &err);
 *	while ((n = fs_pipe_read(p, size, &bytes, &err)) == -EAGAIN);
 *	...
 *	fs_pipe_release(p);			// before the flight is freed
 *	fs_pipe_unref(p);
 */
#ifndef KT_APP_FS_FS_PIPE_H
#define KT_APP_FS_FS_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct kt_error;
struct kt_flight;
struct fs_packets;
struct fs_pipe;

/*
 * Create a pipe of text, or of the packets of one ring, of which it takes a reference.
 * fs_pipe_unref() drops the first reference, or one of fs_pipe_ref(); the last one frees the pipe.
 * Return NULL on error.
 */
struct fs_pipe *fs_pipe_new_text(struct kt_error *err);
struct fs_pipe *fs_pipe_new_packets(struct fs_packets *packets, size_t ring, struct kt_error *err);
struct fs_pipe *fs_pipe_ref(struct fs_pipe *p);
void fs_pipe_unref(struct fs_pipe *p);

/* Returns whether it has more than one reference. */
bool fs_pipe_is_shared(const struct fs_pipe *p);

/*
 * Fetch what was recorded since, and free what that needed: see fs_text_follow() and
 * fs_text_release(). After the end nothing is fetched.
 */
int fs_pipe_fetch(struct fs_pipe *p, const struct kt_flight *f, int tracefs, struct kt_error *err);
void fs_pipe_release(struct fs_pipe *p);

/* Ends the pipe: nothing more comes. */
void fs_pipe_end(struct fs_pipe *p);

/* Ends the pipe with a loss: its readers get ESTALE at the end. */
void fs_pipe_end_cut(struct fs_pipe *p);

/* Reads as fs_text_read() or fs_packets_read(); 0: it has ended; -EAGAIN: there is nothing yet. */
ssize_t fs_pipe_read(struct fs_pipe *p, size_t size, const char **bytes, struct kt_error *err);

/* Returns whether there is nothing to read now. */
bool fs_pipe_is_empty(const struct fs_pipe *p);

#endif
