/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that a person names, by their numbers.
 *
 *	struct processes p = {0};
 *
 *	if (processes_add(&p, optarg, &err) < 0)	// "812,1307"
 *		return say_error("record", &err);
 *	...
 *	if (processes_follow(&p, session, &err) < 0)
 *		...
 *	while (!processes_have_ended(&p))
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

/* Zeroed there are none. A number stays with its process even where that ends, by its pidfd. */
struct processes {
	size_t n;
	pid_t *pids;
	struct pollfd *fds; /* of n */
};

/*
 * One or several, with commas between them; one that is there already is no second one. They have
 * to run. 0; or -errno, and where in the text: ESRCH for what is no process, or none any more.
 */
int processes_add(struct processes *p, const char *text, struct kt_error *err);
void processes_free(struct processes *p);

/* From here on the session looks at them (kt_session_follow). 0 or -errno. */
int processes_follow(struct processes *p, struct kt_session *s, struct kt_error *err);

/* Says how their tasks are called (kt_session_log_task_names). 0 or -errno. */
int processes_name(const struct processes *p, struct kt_session *s, struct kt_error *err);

/* Whether there were any, and all have. One system call. */
bool processes_have_all_ended(struct processes *p);

#endif
