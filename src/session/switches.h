/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events of a flight are recorded (doc/flight.md).
 *
 *	struct kt_switches *s = kt_flight_switches(flight);	// of one that is held
 *
 *	kt_switches_disable(s, event);
 *	kt_switches_commit(s, &err);
 *
 * and, of one that is only looked at too:
 *
 *	kt_switches_at(s, event).number == 0
 */
#ifndef KT_SESSION_SWITCHES_H
#define KT_SESSION_SWITCHES_H

#include <stddef.h>
#include <stdint.h>

#include "session/gate.h"

struct kt_about;
struct kt_error;
struct kt_switches;

/*
 * Those of what is pinned in a directory, which outlives them, as about does. On error NULL;
 * -EPROTO for what no ktrace has left there.
 */
struct kt_switches *kt_switches_from(int dir, const struct kt_about *about, struct kt_error *err);
void kt_switches_free(struct kt_switches *s);

/* Of an event, that of its program which records, or 0; and since when it is so. */
struct kt_switched kt_switches_at(const struct kt_switches *s, size_t event);

/* Its hits that the kernel kept back while it was enabled (kt_program_missed). Two system calls. */
uint64_t kt_switches_missed(const struct kt_switches *s, size_t event);

/*
 * The rest is for who holds the flight. Of events that are disabled no hit is recorded from the
 * commit on, which is one moment for all of them; and then their programs are detached, as the
 * kernel comes to it. Whoever is killed meanwhile leaves the flight as it was, or with the events
 * disabled, and kt_switches_tidy detaches what is not. Some µs an event. 0; or -errno, where some
 * is not detached.
 */
void kt_switches_disable(struct kt_switches *s, size_t event);
int kt_switches_commit(struct kt_switches *s, struct kt_error *err);
int kt_switches_tidy(struct kt_switches *s, struct kt_error *err);

#endif
