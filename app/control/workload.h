/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command that is traced: found before anything else, started when everything is ready.
 *
 *	struct workload w;
 *	int status = workload_find(&w, "record", argv);	// before signals are changed
 *	...
 *	status = workload_begin(&w, "record", session);	// recorded from here on
 *	do
 *		sigwaitinfo(&signals, &info);
 *	while (!workload_has_ended(&w, &info));
 *	printf("%d\n", w.status);
 *	workload_free(&w);
 *
 * The command gets descriptors, signals, limits and standard input as ktrace got them. It is never
 * killed.
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
	const char *by; /* subcommand */
	char **argv;
	char *path;      /* of the program */
	pid_t pid;       /* while it runs, else 0 */
	bool is_stopped; /* by its terminal */
	int status;      /* after its end, as in a shell: 128 + the signal that killed it */

	/* the caller's log of signals that the command got, too; NULL: none */
	struct kt_signal_log *signal_log;

	/* as ktrace got them */
	sigset_t mask;
	struct sigaction signals[WORKLOAD_SIGNALS]; /* signals that ktrace handles differently */
};

/*
 * Finds argv[0] as execvp() does, and notes what ktrace was given. Returns the exit status; errors
 * are reported. Nothing must be freed unless it is EXIT_OK.
 */
int workload_find(struct workload *w, const char *command, char **argv);
void workload_free(struct workload *w);

/*
 * Starts the command, followed by the session (kt_session_follow) from its execve on; s NULL: by
 * none. SIGCHLD must be blocked, and is not ignored from here on. Returns the exit status; errors
 * are reported.
 */
int workload_begin(struct workload *w, const char *command, struct kt_session *s);

/*
 * Returns whether the command has ended, after a signal that ktrace got. Forwards signals to the
 * command, except those that it got, too: from its terminal (Ctrl-C, Ctrl-\, hang-up), or sent to
 * the whole process group. If its terminal stopped it, it is continued first, so that the signal
 * can act.
 */
bool workload_has_ended(struct workload *w, const siginfo_t *info);

#endif
