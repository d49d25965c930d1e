/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each ring of a flight holds, and what comes, as packets of CTF (doc/trace.md), each to be
 * read once. Until then it is in memory.
 *
 *	struct packets *p = packets_new(&err);
 *
 *	for (; packets_follow(p, ring, flight, tracefs, &err) == 0; sleep(1))
 *		while ((n = packets_read(p, ring, 65536, &bytes, &err)) > 0)
 *			fwrite(bytes, 1, n, stdout);
 *	packets_rest(p);			// before the flight is freed
 *	packets_leave(p);
 */
#ifndef KT_APP_FS_FS_PACKETS_H
#define KT_APP_FS_FS_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct kt_error;
struct kt_flight;
struct packets;

/* None as yet. They go with the last who leaves them. On error NULL. */
struct packets *packets_new(struct kt_error *err);
struct packets *packets_join(struct packets *p);
void packets_leave(struct packets *p);

/*
 * Puts behind what is there what the ring, of whichever bank, held and was not there yet, and then
 * what has come since: nothing of it is taken, each hit is there once, and what could not be had is
 * told as lost. It is always the same flight, as of lines_follow (app/fs/fs_text.h). It takes as
 * much memory as there is in the ring, until that has been read. 0; or -errno, -ENOMEM, and what is
 * not there comes the next time: of these -EAGAIN: the flight is to be opened once more.
 */
int packets_follow(struct packets *p, size_t ring, const struct kt_flight *f, int tracefs,
		   struct kt_error *err);

/* What there is to be read remains, and nothing of the flight is open. */
void packets_rest(struct packets *p);

/*
 * What comes next of a ring's, up to that size: whole packets where one fits, and otherwise some of
 * one, the rest of which comes next, alone. It remains theirs until the next call, of whichever
 * ring. How many bytes, 0 at the end, as by now; or -errno.
 */
ssize_t packets_read(struct packets *p, size_t ring, size_t size, const char **bytes,
		     struct kt_error *err);

/* Whether that is at its end. */
bool packets_is_read(const struct packets *p, size_t ring);

#endif
