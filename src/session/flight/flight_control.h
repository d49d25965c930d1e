/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control of a flight recorder: which events are recorded, and whether any is (doc/flight.md).
 * Changes are prepared, and take effect together at the commit.
 *
 *	struct kt_flight_control *s = kt_flight_get_control(flight);	// of a locked flight
 *
 *	kt_flight_control_disable(s, event);
 *	kt_flight_control_commit(s, &err);
 *
 *	struct kt_probes probes = kt_buffer_sets_probes(kt_flight_buffer_sets(flight));
 *
 *	kt_flight_control_enable(s, event, &probes, as, &refused, &err);
 *	kt_flight_control_commit(s, &err);
 *
 *	kt_flight_control_pause(s);
 *	kt_flight_control_commit(s, &err);
 *
 *	kt_flight_control_set_pid_filter(s, &tids, &err);
 *	kt_flight_control_commit(s, &err);
 *
 *	kt_flight_control_set_filter(s, event, &probes, as, &refused, &err);
 *	kt_flight_control_commit(s, &err);
 *
 * and, without the lock:
 *
 *	kt_flight_control_event(s, event).number == 0
 *	kt_flight_control_state(s).is_open
 */
#ifndef KT_SESSION_FLIGHT_FLIGHT_CONTROL_H
#define KT_SESSION_FLIGHT_FLIGHT_CONTROL_H

#include <stddef.h>
#include <stdint.h>

#include "session/enable_word.h"

struct kt_flight_info;
struct kt_error;
struct kt_event;
struct kt_probes;
struct kt_flight_control;
struct kt_tid_bitmap;

/*
 * Opens the control of a flight pinned in dir, which must stay open while the result is used, as
 * info must. Returns NULL on error; EPROTO for what no ktrace has left there.
 */
struct kt_flight_control *kt_flight_control_from(int dir, const struct kt_flight_info *info,
						 struct kt_error *err);
void kt_flight_control_free(struct kt_flight_control *s);

/*
 * Returns the state of an event: the number of the program that records it, or 0; and since when.
 */
struct kt_event_state kt_flight_control_event(const struct kt_flight_control *s, size_t event);

/*
 * Returns whether the pins of an enabled event's program were removed by another process: hits are
 * missing, and how many the kernel missed is not known any more. Disabling and enabling the event
 * mends it. Takes two system calls.
 */
bool kt_flight_control_is_broken(const struct kt_flight_control *s, size_t event);

/*
 * Returns when all hits of an event were recorded (kt_flight_control_event); never, if it is
 * broken.
 */
struct kt_time_span kt_flight_control_complete(const struct kt_flight_control *s, size_t event);

/* Returns whether the flight records or is paused, and since when. */
struct kt_enable_state kt_flight_control_state(const struct kt_flight_control *s);

/*
 * Opens the tasks of the PID filter, which must not be changed; the caller frees them
 * (kt_tid_bitmap_free). Without a filter there are none. Returns 0 or -errno.
 */
int kt_flight_control_pid_filter(const struct kt_flight_control *s, struct kt_tid_bitmap *tids,
				 struct kt_error *err);

/* Returns the map of the PID filter that programs check, which remains s's. */
int kt_flight_control_pid_filter_fd(const struct kt_flight_control *s);

/* Returns whether the info is up to date: no filter was changed since it was read. */
bool kt_flight_control_is_current(const struct kt_flight_control *s);

/*
 * Returns the hits that the kernel missed while the event was recorded (kt_probe_missed). Takes
 * two system calls.
 */
uint64_t kt_flight_control_missed(const struct kt_flight_control *s, size_t event);

/*
 * The functions that follow require the lock of the flight. From the commit on no hit of a disabled
 * event is recorded, and every hit of an enabled one, from the same moment for all. If the process
 * is killed before the commit, or does not commit, the flight is unchanged.
 */
void kt_flight_control_disable(struct kt_flight_control *s, size_t event);

/*
 * Pause and resume: of a paused flight nothing is recorded, whatever is enabled; programs remain
 * attached, at almost no cost.
 */
void kt_flight_control_pause(struct kt_flight_control *s);
void kt_flight_control_resume(struct kt_flight_control *s);

/*
 * Sets the PID filter: only hits while one of these tasks runs, or of events about one of them
 * (events/event_target.h), are recorded; others count as filtered. NULL removes the filter. Takes
 * about 10 ms, and half a MiB while a filter is set. Returns 0; or -errno, with nothing changed.
 */
int kt_flight_control_set_pid_filter(struct kt_flight_control *s, const struct kt_tid_bitmap *tids,
				     struct kt_error *err);

/*
 * Makes and attaches the program of a disabled event (kt_probes_attach). The event is as tracefs
 * and the info describe it, and remains the caller's. Returns 0; or -errno, with nothing changed.
 */
int kt_flight_control_enable(struct kt_flight_control *s, size_t event, struct kt_probes *probes,
			     struct kt_event *as, struct kt_error *refused, struct kt_error *err);

/*
 * Sets an event's filter, which is the argument's; an enabled event gets another program, as above.
 * May be called once before the commit. Returns 0; or -errno, with nothing changed: -EBUSY for an
 * entry that marks calls whose returns another event records.
 */
int kt_flight_control_set_filter(struct kt_flight_control *s, size_t event,
				 struct kt_probes *probes, struct kt_event *as,
				 struct kt_error *refused, struct kt_error *err);

/*
 * Commits the changes, and detaches programs that no longer record;
 * kt_flight_control_remove_leftovers() detaches those that a killed process left over. Takes some
 * µs per event; 10 ms with a PID filter, and 10 ms if filters of recorded events were changed:
 * during that time their hits are not recorded (for a second, if the process is killed); and at
 * most a second until programs are detached from functions of the kernel: calls under way until
 * then may have no return. Then the info is outdated. Returns 0; or -errno, if a program is not
 * detached, or nothing was done: -EBUSY if returns were to be recorded whose entry, which marks the
 * calls, is not.
 */
int kt_flight_control_commit(struct kt_flight_control *s, struct kt_error *err);
int kt_flight_control_remove_leftovers(struct kt_flight_control *s, struct kt_error *err);

#endif
