/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A control tree where one can reach it: by FUSE.
 *
 *	struct server *s = server_mount(&subject, &mount_point, group, &err);
 *
 *	status = server_run(s, &signals, &err);	// until it is unmounted, or one of these comes
 *	server_free(s);				// and it is unmounted
 */
#ifndef KT_APP_FS_FS_SERVER_H
#define KT_APP_FS_FS_SERVER_H

#include <signal.h>
#include <sys/types.h>

struct kt_error;
struct mount_point;
struct server;
struct subject;

/*
 * Mounts the tree at the mount point. Members of the group may read it, unless the group is 0. The
 * mount point and the subject stay the caller's, and must outlive the server. On error NULL.
 */
struct server *server_mount(struct subject *subject, struct mount_point *m, gid_t group,
			    struct kt_error *err);

/* The process goes on in the background, on / and with no output, while its caller gets a 0 of it.
 */
int server_detach(struct kt_error *err);

/* The signals are blocked. 0 or -errno. */
int server_run(struct server *s, const sigset_t *signals, struct kt_error *err);
void server_free(struct server *s);

#endif
