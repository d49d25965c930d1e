/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of a flight's buffer sets, in a BPF map (doc/flight.md): since when each is active, or was;
 * which set is consumed; whether a spare is wanted; and the values of all counters when the
 * statistics started.
 *
 *	struct kt_buffer_state *t = kt_buffer_state_new(n_events, &err);
 *
 *	kt_buffer_state_begin(t, set, now);
 *	kt_buffer_state_note(t, set, event,
 *			     (struct kt_swap_state){kt_probe_missed(&probe), KT_ALWAYS});
 *	kt_enable_word_swap(enable, row, now);		// to that set
 *	...						// the other set is read
 *	kt_buffer_state_consume(t, !set);			// it may be swapped to again
 *
 * Reading takes a load from shared memory and no system call.
 */
#ifndef KT_SESSION_FLIGHT_BUFFER_STATE_H
#define KT_SESSION_FLIGHT_BUFFER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time_span.h"
#include "bpf/counters.h"

struct kt_error;
struct kt_buffer_state;

/*
 * Creates the state: set 1 is consumed, as it is empty; counters start at 0. Returns NULL on error.
 */
struct kt_buffer_state *kt_buffer_state_new(size_t n_events, struct kt_error *err);

/*
 * Opens the state of an existing map for as many events; takes ownership of fd. Returns NULL on
 * error; EPROTO for another map.
 */
struct kt_buffer_state *kt_buffer_state_from(int fd, size_t n_events, struct kt_error *err);
void kt_buffer_state_free(struct kt_buffer_state *t);

/* Returns the BPF map, which remains t's. */
int kt_buffer_state_fd(const struct kt_buffer_state *t);

/* Set and get since when a set is active, in ns of CLOCK_MONOTONIC. It is set before the swap. */
void kt_buffer_state_begin(struct kt_buffer_state *t, size_t set, uint64_t began);
uint64_t kt_buffer_state_began(const struct kt_buffer_state *t, size_t set);

/* State of an event at that time. */
struct kt_swap_state {
	uint64_t missed;              /* hits that the kernel had missed (kt_probe_missed) */
	struct kt_time_span complete; /* when all hits are recorded (session/enable_word.h) */
};

void kt_buffer_state_note(struct kt_buffer_state *t, size_t set, size_t event,
			  struct kt_swap_state swap);
struct kt_swap_state kt_buffer_state_noted(const struct kt_buffer_state *t, size_t set,
					   size_t event);

/*
 * Set and get the number of the info that describes the events (session/flight/flight_info.h);
 * initially 0.
 */
void kt_buffer_state_note_info(struct kt_buffer_state *t, size_t set, uint16_t number);
uint16_t kt_buffer_state_noted_info(const struct kt_buffer_state *t, size_t set);

/*
 * Declares a set consumed, by one store. It remains so until another set is consumed: the set that
 * a swap leaves is not consumed.
 */
void kt_buffer_state_consume(struct kt_buffer_state *t, size_t set);
size_t kt_buffer_state_consumed(const struct kt_buffer_state *t);

/*
 * Start the statistics again: first the values of each event's counters are noted, then they become
 * valid by one store, together with the time (CLOCK_MONOTONIC), the records overwritten so far, and
 * a consumed set. The others return these values.
 */
void kt_buffer_state_note_zero(struct kt_buffer_state *t, size_t event, struct kt_counters counters,
			       uint64_t missed);
void kt_buffer_state_reset(struct kt_buffer_state *t, size_t set, uint64_t since,
			   uint64_t overwritten);

uint64_t kt_buffer_state_since(const struct kt_buffer_state *t);
uint64_t kt_buffer_state_overwritten_before(const struct kt_buffer_state *t);
struct kt_counters kt_buffer_state_counters_before(const struct kt_buffer_state *t, size_t event);
uint64_t kt_buffer_state_missed_before(const struct kt_buffer_state *t, size_t event);

/* Set and get whether a spare is wanted; initially it is. */
void kt_buffer_state_want_spare(struct kt_buffer_state *t, bool want);
bool kt_buffer_state_wants_spare(const struct kt_buffer_state *t);

/*
 * Set and get the records overwritten in freed rings of a set: one value is valid while the set has
 * rings, the other while it has none. So the next value is noted while it is not valid yet.
 */
void kt_buffer_state_note_freed(struct kt_buffer_state *t, size_t set, bool has_rings,
				uint64_t overwritten);
uint64_t kt_buffer_state_freed(const struct kt_buffer_state *t, size_t set, bool has_rings);

#endif
