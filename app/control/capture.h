/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a session for a command line: which events, of which processes, until what end.
 *
 *	struct event_option options[] = {{.patterns = "sched_switch"}, {}};
 *	struct capture_request w = {.by = "record", .event_options = options};
 *
 *	return capture(&w, use, arg);
 *
 *	static int use(struct capture *c, void *arg)
 *	{
 *		kt_session_start(c->session);
 *		status = capture_begin(c);
 *		while (!capture_has_ended(c, 50000))
 *			...
 *		kt_session_stop(c->session);
 *		return capture_end(c);
 *	}
 */
#ifndef KT_APP_CONTROL_CAPTURE_H
#define KT_APP_CONTROL_CAPTURE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/cli/event_selection.h"
#include "app/cli/options.h"
#include "app/cli/process_list.h"
#include "app/control/workload.h"

struct kt_session;

struct capture_request {
	const char *by;                     /* subcommand */
	struct event_option *event_options; /* an array; the last has no patterns */
	struct processes processes;         /* traced with their children */
	bool all;                           /* trace the whole machine */
	bool self;                          /* with ktrace's own system calls */
	bool *cpus;                         /* by CPU: only hits there; NULL: everywhere */
	char **command;    /* traced as long as it runs; only this command, unless something else is
			      given; NULL: none */
	uint64_t duration; /* ns, from the start of the command on; 0: no limit */
	uint64_t ring;     /* bytes per CPU; 0: by the machine (ring/ring_size.h) */
	uint64_t bytes_max; /* of pointed-to data of system calls */
	bool paths;         /* record the paths of their descriptors */
	bool named;         /* log the names of tasks */
	bool nested;        /* record hits that come while the event's own program runs */
	const char *dir;    /* where the trace will be, checked before attaching; NULL: nowhere */
	bool dump;          /* print the programs, and do nothing else */
};

/* Rows of the options that select what is captured; `member` is a struct capture_request. */
/* clang-format off */
#define CAPTURE_OPTIONS(settings, member) \
	OPTION_EVENT(settings, member.event_options), \
	OPTION_FILTER(settings, member.event_options), \
	OPTION_ALL(settings, member.all), \
	OPTION_PID(settings, member.processes), \
	OPTION_CPUS(settings, member.cpus), \
	OPTION_DURATION(settings, member.duration), \
	OPTION_SELF(settings, member.self)
/* clang-format on */

/*
 * Completes a request whose options are parsed: with the command in argv, if there is one, and the
 * default events. Returns the exit status; errors are reported.
 */
int capture_request_end(struct capture_request *w, char **argv);
void capture_request_free(struct capture_request *w);

/*
 * Return whether only the command is traced, not just as long as it runs; whether the whole machine
 * is.
 */
bool capture_is_of_command(const struct capture_request *w);
bool capture_is_of_all(const struct capture_request *w);

struct capture {
	struct capture_request *request;
	struct kt_session *session;
	size_t skipped;           /* events that could not be attached, which were reported */
	struct workload workload; /* of the command */

	/* Private: */
	sigset_t signals; /* end the capture */
	bool ended;
	uint64_t until; /* end of the duration; 0: none */
};

/*
 * Creates the session and calls use(c, arg), when everything is attached and nothing is started.
 * Returns the exit status: that of use(), if it was called. Errors before and after it are
 * reported.
 */
int capture(struct capture_request *w, int use(struct capture *c, void *arg), void *arg);

/*
 * Starts the command, if there is one; the session must be started. Returns the exit status; errors
 * are reported.
 */
int capture_begin(struct capture *c);

/*
 * Returns whether the capture has ended, by a signal, with the command or the processes, or after
 * its duration; waits for that up to `us` microseconds.
 */
bool capture_has_ended(struct capture *c, long us);

/*
 * Returns how many microseconds to sleep between two reads of the rings: a quarter of the time in
 * which 200 MB/s fill a ring, within 1 and 100 ms.
 */
long capture_interval(const struct capture *c);

/*
 * Ends the capture after the session was stopped. A command that still runs continues without
 * probes, and is waited for. Returns its exit status, or EXIT_OK.
 */
int capture_end(struct capture *c);

#endif
