/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader's position in a flight recorder (doc/flight.md) that continues to record, and whose
 * buffer sets are swapped meanwhile: in one ring, or in all. Needs no lock, and changes nothing in
 * the flight.
 *
 *	struct kt_period settled = {0};
 *	struct kt_flight_position *t = kt_flight_position_new(KT_ALL_RINGS, &settled, &err);
 *
 *	while (kt_flight_position_begin(t, flight, &err) == 0) {
 *		while (kt_flight_position_copy(t, flight, recording, &err) > 0)
 *			sleep(1);
 *		kt_flight_position_end(t);	// before the flight is closed
 *	}
 *	kt_flight_position_free(t);
 *
 * It starts at the oldest record, and continues with each period that exists when it looks for the
 * next.
 */
#ifndef KT_TRACE_FLIGHT_FLIGHT_POSITION_H
#define KT_TRACE_FLIGHT_FLIGHT_POSITION_H

#include <stddef.h>
#include <stdint.h>

struct kt_error;
struct kt_flight;
struct kt_recording;
struct kt_flight_position;

#define KT_ALL_RINGS SIZE_MAX

/*
 * A period: the time in which a buffer set is active, from a swap to the next. `began` is ns of
 * CLOCK_MONOTONIC; all zeros: none.
 */
struct kt_period {
	size_t set;
	uint64_t began;
};

/*
 * Creates a position in the ring kt_rings_at(rings, ring) of every buffer set. *settled is the last
 * period for whose start running programs were waited for; readers of the same flight can share it,
 * and it must outlive the position. Returns NULL on error.
 */
struct kt_flight_position *kt_flight_position_new(size_t ring, struct kt_period *settled,
						  struct kt_error *err);
void kt_flight_position_free(struct kt_flight_position *t);

/*
 * Goes to the period that it was in, if there may be more of it, or else to the next. The flight is
 * always the same one, but may have been opened again. Returns 0; -EAGAIN if buffer sets were
 * swapped to rings that were made since the flight was opened: it must be opened again; or another
 * -errno, with the position unchanged.
 */
int kt_flight_position_begin(struct kt_flight_position *t, const struct kt_flight *f,
			     struct kt_error *err);

/* Returns that period, also after its end. */
struct kt_period kt_flight_position_period(const struct kt_flight_position *t);

/* Continues in another trace, which does not report what was lost in the previous one. */
void kt_flight_position_change_trace(struct kt_flight_position *t);

/*
 * Copies what was recorded up to now on every CPU, and was not copied or overwritten yet, to a
 * recording without packets of its own, which reports the losses of earlier periods, too. Returns
 * 1; 0 if the period has ended and everything of it is copied, which takes as long as kt_rcu_wait()
 * (hook/ask/rcu_wait.h); or -errno of kt_ring_peek_next() (trace/flight/ring_peek.h) or of writing:
 * what was copied is valid, and the rest comes next time. The flight is that of
 * kt_flight_position_begin().
 */
int kt_flight_position_copy(struct kt_flight_position *t, const struct kt_flight *f,
			    struct kt_recording *r, struct kt_error *err);

/* Returns the time up to which everything is copied, in ns of CLOCK_MONOTONIC; 0: nothing yet. */
uint64_t kt_flight_position_until(const struct kt_flight_position *t);

/* Closes all rings until the next kt_flight_position_begin(); keeps about 100 bytes per ring. */
void kt_flight_position_end(struct kt_flight_position *t);

#endif
