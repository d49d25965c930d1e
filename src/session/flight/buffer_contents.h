/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace of one buffer set of a flight recorder (doc/flight.md) is made from, and which time
 * it covers.
 *
 *	struct kt_buffer_contents x;
 *	struct kt_time_span time = {0, now};
 *
 *	if (kt_buffer_contents_read(&x, flight, set, time, tracefs, &err) == 0) {
 *		recording = kt_recording_new(&x.source, "0.1.0", dir, &err);
 *		...
 *		kt_buffer_contents_clear(&x);			// after the recording
 *	}
 */
#ifndef KT_SESSION_FLIGHT_BUFFER_CONTENTS_H
#define KT_SESSION_FLIGHT_BUFFER_CONTENTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/time_span.h"
#include "bpf/ring_layout.h"
#include "session/trace_source.h"

struct kt_error;
struct kt_event;
struct kt_flight;

/* Times are ns of CLOCK_MONOTONIC. */
struct kt_buffer_contents {
	struct kt_trace_source source;
	size_t set;
	struct kt_event **events;      /* the events of the source */
	struct kt_time_span *complete; /* when all hits of an event were recorded */
	uint64_t *missed;              /* by event: hits that the kernel missed */
	uint64_t begin[KT_CHANNELS];   /* by channel: some records are from here on */
	uint64_t from[KT_CHANNELS];    /* by channel: all records are from here on */
	uint64_t until;                /* up to here */
};

/*
 * Reads what a buffer set with rings holds of that time; the flight must outlive x. Reads the
 * layout of the events' records from tracefs again, about 0.1 ms each. Returns 0; or -errno with
 * nothing to clear.
 */
int kt_buffer_contents_read(struct kt_buffer_contents *x, const struct kt_flight *f, size_t set,
			    struct kt_time_span time, int tracefs, struct kt_error *err);

/*
 * Reads the same for all that the flight ever held, and will hold: for no particular set, with the
 * rings that are being written, and without names of tasks. The descriptions of events remain valid
 * when the flight is closed. Returns -EAGAIN if buffer sets were swapped to rings that were made
 * since the flight was opened, or filters were changed: it must be opened again.
 */
int kt_buffer_contents_read_all(struct kt_buffer_contents *x, const struct kt_flight *f,
				int tracefs, struct kt_error *err);

/* Frees the contents; all zeros, too. */
void kt_buffer_contents_clear(struct kt_buffer_contents *x);

#endif
