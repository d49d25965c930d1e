/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What rests in a flight, as a trace. For what is written, while it is, see trace/flight_text.h and
 * trace/flight_stream.h.
 *
 *	flight = kt_flight_hold("flight", &err);
 *	kt_buffer_sets_turn(kt_flight_banks(flight));
 *	struct kt_flight_snapshot *s = kt_flight_snapshot_new(flight, NULL, tracefs, "0.1.0", dir,
 *&err);
 *
 *	while (!interrupted && kt_recording_copy(kt_flight_snapshot_recording(s), &err) > 0)
 *		say_how_far();
 *	if (!interrupted && kt_flight_snapshot_end(s, dir, &err) == 0)
 *		kt_buffer_sets_take(kt_flight_banks(flight));	// nobody wants it any more
 *	kt_flight_snapshot_free(s);
 *
 * As long as it has not been taken it remains in the flight, whatever becomes of the trace.
 */
#ifndef KT_TRACE_FLIGHT_SNAPSHOT_H
#define KT_TRACE_FLIGHT_SNAPSHOT_H

#include <stdint.h>

#include "bpf/ring_layout.h"

struct kt_event_counts;
struct kt_error;
struct kt_flight;
struct kt_occasion;
struct kt_recording;
struct kt_flight_snapshot;

/*
 * Of a flight that is held and has been turned, which is to outlive it, its files in the directory
 * dir, which remains the caller's. It tells for which hit it is taken (base/provenance.h), if one
 * is given, whose texts are to outlive it too. How the events' records are made up is read from
 * tracefs again, some 0.1 ms each. On error NULL.
 */
struct kt_flight_snapshot *kt_flight_snapshot_new(const struct kt_flight *f,
						  const struct kt_occasion *taken, int tracefs,
						  const char *version, int dir,
						  struct kt_error *err);
void kt_flight_snapshot_free(struct kt_flight_snapshot *s);

/* To be copied, and once that is done to have its addresses named. It remains the snapshot's. */
struct kt_recording *kt_flight_snapshot_recording(const struct kt_flight_snapshot *s);

/*
 * The rest of it, and what was overwritten and lost: the trace is whole. 0; or -errno, and it is
 * not.
 */
int kt_flight_snapshot_end(struct kt_flight_snapshot *s, int dir, struct kt_error *err);

/* Once it has ended. It remains the snapshot's. */
const struct kt_event_counts *kt_flight_snapshot_balance(const struct kt_flight_snapshot *s);

/*
 * When the flight was turned away from what rests, ns of CLOCK_MONOTONIC; and since when all that
 * was hit of a channel's events is there, on every CPU: the turn before, or nothing older is left.
 * How long that is, until the turn, or until it was frozen.
 */
uint64_t kt_flight_snapshot_time(const struct kt_flight *f);
uint64_t kt_flight_snapshot_from(const struct kt_flight_snapshot *s, enum kt_channel channel);
uint64_t kt_flight_snapshot_span(const struct kt_flight_snapshot *s, enum kt_channel channel);

/* Once it has ended: its records of events of the kept channel. */
uint64_t kt_flight_snapshot_kept(const struct kt_flight_snapshot *s);

#endif
