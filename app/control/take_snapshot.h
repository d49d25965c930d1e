/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taking a snapshot: what a flight holds becomes a trace, and all of it is told.
 *
 *	struct snapshot_request t = {.name = "flight", .signals = &signals, .tracefs = tracefs};
 *
 *	if (check_take(&t, &err) == 0)
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
	const char *dir;  /* where to; NULL: it is called like the flight, and the time */
	bool is_dated;    /* dir and the time, or the same as without one, within a dir of DIR/ */
	int tracefs;
	const sigset_t *signals; /* that end it (app/cli/signals.h) */
	struct kt_occasion hit;  /* for which it is; none: for no hit */

	uint64_t from; /* ns of CLOCK_MONOTONIC: in the last one is all since then, on every CPU */
};

/* Whether it could be there that is taken now; what goes wrong most is found out before. */
int check_snapshot(const struct snapshot_request *t, struct kt_error *err);

/*
 * Of a flight that is held, and is turned for it: first what one before was interrupted at, then
 * what there is now. Returns the exit status, having said what is wrong, and then all that is not
 * written is kept for the next one.
 */
int take_snapshot(struct snapshot_request *t, struct kt_flight *flight);

#endif
