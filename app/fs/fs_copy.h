/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the rings of a flight held at a moment, as a trace in memory. Who asks while nothing has
 * been recorded since shares the newest copy.
 *
 *	struct copies copies = {0};
 *	struct copy *c = copy_share(&copies, flight);
 *
 *	if (!c)
 *		c = copy_make(&copies, flight, tracefs, &err);
 *	read what is in copy_dir(c)
 *	copy_leave(c);
 */
#ifndef KT_APP_FS_FS_COPY_H
#define KT_APP_FS_FS_COPY_H

#include <stdint.h>

struct copy;
struct kt_error;
struct kt_flight;

/* All copies of a flight that are in use. Zero: none. */
struct copies {
	struct copy *newest; /* NULL: it is not in use any more */
	uint64_t bytes;      /* of all of them */
};

/* Returns the newest copy if the rings hold the same now, or NULL. Costs a load for each CPU. */
struct copy *copy_share(struct copies *copies, const struct kt_flight *f);

/*
 * Copies the rings, which go on being written. On error NULL: ENOMEM; EAGAIN: the flight must be
 * opened again.
 */
struct copy *copy_make(struct copies *copies, const struct kt_flight *f, int tracefs,
		       struct kt_error *err);
struct copy *copy_join(struct copy *c);

/* Frees the copy with its last user. */
void copy_leave(struct copy *c);

/* The trace's directory, which stays the copy's, and up to when it is complete. */
int copy_dir(const struct copy *c);
uint64_t copy_until(const struct copy *c);

/* Returns about how many bytes somebody who reads the copy needs besides. */
uint64_t copy_reader_size(const struct copy *c);

#endif
