/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports the same error of many events once.
 *
 *	struct error_dedup r = {.command = "record"};
 *
 *	for (...)
 *		error_dedup_report(&r, &err);	// unknown field 'ret'; ...
 *	error_dedup_end(&r);			// the same for 359 more events
 */
#ifndef KT_APP_CLI_ERROR_DEDUP_H
#define KT_APP_CLI_ERROR_DEDUP_H

#include <stddef.h>

struct kt_error;

struct error_dedup {
	const char *command; /* prefix of messages */

	/* Private, all 0 at first: */
	struct kt_error *reported; /* reported errors that have a place in the user's text */
	size_t n, more;
};

/* Reports an error, unless one at the same place of the same text was reported. */
void error_dedup_report(struct error_dedup *r, const struct kt_error *err);

/* Reports how many more there were, if any. */
void error_dedup_end(struct error_dedup *r);

#endif
