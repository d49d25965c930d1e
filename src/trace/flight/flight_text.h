/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flight recorder as a sequence of growing traces, for printing its events as they come. Needs no
 * lock, and changes nothing in the flight.
 *
 *	struct kt_flight_text *t = kt_flight_text_new(&err);
 *
 *	while (kt_flight_text_begin(t, flight, tracefs, "0.1.0", dir, &err) == 0) {
 *		reader = kt_trace_reader_open(path, &err);
 *		do {
 *			ret = kt_flight_text_copy(t, flight, &err);
 *			kt_trace_reader_resume(reader, kt_flight_text_until(t));
 *			while (kt_trace_reader_next(reader, &hit, &err) > 0)
 *				print(&hit);
 *		} while (ret > 0);
 *		kt_trace_reader_free(reader);
 *		kt_flight_text_end(t);		// before the flight is closed
 *		...				// another directory
 *	}
 *	kt_flight_text_free(t);
 *
 * It starts at the oldest record. Each record is in one trace only, and each trace continues the
 * one before. What was overwritten is reported as lost, to the last record. Records are in the
 * order of time, except for programs that were running at a swap: their records are in the trace
 * before it.
 */
#ifndef KT_TRACE_FLIGHT_FLIGHT_TEXT_H
#define KT_TRACE_FLIGHT_FLIGHT_TEXT_H

#include <stdint.h>

struct kt_error;
struct kt_flight;
struct kt_recording;
struct kt_flight_text;

/* Returns NULL on error. */
struct kt_flight_text *kt_flight_text_new(struct kt_error *err);
void kt_flight_text_free(struct kt_flight_text *t);

/*
 * Starts the next trace of a flight, always of the same one, which may have been opened again. Its
 * files go to the directory dir, which remains the caller's and is locked (flock(2)), so that
 * readers know that it grows. Reads the layout of records from tracefs again, about 0.1 ms per
 * event, and the names of tasks. Returns 0; -EAGAIN if buffer sets were swapped to rings that were
 * made since the flight was opened: it must be opened again; or another -errno.
 */
int kt_flight_text_begin(struct kt_flight_text *t, const struct kt_flight *f, int tracefs,
			 const char *version, int dir, struct kt_error *err);

/*
 * Copies what was recorded up to now on every CPU, and was not copied or overwritten yet. Returns
 * 1; 0 if the trace is complete, since buffer sets were swapped, which takes as long as
 * kt_rcu_wait() (hook/ask/rcu_wait.h); or -errno of kt_ring_peek_next() (trace/flight/ring_peek.h)
 * or of writing: what was copied is a valid trace after kt_flight_text_end(), and the rest comes
 * next time. The flight is that of kt_flight_text_begin().
 */
int kt_flight_text_copy(struct kt_flight_text *t, const struct kt_flight *f, struct kt_error *err);

/* Returns the time up to which the trace is complete, in ns of CLOCK_MONOTONIC; 0: nothing yet. */
uint64_t kt_flight_text_until(const struct kt_flight_text *t);

/* Returns the recording of the trace, for naming addresses. */
struct kt_recording *kt_flight_text_recording(const struct kt_flight_text *t);

/* Ends the trace; the next one continues. Keeps about 100 bytes per ring. */
void kt_flight_text_end(struct kt_flight_text *t);

#endif
