/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command that is recorded: found before anything else is done, begun when all is ready.
 *
 *	struct workload w;
 *	int status = workload_find(&w, "record", argv);	// ktrace's signals are still untouched
 *	...
 *	status = workload_begin(&w, "record", session);	// from here on it is recorded
 *	do
 *		sigwaitinfo(&signals, &info);
 *	while (!workload_ended(&w, &info));
 *	printf("%d\n", w.status);
 *	workload_free(&w);
 *
 * It gets what ktrace was given: descriptors, signals, limits, standard input. It is never killed.
 */
#ifndef KT_APP_CONTROL_WORKLOAD_H
#define KT_APP_CONTROL_WORKLOAD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct kt_session;
struct kt_signal_log;

enum { WORKLOAD_SIGNALS = 3 };

struct workload {
	const char *by; /* the subcommand */
	char **argv;
	char *path;      /* of its program */
	pid_t pid;       /* from its beginning to its end, else 0 */
	bool is_stopped; /* by its terminal */
	int status;      /* once it has ended, as a shell has it: 128 + the signal that killed it */

	/* Who else is sent ktrace's signals; the caller's. NULL: not known. */
	struct kt_signal_log *signal_log;

	/* As ktrace was given them. */
	sigset_t mask;
	struct sigaction signals[WORKLOAD_SIGNALS]; /* that ktrace treats otherwise */
};

/*
 * Looks for argv[0] as execvp does, and takes down what ktrace was given. Returns the exit status,
 * having said what is wrong. Nothing is to be freed unless EXIT_OK.
 */
int workload_find(struct workload *w, const char *command, char **argv);
void workload_free(struct workload *w);

/*
 * Runs it, followed by the session (kt_session_follow) from its execve on; with s NULL by none.
 * SIGCHLD is to be blocked, and is never ignored from here on. Returns the exit status, having said
 * what is wrong.
 */
int workload_begin(struct workload *w, const char *command, struct kt_session *s);

/*
 * Whether it has ended, upon a signal that ktrace got. Signals are handed on to the command, but
 * for those that it got as well: from its terminal (Ctrl-C, Ctrl-\, hang-up), or sent to the whole
 * process group. If its terminal stopped it, it is continued first, so that the signal can act.
 */
bool workload_has_ended(struct workload *w, const siginfo_t *info);

#endif
