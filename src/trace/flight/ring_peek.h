/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a ring in overwrite mode while it is written, for one trace after the other: packets, and
 * what is lost between them.
 *
 *	struct kt_ring_position position = {0};
 *	struct kt_ring_peek *p = kt_ring_peek_new(ring, &position, &err);
 *
 *	while ((ret = kt_ring_peek_next(p, &packet, &err)) > 0)
 *		kt_stream_writer_write(stream, &packet, &err);
 *	position = kt_ring_peek_position(p);		// for the next trace
 *	kt_ring_peek_free(p);				// before the ring
 */
#ifndef KT_TRACE_FLIGHT_RING_PEEK_H
#define KT_TRACE_FLIGHT_RING_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring/cursor.h"

struct kt_error;
struct kt_packet;
struct kt_ring_peek;
struct kt_ring;

/*
 * A position in a ring since it was cleared. All zeros: not started; what was overwritten before
 * the first read does not count as lost.
 */
struct kt_ring_position {
	bool continues; /* it continues another ring: everything overwritten is lost */
	bool is_begun;  /* otherwise the mark is not valid */
	struct kt_mark mark;
	uint64_t full_length; /* records missing in the ring that were reported in packets */
	uint64_t owed;        /* other losses, to be reported yet */
};

/* Returns how many records of the ring were read, or are known to be missing. */
static inline uint64_t kt_ring_position_passed(const struct kt_ring_position *p)
{
	return p->mark.before - p->mark.missed + p->full_length;
}

/*
 * Creates a reader for a ring in overwrite mode, which must outlive it. Takes memory for a
 * sub-buffer. Returns NULL on error.
 */
struct kt_ring_peek *kt_ring_peek_new(const struct kt_ring *ring,
				      const struct kt_ring_position *place, struct kt_error *err);
void kt_ring_peek_free(struct kt_ring_peek *p);

struct kt_ring_position kt_ring_peek_position(const struct kt_ring_peek *p);

/*
 * Makes an empty packet at that time, which reports the other losses. Returns 1; 0 if there are
 * none. kt_ring_peek_forget_owed() must follow when it is written.
 */
int kt_ring_peek_owed(const struct kt_ring_peek *p, uint64_t time, struct kt_packet *packet);
void kt_ring_peek_forget_owed(struct kt_ring_peek *p);

/* Returns the losses that the last packet reports. */
uint64_t kt_ring_peek_lost(const struct kt_ring_peek *p);

/*
 * Gets the next packet, valid until the next call. Returns 1; the packet reports all losses since
 * this reader's first packet, and the other losses. Returns 0 if there is nothing yet; -EBADMSG and
 * -ESTALE as kt_cursor_next() (ring/cursor.h); -EBUSY if a writer was active for a second.
 */
int kt_ring_peek_next(struct kt_ring_peek *p, struct kt_packet *packet, struct kt_error *err);

/*
 * Returns to within the last packet, as kt_cursor_step_back(); with no records, its losses are
 * reported again.
 */
void kt_ring_peek_keep(struct kt_ring_peek *p, size_t size, size_t n_records);

#endif
