/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of what a flight's rings hold at a moment, each as a trace in memory. Readers share the
 * newest copy while nothing has been recorded since.
 *
 *	struct fs_copies copies = {0};
 *	struct fs_copy *c = fs_copies_share(&copies, flight);
 *
 *	if (!c)
 *		c = fs_copies_make(&copies, flight, tracefs, &err);
 *	// read the trace in fs_copy_dir(c)
 *	fs_copy_unref(c);
 */
#ifndef KT_APP_FS_FS_COPY_H
#define KT_APP_FS_FS_COPY_H

#include <stdint.h>

struct fs_copy;
struct kt_error;
struct kt_flight;

/* All copies of a flight that are in use; all zeros: none. */
struct fs_copies {
	struct fs_copy *newest; /* NULL: no longer in use */
	uint64_t bytes;         /* size of all copies */
};

/*
 * Returns the newest copy, with a reference, if the rings still hold the same; else NULL. Costs one
 * load per CPU.
 */
struct fs_copy *fs_copies_share(struct fs_copies *copies, const struct kt_flight *f);

/*
 * Copies the rings while they are written. Returns NULL on error: ENOMEM; EAGAIN: the flight must
 * be opened again.
 */
struct fs_copy *fs_copies_make(struct fs_copies *copies, const struct kt_flight *f, int tracefs,
			       struct kt_error *err);
struct fs_copy *fs_copy_ref(struct fs_copy *c);

/* Drops a reference; the last one frees the copy. */
void fs_copy_unref(struct fs_copy *c);

/*
 * Return the trace's directory, which remains the copy's, and the time up to which the trace is
 * complete.
 */
int fs_copy_dir(const struct fs_copy *c);
uint64_t fs_copy_until(const struct fs_copy *c);

/* Estimates how many more bytes a reader of the copy needs. */
uint64_t fs_copy_reader_size(const struct fs_copy *c);

#endif
