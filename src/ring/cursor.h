/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A place in a ring that is overwritten, and what comes behind it, read while it is being written;
 * doc/ring.md says how that can be. It leaves no mark: there can be any number of them, and
 * whatever else is done with the ring goes on.
 *
 *	struct kt_cursor *c = kt_cursor_new(ring, &err);
 *	struct kt_packet packet;
 *
 *	while (kt_cursor_next(c, &packet, &err) > 0)
 *		write(fd, packet.records, packet.size);
 *	kt_cursor_free(c);				// before the ring
 */
#ifndef KT_RING_CURSOR_H
#define KT_RING_CURSOR_H

#include <stdint.h>

struct kt_cursor;
struct kt_error;
struct kt_packet;
struct kt_ring;

/* Before the oldest record. The ring is to outlive it. Memory: a sub-buffer. On error NULL. */
struct kt_cursor *kt_cursor_new(const struct kt_ring *ring, struct kt_error *err);
void kt_cursor_free(struct kt_cursor *c);

/*
 * What comes next, up to the end of its sub-buffer, or up to the newest record: 1, a copy that is
 * good until the next call; 0: nothing yet; -EAGAIN: somebody is just writing it; -EBADMSG where
 * the ring holds what no program of ours writes. It ends (ring/ring.h) where its sub-buffer was
 * closed, or is open, and ends now. Costs the copy, and a load of each sub-buffer's head where it
 * was too slow; no system call.
 *
 * All that a packet says is missing, and what was missed, is since the ring was made or cleared. Of
 * one that is cleared what was not read before is not there any more, and is not counted.
 */
int kt_cursor_next(struct kt_cursor *c, struct kt_packet *packet, struct kt_error *err);

/* How many records were overwritten before it got there, those before it began among them. */
uint64_t kt_cursor_missed(const struct kt_cursor *c);

#endif
