/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a flight holds, or what was taken out of it, as text that is made as it is read. Until then
 * it is in memory, as a trace that has no name anywhere and goes with the process.
 *
 *	struct lines *l = lines_new(&err);
 *
 *	lines_show(l, copy, &err);
 *	while ((n = lines_read_at(l, from, 4096, &bytes, &err)) > 0) {
 *		fwrite(bytes, 1, n, stdout);
 *		from += n;
 *	}
 *	lines_free(l);
 *
 * or what is taken is read once, from wherever it was read to before:
 *
 *	flight = kt_flight_lock("flight", &err);
 *	lines_take(l, flight, tracefs, &err);
 *	kt_flight_free(flight);
 *	while ((n = lines_read(l, 4096, &bytes, &err)) > 0)
 *		fwrite(bytes, 1, n, stdout);
 *
 * or it is followed, as it goes on:
 *
 *	for (; lines_follow(l, flight, tracefs, &err) == 0; sleep(1))
 *		while ((n = lines_read(l, 4096, &bytes, &err)) > 0)
 *			fwrite(bytes, 1, n, stdout);
 *	lines_rest(l);				// before the flight is freed
 */
#ifndef KT_APP_FS_FS_TEXT_H
#define KT_APP_FS_FS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct copy;
struct kt_error;
struct kt_flight;
struct lines;

/* None as yet. On error NULL. */
struct lines *lines_new(struct kt_error *err);
void lines_free(struct lines *l);

/* Adds the events of a copy (app/fs/fs_copy.h), which it joins. 0 or -ENOMEM. */
int lines_show(struct lines *l, struct copy *c, struct kt_error *err);

/*
 * Puts behind what is there what the flight holds, which is turned for that, and has to have a
 * spare; and before that what a snapshot that was interrupted was to take. It takes as much memory
 * as there is in the rings, until it is read, and as long as `ktrace snapshot`. 0; or -errno,
 * -ENOMEM, and what is not there is kept in the flight: some may be there, so these are to be kept
 * as well, for the next time.
 */
int lines_take(struct lines *l, const struct kt_flight *held, int tracefs, struct kt_error *err);

/* Whether that has been done, the last time. */
bool lines_is_whole(const struct lines *l);

/*
 * Puts behind what is there what the flight holds that was not there yet, and then what has come
 * since: nothing of it is taken, and each hit is there once, however often it is turned. For lines
 * that nothing else is in. It is always the same flight, which may have been opened anew since they
 * rested, and may have ended since the last call, but not since they rested. It takes as much
 * memory as there is in the rings, until that has been read, and some 16 MiB more. 0; or -errno,
 * -ENOMEM, and what is not there comes the next time: of these -EAGAIN: the flight is to be opened
 * once more.
 */
int lines_follow(struct lines *l, const struct kt_flight *f, int tracefs, struct kt_error *err);

/* What there is to be read remains, and no memory is kept besides. */
void lines_rest(struct lines *l);

/*
 * What comes next, up to that size, in whole lines where one fits; it remains theirs until the next
 * call: how many bytes, fewer also where more are to come; 0 at the end, as by now. -errno: a CPU's
 * rest cannot be read, and the others' is next.
 */
ssize_t lines_read(struct lines *l, size_t size, const char **bytes, struct kt_error *err);

/* Whether that is at its end. */
bool lines_is_read(struct lines *l);

/*
 * The same from that byte on, of what was not taken. Where that has been read already it begins
 * anew and makes all that is before.
 */
ssize_t lines_read_at(struct lines *l, uint64_t from, size_t size, const char **bytes,
		      struct kt_error *err);

#endif
