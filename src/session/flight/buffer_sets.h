/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two banks of a flight (doc/flight.md): rings that are written, and rings that rest, and what
 * turns from the one to the other.
 *
 *	struct kt_buffer_sets *b = kt_flight_banks(flight);		// of one that is held
 *
 *	if (kt_buffer_sets_make_spare(b, &err) < 0)			// where it has none
 *		...
 *	kt_buffer_sets_turn(b);
 *	rings = kt_buffer_sets_rings(b, kt_buffer_sets_resting(b));
 *	...							// read, and written
 *	kt_buffer_sets_take(b);
 *	if (!kt_buffer_sets_wants_spare(b))
 *		kt_buffer_sets_drop_spare(b, &err);
 *
 * or nobody wants to read it, nor to know what it came to:
 *
 *	kt_buffer_sets_reset(b, &err);
 *
 * A bank is a number, 0 to KT_BUFFER_SETS - 1. Who does not hold the flight may look: what is
 * written, and whether there is a spare, can change at any time then, and rings that have been made
 * since it was opened are not there.
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
 * Those that are pinned in a directory, which outlives them, as about and switches do. On error
 * NULL; -EPROTO for what no ktrace has left there.
 */
struct kt_buffer_sets *kt_buffer_sets_from(int dir, const struct kt_flight_info *about,
					   const struct kt_flight_control *switches,
					   struct kt_error *err);
void kt_buffer_sets_free(struct kt_buffer_sets *b);

/* What became of each event's hits. It remains theirs. */
const struct kt_counter_map *kt_buffer_sets_ledger(const struct kt_buffer_sets *b);

/* For probes that are to write to them, which remain theirs. */
struct kt_probes kt_buffer_sets_probes(const struct kt_buffer_sets *b);

/* The bank that is written, the other one, and the rings of one; NULL: there are none. */
size_t kt_buffer_sets_written(const struct kt_buffer_sets *b);
size_t kt_buffer_sets_resting(const struct kt_buffer_sets *b);
const struct kt_rings *kt_buffer_sets_rings(const struct kt_buffer_sets *b, size_t bank);

/* Whether nobody wants what the resting bank holds: nothing, or what was taken. */
bool kt_buffer_sets_is_taken(const struct kt_buffer_sets *b);

/*
 * Of a bank, since when it is written: ns of CLOCK_MONOTONIC; the resting one was until the other
 * one is. And hits of an event in this time that the kernel kept back (kt_program_missed).
 */
uint64_t kt_buffer_sets_began(const struct kt_buffer_sets *b, size_t bank);
uint64_t kt_buffer_sets_missed_in(const struct kt_buffer_sets *b, size_t bank, size_t event);

/*
 * When all hits of an event were recorded, as it stood at the end of this time: none were behind
 * that, as it was disabled, and before it may have been disabled as well.
 */
struct kt_time_span kt_buffer_sets_complete_in(const struct kt_buffer_sets *b, size_t bank,
					       size_t event);

/* Which about told of its events then (session/flight/flight_info.h). */
uint16_t kt_buffer_sets_about_in(const struct kt_buffer_sets *b, size_t bank);

/*
 * How banks are frozen, and the hit by which one is, or is to be (session/enable_word.h): that of
 * the resting one tells of what it holds, and what it says of the written one can change.
 */
struct kt_freezing kt_buffer_sets_freezing(const struct kt_buffer_sets *b);
struct kt_trigger_hit kt_buffer_sets_hit(const struct kt_buffer_sets *b, size_t bank);

/* That time; or where the bank was frozen before, when that was. */
uint64_t kt_buffer_sets_ended(const struct kt_buffer_sets *b, size_t bank, uint64_t time);

/*
 * Since when the flight's figures count: it began, or was reset; such hits since then; and what
 * those had come to that do not begin anew: of an event, and all that was overwritten.
 */
uint64_t kt_buffer_sets_since(const struct kt_buffer_sets *b);
uint64_t kt_buffer_sets_missed(const struct kt_buffer_sets *b, size_t event);
struct kt_counters kt_buffer_sets_tally_then(const struct kt_buffer_sets *b, size_t event);
uint64_t kt_buffer_sets_overwritten_then(const struct kt_buffer_sets *b);

/* Records that were overwritten in rings that a bank had, and has no more. */
uint64_t kt_buffer_sets_gone(const struct kt_buffer_sets *b, size_t bank);

/* Whether the rings here are those that are there now: it was not turned to others meanwhile. */
bool kt_buffer_sets_are_current(const struct kt_buffer_sets *b);

/* The same of a bank's that are here, of a flight that has ended: nothing tells of others. */
bool kt_buffer_sets_were_current(const struct kt_buffer_sets *b, size_t bank);

/*
 * The rest is for who holds the flight.
 *
 * To turn, where there is a spare: the resting bank, which is taken, is cleared and written from
 * here on; what was written until now rests, and is whole. Where it is not taken that remains as it
 * is, and is whole: who was killed has turned before. Where it was frozen it is not any more. Some
 * 10 ms. To take: nobody wants any more what rests.
 */
void kt_buffer_sets_turn(struct kt_buffer_sets *b);
void kt_buffer_sets_take(struct kt_buffer_sets *b);

/* Whether the resting bank is to have rings also while nobody reads them. */
bool kt_buffer_sets_wants_spare(const struct kt_buffer_sets *b);

/*
 * That it is, or is not: they are made, or freed, as below. Whoever is killed meanwhile leaves a
 * flight that does not want the spare it has, as one has that is just being read.
 */
int kt_buffer_sets_want_spare(struct kt_buffer_sets *b, bool want, struct kt_error *err);

/*
 * To make them, where there are none; to free them, where they are taken, with what they hold.
 * Whoever is killed meanwhile leaves a flight that has them, or has not, and kt_buffer_sets_tidy
 * removes what is left of it. Some ms, and 10 for each CPU. 0; or -errno, and it is as it was.
 */
int kt_buffer_sets_make_spare(struct kt_buffer_sets *b, struct kt_error *err);
int kt_buffer_sets_drop_spare(struct kt_buffer_sets *b, struct kt_error *err);
int kt_buffer_sets_tidy(struct kt_buffer_sets *b, struct kt_error *err);

/*
 * Nobody wants what either bank holds, no trigger was hit, and all figures count from now on. What
 * rests since an earlier turn is taken first. Whoever is killed then, or cannot make the spare that
 * it takes, has reset nothing else; 20 ms, and for a spare as above. 0 or -errno.
 */
int kt_buffer_sets_reset(struct kt_buffer_sets *b, struct kt_error *err);

#endif
