/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events of a flight are recorded, and whether any is (doc/flight.md).
 *
 *	struct kt_flight_control *s = kt_flight_switches(flight);	// of one that is held
 *
 *	kt_flight_control_disable(s, event);
 *	kt_flight_control_commit(s, &err);
 *
 *	struct kt_probes probes = kt_buffer_sets_probes(kt_flight_banks(flight));
 *
 *	kt_flight_control_enable(s, event, &probes, as, &refused, &err);
 *	kt_flight_control_commit(s, &err);
 *
 *	kt_flight_control_pause(s);
 *	kt_flight_control_commit(s, &err);
 *
 *	kt_flight_control_focus(s, &tids, &err);
 *	kt_flight_control_commit(s, &err);
 *
 *	kt_flight_control_filter(s, event, &probes, as, &refused, &err);
 *	kt_flight_control_commit(s, &err);
 *
 * and, of one that is only looked at too:
 *
 *	kt_flight_control_at(s, event).number == 0
 *	kt_flight_control_opened(s).is_open
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
 * Those of what is pinned in a directory, which outlives them, as about does. On error NULL;
 * -EPROTO for what no ktrace has left there.
 */
struct kt_flight_control *kt_flight_control_from(int dir, const struct kt_flight_info *about,
						 struct kt_error *err);
void kt_flight_control_free(struct kt_flight_control *s);

/* Of an event, that of its program which records, or 0; and since when it is so. */
struct kt_switched kt_flight_control_at(const struct kt_flight_control *s, size_t event);

/*
 * Whether what records an event that is enabled has been removed from bpffs, by somebody else: then
 * hits are missing, and how many the kernel has kept back is not known any more. One that is
 * disabled, and enabled again behind that, is whole again. Two system calls.
 */
bool kt_flight_control_is_broken(const struct kt_flight_control *s, size_t event);

/* When an event's hits were all recorded (kt_flight_control_at): where it is broken, at no time. */
struct kt_time_span kt_flight_control_complete(const struct kt_flight_control *s, size_t event);

/* Where its gate is shut it is paused, and none of them is recorded; and since when it is so. */
struct kt_opened kt_flight_control_opened(const struct kt_flight_control *s);

/*
 * The tasks that it is focused on, which are then for kt_tid_bitmap_free, and are not to be
 * changed; if it is on none, all tasks' hits are recorded, and there are none. 0 or -errno.
 */
int kt_flight_control_focused(const struct kt_flight_control *s, struct kt_tid_bitmap *tids,
			      struct kt_error *err);

/* What its programs look for them with, a map, which remains its own. */
int kt_flight_control_focus_fd(const struct kt_flight_control *s);

/* Whether about tells of it as it is now: filters have not been changed since it was read. */
bool kt_flight_control_are_current(const struct kt_flight_control *s);

/* Its hits that the kernel kept back while it was recorded (kt_program_missed). Two system calls.
 */
uint64_t kt_flight_control_missed(const struct kt_flight_control *s, size_t event);

/*
 * The rest is for who holds the flight. Of events that are disabled no hit is recorded from the
 * commit on, and of those that are enabled every one, which is one moment for all of them. Whoever
 * is killed before it, or does without it, leaves the flight as it was.
 */
void kt_flight_control_disable(struct kt_flight_control *s, size_t event);

/*
 * Of one that is paused no hit is recorded, until it is resumed, whatever is enabled then; programs
 * stay attached, and cost next to nothing.
 */
void kt_flight_control_pause(struct kt_flight_control *s);
void kt_flight_control_resume(struct kt_flight_control *s);

/*
 * Has no hits recorded any more but those of these tasks: where one of them runs, or is what the
 * event is about (events/event_target.h); of others they are filtered. NULL: those of all tasks.
 * Costs some 10 ms, and half a MiB as long as it is focused. 0; or -errno, and it remains as it
 * was.
 */
int kt_flight_control_focus(struct kt_flight_control *s, const struct kt_tid_bitmap *tids,
			    struct kt_error *err);

/*
 * Makes the program of one that is disabled, and attaches it: kt_probes_attach. The event is as
 * tracefs and about have it, and remains the caller's. 0; or -errno, and it stays as it was.
 */
int kt_flight_control_enable(struct kt_flight_control *s, size_t event, struct kt_probes *probes,
			     struct kt_event *as, struct kt_error *refused, struct kt_error *err);

/*
 * The event, which is as they have it but for its filter, is recorded with that from then on: one
 * that is enabled gets another program, as above. Once until the commit. 0; or -errno, and it stays
 * as it was: -EBUSY for an entry that chooses calls whose returns another event is to record.
 */
int kt_flight_control_filter(struct kt_flight_control *s, size_t event, struct kt_probes *probes,
			     struct kt_event *as, struct kt_error *refused, struct kt_error *err);

/*
 * Then programs are detached that record no more, as the kernel comes to it; and
 * kt_flight_control_tidy detaches what was left by who was killed. Some µs an event, and where it
 * is focused 10 ms, and where filters were changed of events that are recorded as much: so long no
 * hit of those is, or for a second where who does so is killed meanwhile. About is not current any
 * more then. 0; or -errno, where some is not detached, or it could not be done: -EBUSY where
 * returns were to be recorded of calls that an entry chooses which is not.
 */
int kt_flight_control_commit(struct kt_flight_control *s, struct kt_error *err);
int kt_flight_control_tidy(struct kt_flight_control *s, struct kt_error *err);

#endif
