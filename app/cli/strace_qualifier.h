/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What strace's -e says is to be seen: system calls, and signals.
 *
 *	struct strace_qualifiers q = {.command = "strace", .picks = picks};
 *
 *	...
 *	case 'e':
 *		status = qualifier_add(&q, optarg);
 *		break;
 *	...
 *	status = qualifiers_end(&q, true);	// all calls, if none was named; signals and ends
 *	...
 *	qualifiers_free(&q);			// the picks remain the caller's
 */
#ifndef KT_APP_CLI_STRACE_QUALIFIER_H
#define KT_APP_CLI_STRACE_QUALIFIER_H

#include <stdbool.h>
#include <stddef.h>

struct event_option;

/* Calls, signals and ends of threads. */
enum { QUALIFIERS_MORE = 3 };

struct strace_qualifiers {
	const char *command; /* who says what is wrong */
	struct event_option
		*event_options; /* with room for QUALIFIERS_MORE than there are arguments */

	/* Its own, all 0 at first. */
	bool of_signals; /* the last one */
	bool has_calls;  /* some are named, or by a filter all */
	bool of_all;     /* they are */
	char *signals;   /* a filter of those that are wanted; "": of none; NULL: all are */
	char **patterns; /* of the calls */
	size_t n;
};

/* They return the exit status, having said what is wrong. */
int strace_qualifiers_add(struct strace_qualifiers *q, const char *text);

/* Of the calls that the one before it names, or of all if none is, only these, by a filter. */
int strace_qualifiers_add_filter(struct strace_qualifiers *q, const char *text);

/* Once all are added. Signals and the ends of tasks are none where only calls are to be seen. */
int strace_qualifiers_end(struct strace_qualifiers *q, bool signals, bool ends);
void strace_qualifiers_free(struct strace_qualifiers *q);

#endif
