/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a flight holds and what comes, as a trace that grows, while the flight is written, which
 * goes on: it needs nobody to hold the flight, and leaves no mark in it.
 *
 *	struct kt_tail *t = kt_tail_new(flight, tracefs, "0.1.0", dir, &err);
 *
 *	kt_tail_copy(t, flight, &err);
 *	reader = kt_reader_open(path, &err);
 *	do {
 *		kt_reader_go_on(reader, kt_tail_until(t));
 *		while (kt_reader_next(reader, &hit, &err) > 0)
 *			print(&hit);
 *	} while (kt_tail_copy(t, flight, &err) == 0);
 *	kt_tail_free(t);				// before the flight
 *
 * It begins with the oldest record. It is in the order of time, however often it is read on.
 */
#ifndef KT_TRACE_TAIL_H
#define KT_TRACE_TAIL_H

#include <stdint.h>

struct kt_error;
struct kt_flight;
struct kt_recording;
struct kt_tail;

/*
 * Of a flight that is open, its files in the directory dir, which remains the caller's, and is
 * locked (flock(2)), so that its reader knows that it grows. How the events' records are made up is
 * read from tracefs again, some 0.1 ms each. -EAGAIN: it has been turned to rings that were made
 * since it was opened, and is to be opened once more. On error NULL.
 */
struct kt_tail *kt_tail_new(const struct kt_flight *f, int tracefs, const char *version, int dir,
			    struct kt_error *err);
void kt_tail_free(struct kt_tail *t);

/*
 * All that was hit until now, on every CPU, and was neither copied yet nor overwritten, which is
 * told as lost; and some that was hit later. 0; -EAGAIN: the flight has been turned; or -errno, as
 * of kt_peek_next (trace/peek.h) and of writing: the files are a valid trace then too.
 */
int kt_tail_copy(struct kt_tail *t, const struct kt_flight *f, struct kt_error *err);

/* Until when it is whole: ns of CLOCK_MONOTONIC. 0: nothing is there yet. */
uint64_t kt_tail_until(const struct kt_tail *t);

/* Where it goes, to have its addresses named. */
struct kt_recording *kt_tail_recording(const struct kt_tail *t);

#endif
