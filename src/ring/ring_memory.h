/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mapped memory of a ring, and what positions in it mean (bpf/ring_layout.h, doc/ring.md), for
 * readers.
 *
 *	struct kt_ring_memory m = kt_ring_memory(ring);
 *	uint64_t reserved = __atomic_load_n(&m.control->reserved, __ATOMIC_ACQUIRE);
 *
 *	for (p = kt_ring_memory_oldest(m, reserved); p < reserved; p += kt_subbuf_size(m.geometry))
 *		look_at(kt_ring_memory_subbuf(m, p));
 */
#ifndef KT_RING_RING_MEMORY_H
#define KT_RING_RING_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/ring_layout.h"

struct kt_ring_memory {
	struct kt_geometry geometry;
	struct kt_control *control; /* followed by the sub-buffers */
};

static inline uint64_t kt_ring_memory_size(struct kt_ring_memory m)
{
	return (uint64_t)m.geometry.n_subbufs << m.geometry.shift;
}

/* Returns the sub-buffer that contains a position. */
static inline struct kt_subbuf *kt_ring_memory_subbuf(struct kt_ring_memory m, uint64_t position)
{
	size_t i = (position >> m.geometry.shift) & (m.geometry.n_subbufs - 1);

	return (void *)((char *)m.control + ((i + 1) << m.geometry.shift));
}

/*
 * Returns the value of `committed` when that many bytes of the position's sub-buffer are written.
 */
static inline uint64_t kt_ring_memory_committed(struct kt_ring_memory m, uint64_t position,
						uint64_t bytes)
{
	return (position / kt_ring_memory_size(m) << m.geometry.shift) + bytes;
}

/*
 * Returns the start of the oldest sub-buffer that is not overwritten, about to be, or cleared. The
 * next sub-buffer that a writer begins is about to be; at a boundary that is the one a round
 * before. Acquire: pairs with the release of `consumed` in ring/ring.c.
 */
static inline uint64_t kt_ring_memory_oldest(struct kt_ring_memory m, uint64_t reserved)
{
	uint64_t subbuf = kt_subbuf_size(m.geometry), size = kt_ring_memory_size(m);
	uint64_t next = (reserved + subbuf - 1) & ~(subbuf - 1);
	uint64_t cleared = __atomic_load_n(&m.control->consumed, __ATOMIC_ACQUIRE);

	return next - cleared > size ? next - size : cleared;
}

#endif
