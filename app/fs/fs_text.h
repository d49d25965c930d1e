/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a flight holds, or what was consumed from it, as text that is made while it is read. Until
 * then it is in memory, as a trace without a name.
 *
 *	struct fs_text *l = fs_text_new(&err);
 *
 *	fs_text_add_copy(l, copy, &err);
 *	while ((n = fs_text_read_at(l, from, 4096, &bytes, &err)) > 0) {
 *		fwrite(bytes, 1, n, stdout);
 *		from += n;
 *	}
 *	fs_text_free(l);
 *
 * or the flight is consumed, and the text is read once:
 *
 *	flight = kt_flight_lock("flight", &err);
 *	fs_text_consume(l, flight, tracefs, &err);
 *	kt_flight_free(flight);
 *	while ((n = fs_text_read(l, 4096, &bytes, &err)) > 0)
 *		fwrite(bytes, 1, n, stdout);
 *
 * or the flight is followed:
 *
 *	for (; fs_text_follow(l, flight, tracefs, &err) == 0; sleep(1))
 *		while ((n = fs_text_read(l, 4096, &bytes, &err)) > 0)
 *			fwrite(bytes, 1, n, stdout);
 *	fs_text_release(l);			// before the flight is freed
 */
#ifndef KT_APP_FS_FS_TEXT_H
#define KT_APP_FS_FS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct fs_copy;
struct kt_error;
struct kt_flight;
struct fs_text;

/* Creates an empty text. Returns NULL on error. */
struct fs_text *fs_text_new(struct kt_error *err);
void fs_text_free(struct fs_text *l);

/* Adds the events of a copy (app/fs/fs_copy.h), taking a reference. Returns 0 or -ENOMEM. */
int fs_text_add_copy(struct fs_text *l, struct fs_copy *c, struct kt_error *err);

/*
 * Consumes a locked flight that has a spare: swaps its buffer sets, and appends what they held,
 * after what an interrupted snapshot left. Takes as much memory as the rings until it is read, and
 * as long as `ktrace snapshot`. Returns 0; or -errno (-ENOMEM), and the rest remains in the flight:
 * what was appended must be kept for the next call.
 */
int fs_text_consume(struct fs_text *l, const struct kt_flight *held, int tracefs,
		    struct kt_error *err);

/* Returns whether the last fs_text_consume() was complete. */
bool fs_text_is_complete(const struct fs_text *l);

/*
 * Appends what the flight held and has recorded since; the flight keeps it, and each record is
 * appended once, however often buffer sets are swapped. Must be used for nothing else, and with the
 * same flight, which may be opened again after fs_text_release(). The flight may have ended since
 * the last call, but not since a release. Takes as much memory as the rings until it is read, and
 * some 16 MiB more. Returns 0; or -errno, and the rest follows with the next call: -ENOMEM; -EAGAIN
 * if the flight must be opened again.
 */
int fs_text_follow(struct fs_text *l, const struct kt_flight *f, int tracefs, struct kt_error *err);

/* Frees everything but the unread text. */
void fs_text_release(struct fs_text *l);

/*
 * Reads the next part, up to a size, in whole lines if one fits. It is valid until the next call.
 * Returns its bytes, possibly fewer than there are; 0 at the end for now; or -errno: the rest of
 * one CPU cannot be read, and that of others comes next.
 */
ssize_t fs_text_read(struct fs_text *l, size_t size, const char **bytes, struct kt_error *err);

/* Returns whether everything was read. */
bool fs_text_is_read(struct fs_text *l);

/*
 * Reads from an offset on, in a text that is not consumed. If that part was read before, makes the
 * text again from the beginning.
 */
ssize_t fs_text_read_at(struct fs_text *l, uint64_t from, size_t size, const char **bytes,
			struct kt_error *err);

#endif
