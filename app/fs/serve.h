/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A control tree where one can reach it: by FUSE.
 *
 *	struct server *s = server_mount(&subject, "/mnt", group, &err);
 *
 *	status = server_run(s, &signals, &err);	// until it is unmounted, or one of these comes
 *	server_free(s);				// and it is unmounted
 */
#ifndef KT_APP_FS_SERVE_H
#define KT_APP_FS_SERVE_H

#include <signal.h>
#include <sys/types.h>

struct kt_error;
struct server;
struct subject;

/*
 * The place is an absolute path; a group that is not 0 may read. The place and the subject stay the
 * caller's. On error NULL.
 */
struct server *server_mount(struct subject *subject, const char *place, gid_t group,
			    struct kt_error *err);

/* The process goes on in the background, on / and with no output, while its caller gets a 0 of it.
 */
int server_detach(struct kt_error *err);

/* The signals are blocked. 0 or -errno. */
int server_run(struct server *s, const sigset_t *signals, struct kt_error *err);
void server_free(struct server *s);

#endif
