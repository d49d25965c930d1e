/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a ring that is written holds by some time, for a trace: packets that begin by then, and what
 * is lost between them.
 *
 *	struct kt_peek *p = kt_peek_new(ring, &err);
 *
 *	kt_peek_go_on(p, kt_clock_now());			// and once more later
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
struct kt_peek *kt_peek_new(const struct kt_ring *ring, struct kt_error *err);
void kt_peek_free(struct kt_peek *p);

/* That time, ns of CLOCK_MONOTONIC, is not to come yet, and not before the last one. */
void kt_peek_go_on(struct kt_peek *p, uint64_t until);

/*
 * The next one, good until the call after it: 1. The last one may have records that are later; or
 * none, and tells, at that time, what is lost up to later ones, which come the next time.
 * What was overwritten before the first is not lost. 0: that was all, until it is to go on;
 * -EBADMSG as kt_cursor_next (ring/cursor.h); -EBUSY: somebody has been writing a record for a
 * second, for which it has waited.
 */
int kt_peek_next(struct kt_peek *p, struct kt_packet *packet, struct kt_error *err);

#endif
