/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What comes next in a ring that is written, for one trace of it after the other: packets, and what
 * is lost between them.
 *
 *	struct kt_ring_position place = {0};
 *	struct kt_ring_peek *p = kt_ring_peek_new(ring, &place, &err);
 *
 *	while ((ret = kt_ring_peek_next(p, &packet, &err)) > 0)
 *		kt_stream_writer_write(stream, &packet, &err);
 *	place = kt_ring_peek_place(p);			// for the next trace
 *	kt_ring_peek_free(p);				// before the ring
 */
#ifndef KT_TRACE_RING_PEEK_H
#define KT_TRACE_RING_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring/cursor.h"

struct kt_error;
struct kt_packet;
struct kt_ring_peek;
struct kt_ring;

/*
 * Where one is in a ring, since that was cleared. Zero: nowhere yet, and what has been overwritten
 * by the first look is not lost.
 */
struct kt_ring_position {
	bool goes_on;  /* behind another ring: all that has been overwritten is lost */
	bool is_begun; /* else the mark says nothing */
	struct kt_mark mark;
	uint64_t told; /* of what is missing in the ring, in packets that were given, */
	uint64_t owed; /* and what is lost besides, to be told yet */
};

/* The records of the ring that have been given, or are known to be missing. */
static inline uint64_t kt_ring_position_passed(const struct kt_ring_position *p)
{
	return p->mark.before - p->mark.missed + p->told;
}

/* The ring is one that is overwritten, and is to outlive it. Memory: a sub-buffer. On error NULL.
 */
struct kt_ring_peek *kt_ring_peek_new(const struct kt_ring *ring,
				      const struct kt_ring_position *place, struct kt_error *err);
void kt_ring_peek_free(struct kt_ring_peek *p);

struct kt_ring_position kt_ring_peek_place(const struct kt_ring_peek *p);

/*
 * A packet without records, at that time, that tells what is owed: 1; 0 where nothing is. It is
 * owed until it is forgotten, as it has been told.
 */
int kt_ring_peek_owed(const struct kt_ring_peek *p, uint64_t time, struct kt_packet *packet);
void kt_ring_peek_forget_owed(struct kt_ring_peek *p);

/* What the last packet that was given, or forgotten, says is lost. */
uint64_t kt_ring_peek_lost(const struct kt_ring_peek *p);

/*
 * The next one, good until the call after it: 1; what it says is lost is so since the first of this
 * peek, and what was owed. 0: nothing yet; -EBADMSG and -ESTALE as kt_cursor_next (ring/cursor.h);
 * -EBUSY: somebody has been writing a record for a second, for which it has waited.
 */
int kt_ring_peek_next(struct kt_ring_peek *p, struct kt_packet *packet, struct kt_error *err);

/* kt_cursor_keep. Of no records the packet has not been given: what is lost comes again, too. */
void kt_ring_peek_keep(struct kt_ring_peek *p, size_t size, size_t n_records);

#endif
