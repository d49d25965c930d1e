/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that a user names by number (-p).
 *
 *	struct processes p = {0};
 *
 *	if (processes_add(&p, optarg, &err) < 0)	// "812,1307"
 *		return report_error("record", &err);
 *	...
 *	if (processes_follow(&p, session, &err) < 0)
 *		...
 *	while (!processes_have_all_ended(&p))
 *		...
 *	processes_free(&p);
 */
#ifndef KT_APP_CLI_PROCESS_LIST_H
#define KT_APP_CLI_PROCESS_LIST_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct kt_error;
struct kt_session;

/* All zeros: none. A pidfd keeps each number's meaning when its process ends. */
struct processes {
	size_t n;
	pid_t *pids;
	struct pollfd *fds; /* n of them */
};

/*
 * Adds one or several numbers, separated by commas; duplicates are ignored. The processes must be
 * running. Returns 0; or -errno, with the place in the text: ESRCH if there is no such process.
 */
int processes_add(struct processes *p, const char *text, struct kt_error *err);
void processes_free(struct processes *p);

/* Makes the session follow the processes from here on (kt_session_follow). Returns 0 or -errno. */
int processes_follow(struct processes *p, struct kt_session *s, struct kt_error *err);

/* Logs the names of their tasks (kt_session_log_task_names). Returns 0 or -errno. */
int processes_name(const struct processes *p, struct kt_session *s, struct kt_error *err);

/* Returns whether there were processes, and all have ended. Takes one system call. */
bool processes_have_all_ended(struct processes *p);

#endif
