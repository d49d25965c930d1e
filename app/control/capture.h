/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is to be looked at, and a session that does, for as long as it is to.
 *
 *	struct event_option picks[] = {{.patterns = "sched_switch"}, {}};
 *	struct capture_request w = {.by = "record", .picks = picks, .ring = 4 << 20};
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
#include "app/cli/process_list.h"
#include "app/control/workload.h"

struct kt_session;

struct capture_request {
	const char *by;                     /* the subcommand */
	struct event_option *event_options; /* up to one without patterns */
	struct processes processes;         /* they are looked at, with what they fork */
	bool all;                           /* the whole machine is */
	bool *cpus;                         /* all that is, there alone; or NULL */
	char **command;     /* while it runs, and it alone where nothing else is said; or NULL */
	uint64_t ring;      /* bytes, one a CPU */
	uint64_t bytes_max; /* of what system calls read and write */
	bool paths;         /* and of their descriptors the files' paths */
	bool named;         /* with the tasks' names */
	bool nested;        /* and hits that come while the event's own program runs */
	const char *dir;    /* where a trace is to go, or NULL: looked at before all is attached */
	bool dump;          /* the programs to standard output, and nothing else */
};

/* Whether the command is what is looked at, and not just as long as that; or everybody is. */
bool capture_is_of_command(const struct capture_request *w);
bool capture_is_of_all(const struct capture_request *w);

struct capture {
	struct capture_request *request;
	struct kt_session *session;
	size_t skipped;           /* events that could not be had, which has been said */
	struct workload workload; /* the command's */

	/* Its own. */
	sigset_t signals; /* that end it */
	bool ended;
};

/*
 * Calls use(c, arg) once all is attached and nothing has been started. Returns the exit status,
 * which is use's where it came to that; what is wrong before and after it is said.
 */
int capture(struct capture_request *w, int use(struct capture *c, void *arg), void *arg);

/*
 * The command, if there is one, for which the session is to have been started. Returns the exit
 * status, having said what is wrong.
 */
int capture_begin(struct capture *c);

/*
 * Whether it has been ended, by a signal, or with the command or the processes; waits for that so
 * long, in microseconds.
 */
bool capture_has_ended(struct capture *c, long us);

/*
 * How long to sleep, in microseconds, between two times at which rings are emptied: a quarter of
 * the time in which 200 MB/s fill a ring, within 1 and 100 ms.
 */
long capture_interval(const struct capture *c);

/*
 * Once the session is stopped. A command that still runs goes on without probes, and is waited for.
 * Returns its exit status, or EXIT_OK.
 */
int capture_end(struct capture *c);

#endif
