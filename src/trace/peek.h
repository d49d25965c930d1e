/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a ring that is written holds by some time, for a trace: packets that begin by then, and what
 * is lost between them.
 *
 *	struct kt_peek *p = kt_peek_new(ring, kt_clock_now(), &err);
 *
 *	while ((ret = kt_peek_next(p, &packet, &err)) > 0)
 *		kt_stream_write(stream, &packet, &err);
 *	kt_peek_free(p);					// before the ring
 */
#ifndef KT_TRACE_PEEK_H
#define KT_TRACE_PEEK_H

#include <stdint.h>

struct kt_error;
struct kt_packet;
struct kt_peek;
struct kt_ring;

/* The ring is one that is overwritten, and is to outlive it. Memory: a sub-buffer. On error NULL.
 */
struct kt_peek *kt_peek_new(const struct kt_ring *ring, uint64_t until, struct kt_error *err);
void kt_peek_free(struct kt_peek *p);

/*
 * The next one, good until the call after it: 1; the last one has no records, as they are later,
 * or has some that are. What was overwritten before the first is not lost. 0: that was all;
 * -EBADMSG as kt_cursor_next (ring/cursor.h); -EBUSY: somebody has been writing a record for a
 * second, for which it has waited.
 */
int kt_peek_next(struct kt_peek *p, struct kt_packet *packet, struct kt_error *err);

#endif
