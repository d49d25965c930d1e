/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flight (doc/flight.md) as one trace that goes on as long as it does, through all its turns, of
 * which each stream grows when somebody wants to have it. It needs nobody to hold the flight, and
 * leaves no mark in it.
 *
 *	struct kt_flight_stream *feed = kt_flight_stream_new(flight, tracefs, "0.1.0", dir, &err);
 *
 *	fd = kt_flight_stream_open(feed, 0, &err);
 *	while (kt_flight_stream_copy(feed, 0, flight, &err) == 0)
 *		...				// what is new in it: of CPU 0, dir/cpu0
 *	kt_flight_stream_rest(feed);			// before the flight is freed
 *	kt_flight_stream_free(feed);
 *
 * A stream is of the ring kt_rings_at(rings, ring), of whichever bank: it begins with the oldest
 * record, each one is in it once, and what was not there in time is told as lost, to the last
 * record. Whoever else reads the same flight, in whatever process, has streams of the same trace.
 * Times of hits of programs that were on their way when the flight was turned, and of those behind
 * them, are levelled.
 */
#ifndef KT_TRACE_FLIGHT_STREAM_H
#define KT_TRACE_FLIGHT_STREAM_H

#include <stddef.h>
#include <stdio.h>

struct kt_error;
struct kt_flight_stream;
struct kt_flight;

/*
 * Makes the trace's files in the directory dir, which remains the caller's and is to be open
 * as long: streams without a packet, and metadata of now (kt_flight_stream_describe). How the
 * events' records are made up is read from tracefs again, some 0.1 ms each. On error NULL, EAGAIN:
 * the flight has been turned to rings that were made since it was opened, and is to be opened once
 * more.
 */
struct kt_flight_stream *kt_flight_stream_new(const struct kt_flight *f, int tracefs,
					      const char *version, int dir, struct kt_error *err);
void kt_flight_stream_free(struct kt_flight_stream *feed);

/* Its rings are 0 to that - 1, as those of the flight (ring/rings.h). */
size_t kt_flight_stream_count(const struct kt_flight_stream *feed);

/*
 * A ring's stream, to be read, and for what was read to be given back: a descriptor for the caller
 * to close. On error -errno; -ENOENT: there is no such ring.
 */
int kt_flight_stream_open(const struct kt_flight_stream *feed, size_t ring, struct kt_error *err);

/*
 * Adds to a ring's stream, in whole packets of up to some 64 KiB, all that was hit by now: as much
 * as is in the ring. The flight is always the same one, which may have been opened anew since it
 * rested. 0; or -errno, as of kt_flight_position_copy (trace/flight_position.h): what is there by
 * then is good, and the rest comes the next time; -EAGAIN as above.
 */
int kt_flight_stream_copy(struct kt_flight_stream *feed, size_t ring, const struct kt_flight *f,
			  struct kt_error *err);

/* Nothing of the flight is open, until the next copy. */
void kt_flight_stream_rest(struct kt_flight_stream *feed);

/*
 * Writes the metadata of such a trace, as of now: when hits of which events are all there (doc/
 * trace.md) is so for all packets until then. 0 or -errno, -EAGAIN as above.
 */
int kt_flight_stream_describe(const struct kt_flight *f, int tracefs, const char *version, FILE *to,
			      struct kt_error *err);

#endif
