/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A read position in a ring in overwrite mode, while it is being written (doc/ring.md). A cursor
 * changes nothing in the ring: there can be any number of them.
 *
 *	struct kt_cursor *c = kt_cursor_new(ring, NULL, &err);
 *	struct kt_packet packet;
 *
 *	while (kt_cursor_next(c, &packet, &err) > 0)
 *		write(fd, packet.records, packet.size);
 *	mark = kt_cursor_mark(c);
 *	kt_cursor_free(c);				// before the ring
 *	...
 *	c = kt_cursor_new(ring, &mark, &err);		// continues there
 */
#ifndef KT_RING_CURSOR_H
#define KT_RING_CURSOR_H

#include <stddef.h>
#include <stdint.h>

struct kt_cursor;
struct kt_error;
struct kt_packet;
struct kt_ring;

/* A saved position; the ring outlives it. */
struct kt_mark {
	uint64_t position; /* of the next record, or a sub-buffer boundary */
	uint64_t taken;    /* records before it in its sub-buffer */
	uint64_t before;   /* records before it since the ring was cleared */
	uint64_t missed;   /* records that were overwritten before the cursor reached them */
	uint64_t cleared;  /* position up to which the ring had been cleared */
	uint32_t ring;     /* the kernel's id of the ring */
};

/*
 * Starts at a mark of an earlier cursor of any process, or (NULL) at the oldest record. A mark of
 * another ring counts as one of a ring that was cleared. The ring must outlive the cursor. Takes
 * memory for a sub-buffer. Returns NULL on error.
 */
struct kt_cursor *kt_cursor_new(const struct kt_ring *ring, const struct kt_mark *mark,
				struct kt_error *err);
void kt_cursor_free(struct kt_cursor *c);

struct kt_mark kt_cursor_mark(const struct kt_cursor *c);

/*
 * Copies the next records, up to the end of their sub-buffer or the newest record. Returns 1 and a
 * packet that is valid until the next call; 0 if there is nothing yet; or
 *
 * - -EAGAIN: a writer is active right there;
 * - -ESTALE: the ring was cleared, unread records are lost, and no more will come;
 * - -EBADMSG: the ring holds data that no program of ours writes.
 *
 * The packet ends (ring/ring.h) where its sub-buffer was closed; in an open one, now. Costs the
 * copy, and a load per sub-buffer that was overwritten; no system call. The packet's `lost`,
 * overwritten records included, counts since the ring was made or cleared.
 */
int kt_cursor_next(struct kt_cursor *c, struct kt_packet *packet, struct kt_error *err);

/*
 * Returns to within the last packet: only its first n_records, in `size` bytes, count as read; the
 * rest comes again.
 */
void kt_cursor_step_back(struct kt_cursor *c, size_t size, size_t n_records);

#endif
