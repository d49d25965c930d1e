/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where somebody is who reads a flight (doc/flight.md) while it is written, and is turned: in one
 * ring of it, or in all. It needs nobody to hold the flight, and leaves no mark in it.
 *
 *	struct kt_period settled = {0};
 *	struct kt_flight_position *t = kt_flight_position_new(KT_ALL_RINGS, &settled, &err);
 *
 *	while (kt_flight_position_begin(t, flight, &err) == 0) {
 *		while (kt_flight_position_copy(t, flight, recording, &err) > 0)
 *			sleep(1);
 *		kt_flight_position_end(t);				// before the flight is
 *freed
 *	}
 *	kt_flight_position_free(t);
 *
 * It begins with the oldest record that is there, and goes on to each period that is there when it
 * is looked for.
 */
#ifndef KT_TRACE_FLIGHT_POSITION_H
#define KT_TRACE_FLIGHT_POSITION_H

#include <stddef.h>
#include <stdint.h>

struct kt_error;
struct kt_flight;
struct kt_recording;
struct kt_flight_position;

#define KT_ALL_RINGS SIZE_MAX

/* A time in which a bank was written, or is: since then, ns of CLOCK_MONOTONIC. Zero: none. */
struct kt_period {
	size_t bank;
	uint64_t began;
};

/*
 * Of the ring kt_rings_at(rings, ring), of whichever bank. Behind a turn to settled somebody has
 * waited for the programs on their way: the caller's, to outlive it, and of all that are of the
 * same flight, as once is enough. On error NULL.
 */
struct kt_flight_position *kt_flight_position_new(size_t ring, struct kt_period *settled,
						  struct kt_error *err);
void kt_flight_position_free(struct kt_flight_position *t);

/*
 * To the period that it was in, if there may be more of it, or the next one, of always the same
 * flight, which may have been opened anew since. 0; -EAGAIN: the flight has been turned to rings
 * that were made since it was opened, and is to be opened once more; or -errno, and it is where it
 * was.
 */
int kt_flight_position_begin(struct kt_flight_position *t, const struct kt_flight *f,
			     struct kt_error *err);

/* That period, also once it has ended there. */
struct kt_period kt_flight_position_period(const struct kt_flight_position *t);

/* What comes goes into another trace, which does not tell what was lost in the one before. */
void kt_flight_position_change_trace(struct kt_flight_position *t);

/*
 * All that was hit until now, on every CPU of it, and was neither copied yet nor overwritten, into
 * a recording that was made empty, which tells what is lost, also of the periods before. 1; 0: that
 * was all of this period, as the flight has been turned, which takes as long as kt_rcu_wait
 * (hook/rcu_wait.h); or -errno, as of kt_ring_peek_next (trace/ring_peek.h) and of writing: what it
 * has copied by then is good, and the rest comes the next time. The flight is that of its begin.
 */
int kt_flight_position_copy(struct kt_flight_position *t, const struct kt_flight *f,
			    struct kt_recording *r, struct kt_error *err);

/* Until when all is copied: ns of CLOCK_MONOTONIC. 0: nothing is yet. */
uint64_t kt_flight_position_until(const struct kt_flight_position *t);

/* No ring is open from then on, until it begins again: it keeps some 100 bytes a ring. */
void kt_flight_position_end(struct kt_flight_position *t);

#endif
