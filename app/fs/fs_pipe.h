/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a flight holds and what comes, as text for whoever reads next: each line once, however many
 * read, until the flight has ended. Or one of its rings, as packets.
 *
 *	struct pipe *p = pipe_of_lines(&err);
 *
 *	do
 *		pipe_fetch(p, flight, tracefs, &err);
 *	while ((n = pipe_read(p, size, &bytes, &err)) == -EAGAIN);
 *	...
 *	pipe_rest(p);				// before the flight is freed
 *	pipe_leave(p);
 */
#ifndef KT_APP_FS_FS_PIPE_H
#define KT_APP_FS_FS_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct kt_error;
struct kt_flight;
struct packets;
struct pipe;

/*
 * It goes with the last who leaves it, of the one who has made it and those who have joined. Of
 * packets, which it joins, those of that ring. On error NULL.
 */
struct pipe *pipe_of_lines(struct kt_error *err);
struct pipe *pipe_of_packets(struct packets *packets, size_t ring, struct kt_error *err);
struct pipe *pipe_join(struct pipe *p);
void pipe_leave(struct pipe *p);

/* Whether there are others than the one. */
bool pipe_is_joined(const struct pipe *p);

/*
 * What came since the last time, and what costs memory for it: as lines_follow, lines_rest. Behind
 * its end nothing comes.
 */
int pipe_fetch(struct pipe *p, const struct kt_flight *f, int tracefs, struct kt_error *err);
void pipe_rest(struct pipe *p);

/* Nothing more comes. */
void pipe_end(struct pipe *p);

/* At its end something is missing that cannot be had: who reads it on is told, by ESTALE. */
void pipe_cut(struct pipe *p);

/* As lines_read, or packets_read; 0: it has ended; -EAGAIN: there is nothing as yet. */
ssize_t pipe_read(struct pipe *p, size_t size, const char **bytes, struct kt_error *err);

/* Whether that is so. */
bool pipe_is_empty(const struct pipe *p);

#endif
