/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU's ring, as its reader has it; doc/ring.md says how it works.
 *
 *	struct kt_ring *ring = kt_ring_new(geometry, &err);
 *	struct kt_packet packet;
 *
 *	while (kt_ring_next(ring, &packet, &err) > 0) {
 *		write(fd, packet.records, packet.size);
 *		kt_ring_release(ring);
 *	}
 *
 * Where the writers overwrite what is oldest, a ring is read so once none of them is at it any
 * more, and before that by a cursor (ring/cursor.h).
 *
 * One reader at a time. Reading takes loads from shared memory and no system call.
 */
#ifndef KT_RING_RING_H
#define KT_RING_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/ring_layout.h"
#include "ring/ring_memory.h"

struct kt_error;
struct kt_ring;

/* What one sub-buffer held. */
struct kt_packet {
	void *records; /* the first at a multiple of 8, as each one is */
	size_t size;
	uint64_t begin, end; /* ns of CLOCK_MONOTONIC; all records lie between */
	uint64_t lost;       /* records in all that are missing before this packet */
	bool is_open;        /* its sub-buffer was: records behind it may be from before its end */
};

/* Empty. Memory: a sub-buffer more than the geometry says. On error NULL, EINVAL for geometry. */
struct kt_ring *kt_ring_new(struct kt_geometry geometry, struct kt_error *err);

/*
 * That of a map made by this before, whose descriptor it takes. On error NULL; -EPROTO for another
 * map, EINVAL for geometry.
 */
struct kt_ring *kt_ring_from(int fd, struct kt_geometry geometry, struct kt_error *err);
void kt_ring_free(struct kt_ring *ring);

/* The BPF map. It remains the ring's; programs that use it keep it alive. */
int kt_ring_fd(const struct kt_ring *ring);
struct kt_ring_memory kt_ring_memory(const struct kt_ring *ring);

/* By which the kernel tells it from every other one, in all processes. A system call. */
uint32_t kt_ring_id(const struct kt_ring *ring);

/*
 * The oldest packet that is not released: 1; 0 where none is whole yet; -EBADMSG where the ring
 * holds what no program of ours writes. The packet is the ring's until it is released.
 */
int kt_ring_next(struct kt_ring *ring, struct kt_packet *packet, struct kt_error *err);

/* Gives the sub-buffer of the last packet to the writers. */
void kt_ring_release(struct kt_ring *ring);

/* Closes what is open, so that kt_ring_next gets it once its writers are done. */
void kt_ring_flush(struct kt_ring *ring);

/*
 * Up to where writers have taken their room, in bytes since it was made; and whether all up to such
 * a place has been released.
 */
uint64_t kt_ring_reserved(const struct kt_ring *ring);
bool kt_ring_is_released(const struct kt_ring *ring, uint64_t place);

/* Of a ring that nobody writes any more: ends what was begun by a flush that was killed. */
void kt_ring_mend(struct kt_ring *ring);

/*
 * Of a ring that was overwritten, and that nobody writes any more, flushed: what kt_ring_next gets
 * then is the oldest packet that is left. From here on reading leaves no mark in the ring: whoever
 * does this again, in any process, gets the same.
 */
void kt_ring_rewind(struct kt_ring *ring);

/*
 * Of such a ring, too: it holds nothing any more, and nothing is lost or overwritten. It can be
 * written again then. Done twice, or half and then once more, it is the same. Costs a store for
 * each sub-buffer.
 */
void kt_ring_clear(struct kt_ring *ring);

/* What there is between the oldest record and the newest, of a ring that is overwritten. */
struct kt_held {
	uint64_t bytes; /* up to the ring's size */
	uint64_t since; /* when the oldest of it was begun; 0: nothing is overwritten yet */
};

/* While it is written, too: as it was at some moment of the call. */
struct kt_held kt_ring_held(const struct kt_ring *ring);

/* Since it was made or cleared: records dropped, and those that newer ones took the place of. */
uint64_t kt_ring_lost(const struct kt_ring *ring);
uint64_t kt_ring_overwritten(const struct kt_ring *ring);

/* Before it was last cleared. */
uint64_t kt_ring_overwritten_before(const struct kt_ring *ring);

#endif
