/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flight recorder (doc/flight.md) as one endless trace, across all swaps of its buffer sets. Each
 * stream grows when it is read. Needs no lock, and changes nothing in the flight.
 *
 *	struct kt_flight_stream *s = kt_flight_stream_new(flight, tracefs, "0.1.0", dir, &err);
 *
 *	fd = kt_flight_stream_open(s, 0, &err);
 *	while (kt_flight_stream_copy(s, 0, flight, &err) == 0)
 *		...				// what is new in it: for CPU 0, dir/cpu0
 *	kt_flight_stream_rest(s);		// before the flight is closed
 *	kt_flight_stream_free(s);
 *
 * A stream belongs to the ring kt_rings_at(rings, ring) of every buffer set. It starts at the
 * oldest record, holds each record once, and reports what was overwritten as lost, to the last
 * record. Other readers of the same flight, in any process, have streams of the same trace. Times
 * around a swap are made monotonic.
 */
#ifndef KT_TRACE_FLIGHT_FLIGHT_STREAM_H
#define KT_TRACE_FLIGHT_FLIGHT_STREAM_H

#include <stddef.h>
#include <stdio.h>

struct kt_error;
struct kt_flight_stream;
struct kt_flight;

/*
 * Creates the trace's files in the directory dir, which remains the caller's and must stay open:
 * streams without packets, and the present metadata (kt_flight_stream_describe). Reads the layout
 * of records from tracefs again, about 0.1 ms per event. Returns NULL on error; EAGAIN if buffer
 * sets were swapped to rings that were made since the flight was opened: it must be opened again.
 */
struct kt_flight_stream *kt_flight_stream_new(const struct kt_flight *f, int tracefs,
					      const char *version, int dir, struct kt_error *err);
void kt_flight_stream_free(struct kt_flight_stream *feed);

/* Returns the number of rings, which are numbered as those of the flight (ring/rings.h). */
size_t kt_flight_stream_count(const struct kt_flight_stream *feed);

/*
 * Opens a ring's stream, for reading, and for punching out what was read; the caller closes the
 * descriptor. Returns -errno on error: -ENOENT if there is no such ring.
 */
int kt_flight_stream_open(const struct kt_flight_stream *feed, size_t ring, struct kt_error *err);

/*
 * Appends to a ring's stream, in whole packets of up to 64 KiB, everything recorded up to now. The
 * flight is always the same one, but may have been opened again after kt_flight_stream_rest().
 * Returns 0; or -errno as kt_flight_position_copy() (trace/flight/flight_position.h): what is there
 * is valid, and the rest comes next time; -EAGAIN as above.
 */
int kt_flight_stream_copy(struct kt_flight_stream *feed, size_t ring, const struct kt_flight *f,
			  struct kt_error *err);

/* Closes everything of the flight until the next copy. */
void kt_flight_stream_rest(struct kt_flight_stream *feed);

/*
 * Writes the present metadata of such a trace: its statement about which events' hits are complete
 * (doc/trace.md) holds for all packets until now. Returns 0 or -errno; -EAGAIN as above.
 */
int kt_flight_stream_describe(const struct kt_flight *f, int tracefs, const char *version, FILE *to,
			      struct kt_error *err);

#endif
