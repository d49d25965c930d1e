/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wrong with one event after the other, and is said of the first of them.
 *
 *	struct error_dedup r = {.command = "record"};
 *
 *	for (...)
 *		say_once(&r, &err);	// it has no field 'ret'; ...
 *	end_repeats(&r);		// the same is true of 359 more events
 */
#ifndef KT_APP_CLI_ERROR_DEDUP_H
#define KT_APP_CLI_ERROR_DEDUP_H

#include <stddef.h>

struct kt_error;

struct error_dedup {
	const char *command; /* who says it */

	/* Its own, all 0 at first. */
	struct kt_error *reported; /* those that lie in what somebody typed */
	size_t n, more;
};

/* Unless an error in the same place of the same text has been said. */
void error_dedup_report(struct error_dedup *r, const struct kt_error *err);

/* How many more there were, if any. */
void error_dedup_end(struct error_dedup *r);

#endif
