/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots of a flight at every hit of a trigger, as long as somebody waits for them.
 *
 *	struct snapshot_on v = {.picks = picks, .every = 10000000000, .take = &take};
 *
 *	status = keep_vigil(&v);
 */
#ifndef KT_APP_CONTROL_SNAPSHOT_ON_H
#define KT_APP_CONTROL_SNAPSHOT_ON_H

#include <stdint.h>

struct event_option;
struct snapshot_request;

struct snapshot_on {
	struct event_option *event_options; /* which events, and which hits of theirs */
	uint64_t after;                     /* ns that the flight goes on behind a hit */
	uint64_t every;                     /* ns from one snapshot to the next, or more */
	uint64_t max;                       /* snapshots, after which it ends; 0: never */
	struct snapshot_request *take;      /* how they are made; its tracefs is set here */
};

/*
 * Until a signal of take's comes, or the flight is not there any more. A hit within what a snapshot
 * is made of has no other one; all that are known later have. Returns the exit status, having said
 * what is wrong.
 */
int snapshot_on_run(const struct snapshot_on *v);

#endif
