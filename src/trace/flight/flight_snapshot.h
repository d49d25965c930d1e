/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A snapshot: a trace of the inactive buffer set of a flight recorder. The active one is read by
 * trace/flight/flight_text.h and trace/flight/flight_stream.h.
 *
 *	flight = kt_flight_lock("flight", &err);
 *	kt_buffer_sets_swap(kt_flight_buffer_sets(flight));
 *	s = kt_flight_snapshot_new(flight, NULL, tracefs, "0.1.0", dir, &err);
 *
 *	while (!interrupted && kt_recording_copy(kt_flight_snapshot_recording(s), &err) > 0)
 *		show_progress();
 *	if (!interrupted && kt_flight_snapshot_end(s, dir, &err) == 0)
 *		kt_buffer_sets_consume(kt_flight_buffer_sets(flight));	// no longer wanted
 *	kt_flight_snapshot_free(s);
 *
 * Until the set is consumed its contents remain in the flight, whatever happens to the trace.
 */
#ifndef KT_TRACE_FLIGHT_FLIGHT_SNAPSHOT_H
#define KT_TRACE_FLIGHT_FLIGHT_SNAPSHOT_H

#include <stdint.h>

#include "bpf/ring_layout.h"

struct kt_event_counts;
struct kt_error;
struct kt_flight;
struct kt_occasion;
struct kt_recording;
struct kt_flight_snapshot;

/*
 * Starts a snapshot of a locked flight after a swap, in the directory dir, which remains the
 * caller's; the flight must outlive it. taken is the hit that it is taken for (base/provenance.h),
 * or NULL; its texts must outlive it, too. Reads the layout of records from tracefs again, about
 * 0.1 ms per event. Returns NULL on error.
 */
struct kt_flight_snapshot *kt_flight_snapshot_new(const struct kt_flight *f,
						  const struct kt_occasion *taken, int tracefs,
						  const char *version, int dir,
						  struct kt_error *err);
void kt_flight_snapshot_free(struct kt_flight_snapshot *s);

/* Returns the recording, for copying, and then for naming addresses. It remains the snapshot's. */
struct kt_recording *kt_flight_snapshot_recording(const struct kt_flight_snapshot *s);

/*
 * Writes the rest, and the event counts: the trace is complete. Returns 0; or -errno, and it is
 * not.
 */
int kt_flight_snapshot_end(struct kt_flight_snapshot *s, int dir, struct kt_error *err);

/* Returns the event counts, after the end. They remain the snapshot's. */
const struct kt_event_counts *kt_flight_snapshot_counts(const struct kt_flight_snapshot *s);

/*
 * Return the time of the swap, in ns of CLOCK_MONOTONIC; since when all hits of a channel's events
 * are in the snapshot, on every CPU; and how long that is, until the swap or until the set froze.
 */
uint64_t kt_flight_snapshot_time(const struct kt_flight *f);
uint64_t kt_flight_snapshot_from(const struct kt_flight_snapshot *s, enum kt_channel channel);
uint64_t kt_flight_snapshot_span(const struct kt_flight_snapshot *s, enum kt_channel channel);

/* Returns the number of records of rare events, after the end. */
uint64_t kt_flight_snapshot_rare_records(const struct kt_flight_snapshot *s);

#endif
