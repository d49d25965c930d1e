/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events that were chosen (app/choice.h), as a session's, or as those that are watched.
 *
 *	raise_files();
 *	...
 *	size_t skipped = 0;
 *	int status = attach(session, &choice, "record", ended, NULL, &skipped);
 */
#ifndef KT_APP_ATTACH_H
#define KT_APP_ATTACH_H

#include <stdbool.h>
#include <stddef.h>

struct choice;
struct kt_session;
struct kt_watch;

/*
 * As many files as this process may open: every probe takes two. Where that is refused, attaching
 * will say so.
 */
void raise_files(void);

/*
 * Adds them one after the other, until ended(arg) says that no more are wanted. What cannot be
 * recorded is said, skipped and counted, as long as something is left; where rights are missing it
 * is said once. Returns the exit status, having said what is wrong.
 */
int attach(struct kt_session *s, const struct choice *c, const char *command, bool ended(void *arg),
	   void *arg, size_t *skipped);
int attach_watch(struct kt_watch *w, const struct choice *c, const char *command,
		 bool ended(void *arg), void *arg, size_t *skipped);

#endif
