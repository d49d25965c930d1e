/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU's ring, as its reader sees it (doc/ring.md).
 *
 *	struct kt_ring *ring = kt_ring_new(geometry, &err);
 *	struct kt_packet packet;
 *
 *	while (kt_ring_next(ring, &packet, &err) > 0) {
 *		write(fd, packet.records, packet.size);
 *		kt_ring_release(ring);
 *	}
 *
 * A ring in overwrite mode is read this way only when no writer is active any more, before that by
 * a cursor (ring/cursor.h). There may be one reader at a time. Reading takes loads from shared
 * memory, and no system call.
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

/* The contents of one sub-buffer. */
struct kt_packet {
	void *records; /* starts at a multiple of 8, as every record does */
	size_t size;
	uint64_t begin, end; /* ns of CLOCK_MONOTONIC; all records are between them */
	uint64_t lost;       /* total number of records missing before this packet */
	bool is_open; /* its sub-buffer was open: later records may have times before `end` */
};

/*
 * Creates an empty ring; it takes the memory of the geometry and one sub-buffer more. Returns NULL
 * on error: EINVAL for a bad geometry.
 */
struct kt_ring *kt_ring_new(struct kt_geometry geometry, struct kt_error *err);

/*
 * Opens a ring from the descriptor of its map; takes ownership of fd. Returns NULL on error: EPROTO
 * for another map, EINVAL for a bad geometry.
 */
struct kt_ring *kt_ring_from(int fd, struct kt_geometry geometry, struct kt_error *err);
void kt_ring_free(struct kt_ring *ring);

/* Returns the BPF map, which remains the ring's. Programs that use it keep it alive. */
int kt_ring_fd(const struct kt_ring *ring);
struct kt_ring_memory kt_ring_memory(const struct kt_ring *ring);

/* Returns the kernel's id of the ring, the same in all processes. Takes a system call. */
uint32_t kt_ring_id(const struct kt_ring *ring);

/*
 * Gets the oldest unreleased packet, which remains the ring's until it is released. Returns 1; 0 if
 * none is complete yet; -EBADMSG if the ring holds data that no program of ours writes.
 */
int kt_ring_next(struct kt_ring *ring, struct kt_packet *packet, struct kt_error *err);

/* Returns the sub-buffer of the last packet to the writers. */
void kt_ring_release(struct kt_ring *ring);

/* Closes the open sub-buffer, so that kt_ring_next() gets it when its writers are done. */
void kt_ring_flush(struct kt_ring *ring);

/*
 * Return the position up to which room is reserved; and whether everything before such a position
 * was released.
 */
uint64_t kt_ring_reserved(const struct kt_ring *ring);
bool kt_ring_is_released(const struct kt_ring *ring, uint64_t place);

/* Completes a flush that was interrupted by a kill. No writer may be active any more. */
void kt_ring_mend(struct kt_ring *ring);

/*
 * Makes kt_ring_next() return the oldest packet again, for a flushed ring in overwrite mode without
 * active writers. From here on reading changes nothing in the ring: after another rewind, in any
 * process, the result is the same.
 */
void kt_ring_rewind(struct kt_ring *ring);

/*
 * Empties a ring in overwrite mode without active writers; its counts of lost and overwritten
 * records start at 0. It can be written again. May be repeated after an interruption. Costs a store
 * per sub-buffer.
 */
void kt_ring_clear(struct kt_ring *ring);

/* What a ring in overwrite mode holds. */
struct kt_held {
	uint64_t bytes; /* between the oldest and newest record, at most the ring's size */
	uint64_t since; /* begin time of the oldest sub-buffer; 0: nothing was overwritten yet */
};

/* Returns what the ring held at some moment of the call; writers may be active. */
struct kt_held kt_ring_held(const struct kt_ring *ring);

/* Return the records lost, and overwritten, since the ring was made or cleared. */
uint64_t kt_ring_lost(const struct kt_ring *ring);
uint64_t kt_ring_overwritten(const struct kt_ring *ring);

/* Returns the records that were overwritten before the ring was last cleared. */
uint64_t kt_ring_overwritten_before(const struct kt_ring *ring);

#endif
