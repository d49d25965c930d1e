/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a flight holds and what comes, while it is written, which goes on: one trace after the
 * other, each of which grows. It needs nobody to hold the flight, and leaves no mark in it.
 *
 *	struct kt_flight_text *t = kt_flight_text_new(&err);
 *
 *	while (kt_flight_text_begin(t, flight, tracefs, "0.1.0", dir, &err) == 0) {
 *		reader = kt_trace_reader_open(path, &err);
 *		do {
 *			ret = kt_flight_text_copy(t, flight, &err);
 *			kt_trace_reader_go_on(reader, kt_flight_text_until(t));
 *			while (kt_trace_reader_next(reader, &hit, &err) > 0)
 *				print(&hit);
 *		} while (ret > 0);
 *		kt_trace_reader_free(reader);
 *		kt_flight_text_end(t);				// before the flight is freed
 *		...					// another directory
 *	}
 *	kt_flight_text_free(t);
 *
 * It begins with the oldest record; each one is in one trace alone, and each trace goes on from the
 * one before. What was not there in time is told in them as lost, to the last record. They are in
 * the order of time, but for hits of programs that were on their way when the flight was turned,
 * which stand in the one before.
 */
#ifndef KT_TRACE_FLIGHT_TEXT_H
#define KT_TRACE_FLIGHT_TEXT_H

#include <stdint.h>

struct kt_error;
struct kt_flight;
struct kt_recording;
struct kt_flight_text;

/* On error NULL. */
struct kt_flight_text *kt_flight_text_new(struct kt_error *err);
void kt_flight_text_free(struct kt_flight_text *t);

/*
 * The next trace of a flight, always of the same one, which may have been opened anew since the
 * last; its files in the directory dir, which remains the caller's, and is locked (flock(2)), so
 * that its reader knows that it grows. How the events' records are made up is read from tracefs
 * again, some 0.1 ms each, and how the tasks are called. 0; -EAGAIN: the flight has been turned to
 * rings that were made since it was opened, and is to be opened once more; or -errno.
 */
int kt_flight_text_begin(struct kt_flight_text *t, const struct kt_flight *f, int tracefs,
			 const char *version, int dir, struct kt_error *err);

/*
 * All that was hit until now, on every CPU, and was neither copied yet nor overwritten. 1; 0: that
 * was all of this trace, as the flight has been turned, which takes as long as kt_rcu_wait
 * (hook/rcu_wait.h); or -errno, as of kt_ring_peek_next (trace/ring_peek.h) and of writing: what it
 * has copied by then is a valid trace, to be read to its end if it is ended, and the rest comes the
 * next time. The flight is that of its begin.
 */
int kt_flight_text_copy(struct kt_flight_text *t, const struct kt_flight *f, struct kt_error *err);

/* Until when it is whole, with all that is in it: ns of CLOCK_MONOTONIC. 0: nothing is there yet.
 */
uint64_t kt_flight_text_until(const struct kt_flight_text *t);

/* Of the trace that has begun, where it goes, to have its addresses named. */
struct kt_recording *kt_flight_text_recording(const struct kt_flight_text *t);

/*
 * Nothing more goes into the trace that has begun, at any time: the next one goes on. Nothing is
 * kept but some 100 bytes a ring.
 */
void kt_flight_text_end(struct kt_flight_text *t);

#endif
