/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two buffer sets of a flight recorder (doc/flight.md): one is active (programs write to it),
 * the other inactive. A swap exchanges them.
 *
 *	struct kt_buffer_sets *b = kt_flight_buffer_sets(flight);	// of a locked flight
 *
 *	if (kt_buffer_sets_make_spare(b, &err) < 0)	// if the inactive set has no rings
 *		...
 *	kt_buffer_sets_swap(b);
 *	rings = kt_buffer_sets_rings(b, kt_buffer_sets_inactive(b));
 *	...							// read them
 *	kt_buffer_sets_consume(b);
 *	if (!kt_buffer_sets_wants_spare(b))
 *		kt_buffer_sets_drop_spare(b, &err);
 *
 * or, to discard everything:
 *
 *	kt_buffer_sets_reset(b, &err);
 *
 * A set is a number, 0 to KT_BUFFER_SETS - 1. Who does not hold the lock may read: the active set,
 * and whether there is a spare, can change at any time then, and rings that were made since the
 * flight was opened are not available.
 */
#ifndef KT_SESSION_FLIGHT_BUFFER_SETS_H
#define KT_SESSION_FLIGHT_BUFFER_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time_span.h"
#include "bpf/counters.h"
#include "session/enable_word.h"
#include "session/probes.h"

struct kt_flight_info;
struct kt_buffer_sets;
struct kt_error;
struct kt_counter_map;
struct kt_rings;
struct kt_flight_control;

/*
 * Opens the sets pinned in dir, which must stay open while the result is used, as info and control
 * must. Returns NULL on error: EPROTO if no ktrace made them.
 */
struct kt_buffer_sets *kt_buffer_sets_from(int dir, const struct kt_flight_info *info,
					   const struct kt_flight_control *switches,
					   struct kt_error *err);
void kt_buffer_sets_free(struct kt_buffer_sets *b);

/* Returns the counters, which remain b's. */
const struct kt_counter_map *kt_buffer_sets_counters(const struct kt_buffer_sets *b);

/* Returns what makes probes that write to these sets; its maps remain b's. */
struct kt_probes kt_buffer_sets_probes(const struct kt_buffer_sets *b);

/* Return the active set, the inactive set, and the rings of a set, NULL if it has none. */
size_t kt_buffer_sets_active(const struct kt_buffer_sets *b);
size_t kt_buffer_sets_inactive(const struct kt_buffer_sets *b);
const struct kt_rings *kt_buffer_sets_rings(const struct kt_buffer_sets *b, size_t set);

/*
 * Returns whether the inactive set is consumed: it holds nothing, or nothing that is still wanted.
 */
bool kt_buffer_sets_is_consumed(const struct kt_buffer_sets *b);

/*
 * Return since when a set is active, or was before the swap, in ns of CLOCK_MONOTONIC; and the hits
 * of an event that the kernel missed in that time (kt_probe_missed).
 */
uint64_t kt_buffer_sets_began(const struct kt_buffer_sets *b, size_t set);
uint64_t kt_buffer_sets_missed_in(const struct kt_buffer_sets *b, size_t set, size_t event);

/*
 * Returns when all hits of an event were recorded, as known at the end of the set's time: the event
 * may have been disabled before or afterwards.
 */
struct kt_time_span kt_buffer_sets_complete_in(const struct kt_buffer_sets *b, size_t set,
					       size_t event);

/*
 * Returns the number of the info that describes the events in a set (session/flight/flight_info.h).
 */
uint16_t kt_buffer_sets_info_in(const struct kt_buffer_sets *b, size_t set);

/*
 * Return how sets freeze; and the hit by which a set froze, or will (session/enable_word.h). The
 * inactive set's is final, the active set's can change.
 */
struct kt_freezing kt_buffer_sets_freezing(const struct kt_buffer_sets *b);
struct kt_trigger_hit kt_buffer_sets_hit(const struct kt_buffer_sets *b, size_t set);

/* Returns the given time; or the time when the set froze, if that was earlier. */
uint64_t kt_buffer_sets_ended(const struct kt_buffer_sets *b, size_t set, uint64_t time);

/*
 * Return when the flight's statistics started (its start or its last reset); the missed hits of an
 * event since then; and the values that other counters had at that time: those of an event, and the
 * records that were overwritten.
 */
uint64_t kt_buffer_sets_since(const struct kt_buffer_sets *b);
uint64_t kt_buffer_sets_missed(const struct kt_buffer_sets *b, size_t event);
struct kt_counters kt_buffer_sets_counters_before(const struct kt_buffer_sets *b, size_t event);
uint64_t kt_buffer_sets_overwritten_before(const struct kt_buffer_sets *b);

/* Returns the records that were overwritten in rings of a set that have been freed. */
uint64_t kt_buffer_sets_freed_overwritten(const struct kt_buffer_sets *b, size_t set);

/*
 * Returns whether the rings known here are the present ones: no swap to others has happened since.
 */
bool kt_buffer_sets_are_current(const struct kt_buffer_sets *b);

/* Returns the same for one set of a flight that has ended, so that no other rings can be made. */
bool kt_buffer_sets_were_current(const struct kt_buffer_sets *b, size_t set);

/*
 * The functions that follow require the lock of the flight.
 *
 * Swap, if there is a spare: the inactive set, which is consumed, is cleared and becomes active;
 * the other one becomes inactive, complete, and is no longer frozen. If the inactive set is not
 * consumed, nothing is swapped: a process that was killed had swapped before. Takes about 10 ms.
 * Consume: declares that the inactive set is no longer wanted.
 */
void kt_buffer_sets_swap(struct kt_buffer_sets *b);
void kt_buffer_sets_consume(struct kt_buffer_sets *b);

/* Returns whether the inactive set should have rings while nobody reads them. */
bool kt_buffer_sets_wants_spare(const struct kt_buffer_sets *b);

/*
 * Sets that, and makes or frees the spare rings, as below. If the process is killed meanwhile, the
 * flight does not want the spare that it has, as during a snapshot.
 */
int kt_buffer_sets_want_spare(struct kt_buffer_sets *b, bool want, struct kt_error *err);

/*
 * Make the spare rings, if there are none; free them, if they are consumed. If the process is
 * killed meanwhile, the flight has them or not, and kt_buffer_sets_remove_leftovers() removes what
 * is left over. They take some ms, and 10 per CPU. Return 0; or -errno, with the spare unchanged.
 */
int kt_buffer_sets_make_spare(struct kt_buffer_sets *b, struct kt_error *err);
int kt_buffer_sets_drop_spare(struct kt_buffer_sets *b, struct kt_error *err);
int kt_buffer_sets_remove_leftovers(struct kt_buffer_sets *b, struct kt_error *err);

/*
 * Discards what both sets hold, and the trigger's hit, and starts all statistics again. First
 * consumes what is inactive since an earlier swap; a process that is killed then, or cannot make a
 * missing spare, has reset nothing else. Takes 20 ms, and more for the spare. Returns 0 or -errno.
 */
int kt_buffer_sets_reset(struct kt_buffer_sets *b, struct kt_error *err);

#endif
