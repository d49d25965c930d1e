/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A place in a ring that is overwritten, and what comes behind it, read while it is being written;
 * doc/ring.md says how that can be. It leaves no mark: there can be any number of them, and
 * whatever else is done with the ring goes on.
 *
 *	struct kt_cursor *c = kt_cursor_new(ring, NULL, &err);
 *	struct kt_packet packet;
 *
 *	while (kt_cursor_next(c, &packet, &err) > 0)
 *		write(fd, packet.records, packet.size);
 *	mark = kt_cursor_mark(c);
 *	kt_cursor_free(c);				// before the ring
 *	...
 *	c = kt_cursor_new(ring, &mark, &err);		// goes on there
 */
#ifndef KT_RING_CURSOR_H
#define KT_RING_CURSOR_H

#include <stddef.h>
#include <stdint.h>

struct kt_cursor;
struct kt_error;
struct kt_packet;
struct kt_ring;

/* Where one is, in a ring that outlives it. */
struct kt_mark {
	uint64_t position; /* of the next record, or a boundary */
	uint64_t taken;    /* records that its sub-buffer has before it */
	uint64_t before;   /* records before it since the ring was cleared */
	uint64_t missed;   /* those of them that were overwritten before it got there */
	uint64_t cleared;  /* up to where the ring was, then */
	uint32_t ring;     /* as the kernel knows it */
};

/*
 * At the mark of an earlier one, in any process; without, NULL, before the oldest record. That of
 * another ring is one of a ring that was cleared. The ring is to outlive it. Memory: a sub-buffer.
 * On error NULL.
 */
struct kt_cursor *kt_cursor_new(const struct kt_ring *ring, const struct kt_mark *mark,
				struct kt_error *err);
void kt_cursor_free(struct kt_cursor *c);

struct kt_mark kt_cursor_mark(const struct kt_cursor *c);

/*
 * What comes next, up to the end of its sub-buffer, or up to the newest record: 1, a copy that is
 * good until the next call; 0: nothing yet; -EAGAIN: somebody is just writing it; -ESTALE: the ring
 * was cleared, what was not read before is not there any more, and nothing ever comes next;
 * -EBADMSG where the ring holds what no program of ours writes. It ends (ring/ring.h) where its
 * sub-buffer was closed, or is open, and ends now. Costs the copy, and a load of each sub-buffer's
 * head where it was too slow; no system call.
 *
 * All that a packet says is missing, what was missed too, is since the ring was made or cleared.
 */
int kt_cursor_next(struct kt_cursor *c, struct kt_packet *packet, struct kt_error *err);

/*
 * Of the last packet only the first records are read, fewer than it has, so many bytes: the others
 * come once more.
 */
void kt_cursor_keep(struct kt_cursor *c, size_t size, size_t n_records);

#endif
