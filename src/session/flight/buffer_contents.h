/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace of one bank of a flight (doc/flight.md) is made of, and what of the time is in it.
 *
 *	struct kt_buffer_contents x;
 *
 *	if (kt_buffer_contents_read(&x, flight, bank, (struct kt_time_span){0, now}, tracefs, &err)
 *== 0) { recording = kt_recording_new(&x.origin, "0.1.0", dir, &err);
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
	struct kt_trace_source origin;
	size_t bank;
	struct kt_event **events;      /* those of the origin, */
	struct kt_time_span *complete; /* and these */
	uint64_t *missed;              /* by event: hits that the kernel kept back */
	uint64_t begin[KT_CHANNELS];   /* from there on something of a channel is there, */
	uint64_t from[KT_CHANNELS];    /* and all of it, */
	uint64_t until;                /* up to here */
};

/*
 * Of a flight, which is to outlive it, and of a bank that has rings, what is of that time. How the
 * events' records are made up is read from tracefs again, some 0.1 ms each. 0; or -errno, and
 * nothing to clear.
 */
int kt_buffer_contents_read(struct kt_buffer_contents *x, const struct kt_flight *f, size_t bank,
			    struct kt_time_span time, int tracefs, struct kt_error *err);

/*
 * The same of all that such a flight ever held, and will: of no bank, though with the rings that
 * are written, and without names of tasks. Of that what is told of events is good also
 * when the flight is not open any more. -EAGAIN: it has been turned to rings that were made
 * since it was opened, or its filters were changed, and it is to be opened once more.
 */
int kt_buffer_contents_read_all(struct kt_buffer_contents *x, const struct kt_flight *f,
				int tracefs, struct kt_error *err);

/* Also one that is zero. */
void kt_buffer_contents_clear(struct kt_buffer_contents *x);

#endif
