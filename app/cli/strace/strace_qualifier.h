/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses strace's -e: which system calls and signals to show.
 *
 *	struct strace_qualifiers q = {.command = "strace", .event_options = options};
 *
 *	...
 *	case 'e':
 *		status = strace_qualifiers_add(&q, optarg);
 *		break;
 *	...
 *	status = strace_qualifiers_end(&q, true, true);	// all calls, if none was named
 *	...
 *	strace_qualifiers_free(&q);		// the options remain the caller's
 */
#ifndef KT_APP_CLI_STRACE_STRACE_QUALIFIER_H
#define KT_APP_CLI_STRACE_STRACE_QUALIFIER_H

#include <stdbool.h>
#include <stddef.h>

struct event_option;

/* Calls, signals and ends of threads. */
enum { QUALIFIERS_MORE = 3 };

struct strace_qualifiers {
	const char *command;                /* prefix of messages */
	struct event_option *event_options; /* with room for QUALIFIERS_MORE more than arguments */
	unsigned int stacks; /* that are recorded with calls, and other events that are named
				(bpf/callstacks.h) */

	/* Private, all 0 at first: */
	bool of_signals; /* the last qualifier was of signals */
	bool has_calls;  /* calls are selected, all of them if only a filter was given; or none */
	bool of_all;     /* all calls are selected */
	bool none;       /* no calls are */
	char *signals;   /* filter of the signals to show; "": none; NULL: all */
	char **patterns; /* of calls */
	size_t n;
};

/*
 * Add a qualifier, or what follows its "trace=" or "signal=". Return the exit status; errors are
 * reported.
 */
int strace_qualifiers_add(struct strace_qualifiers *q, const char *text);
int strace_qualifiers_add_calls(struct strace_qualifiers *q, const char *list);
int strace_qualifiers_add_signals(struct strace_qualifiers *q, const char *list);

/*
 * Adds a filter to the calls of the qualifier before it, or to all calls if there is none. Returns
 * the exit status; errors are reported.
 */
int strace_qualifiers_add_filter(struct strace_qualifiers *q, const char *text);

/*
 * Ends the list: adds signals and ends of tasks, if they are to be shown. Returns the exit status.
 */
int strace_qualifiers_end(struct strace_qualifiers *q, bool signals, bool ends);
void strace_qualifiers_free(struct strace_qualifiers *q);

#endif
