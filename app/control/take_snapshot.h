/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes a snapshot: what a flight holds becomes a trace; and reports it.
 *
 *	struct snapshot_request t = {.name = "flight", .signals = &signals, .tracefs = tracefs};
 *
 *	if (check_snapshot(&t, &err) == 0)
 *		status = take_snapshot(&t, flight);
 */
#ifndef KT_APP_CONTROL_TAKE_SNAPSHOT_H
#define KT_APP_CONTROL_TAKE_SNAPSHOT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/provenance.h"

struct kt_error;
struct kt_flight;

struct snapshot_request {
	const char *name; /* of the flight */
	const char *dir;  /* the trace's directory; NULL: flight name and time */
	bool is_dated;    /* append the time to dir; to a dir of the form DIR/, the default name */
	int tracefs;
	const sigset_t *signals; /* end it (app/cli/signals.h) */
	struct kt_occasion hit;  /* hit that it is taken for; all zeros: none */

	uint64_t from; /* set by take_snapshot(): ns of CLOCK_MONOTONIC since which the snapshot has
			  everything, on every CPU */
};

/*
 * Checks whether the snapshot could be written now, to find the most frequent errors early. Returns
 * 0 or -errno.
 */
int check_snapshot(const struct snapshot_request *t, struct kt_error *err);

/*
 * Takes a snapshot of a locked flight by swapping its buffer sets; writes first what an interrupted
 * snapshot left. What is not written remains for the next one. Returns the exit status; errors are
 * reported.
 */
int take_snapshot(struct snapshot_request *t, struct kt_flight *flight);

#endif
