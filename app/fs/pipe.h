/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was taken out of a flight, as text that is read once, from wherever it was read to before.
 * Until then it is in memory, as a trace that has no name anywhere and goes with the process.
 *
 *	struct pipe *p = pipe_new(&err);
 *
 *	flight = kt_flight_hold("flight", &err);
 *	pipe_take(p, flight, tracefs, &err);
 *	kt_flight_free(flight);
 *	while ((n = pipe_read(p, 4096, &bytes, &err)) > 0)
 *		fwrite(bytes, 1, n, stdout);
 *	pipe_free(p);
 */
#ifndef KT_APP_FS_PIPE_H
#define KT_APP_FS_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct kt_error;
struct kt_flight;
struct pipe;

/* An empty one. On error NULL. */
struct pipe *pipe_new(struct kt_error *err);
void pipe_free(struct pipe *p);

/*
 * Puts behind what is in it what the flight holds, which is turned for that, and has to have a
 * spare; and before that what a snapshot that was interrupted was to take. It takes as much memory
 * as there is in the rings, and as long as `ktrace snapshot`. 0; or -errno, -ENOMEM, and what is
 * not in it is kept in the flight: some may be in it, so it is to be kept as well, for the next
 * time.
 */
int pipe_take(struct pipe *p, const struct kt_flight *held, int tracefs, struct kt_error *err);

/* Whether that has been done, the last time. */
bool pipe_is_whole(const struct pipe *p);

/*
 * What comes next, up to that size, which remains the pipe's: how many bytes, fewer also where more
 * are to come; 0 at the end. -errno: a CPU's rest cannot be read, and the others' is next.
 */
ssize_t pipe_read(struct pipe *p, size_t size, const char **bytes, struct kt_error *err);

#endif
