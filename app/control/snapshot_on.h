/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes a snapshot of a flight at every hit of a trigger.
 *
 *	struct snapshot_on on = {.event_options = options, .every = 10000000000, .take = &request};
 *
 *	status = snapshot_on_run(&on);
 */
#ifndef KT_APP_CONTROL_SNAPSHOT_ON_H
#define KT_APP_CONTROL_SNAPSHOT_ON_H

#include <stdint.h>

struct event_option;
struct snapshot_request;

struct snapshot_on {
	struct event_option *event_options; /* the triggers */
	uint64_t after;                     /* ns from a hit to its snapshot */
	uint64_t every;                     /* minimum ns between two snapshots */
	uint64_t max;                       /* maximum number of snapshots; 0: no limit */
	struct snapshot_request *take;      /* how to take them; its tracefs is set here */
};

/*
 * Runs until one of the request's signals, or until the flight ends. A hit within the time of a
 * snapshot gets no other one; all hits after that do. Returns the exit status; errors are reported.
 */
int snapshot_on_run(const struct snapshot_on *v);

#endif
