/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Serves a control tree by FUSE.
 *
 *	struct fs_server *s = fs_server_mount(&fs, &mount_point, group, &err);
 *
 *	status = fs_server_run(s, &signals, &err);	// until unmounted, or a signal
 *	fs_server_free(s);				// unmounts it
 */
#ifndef KT_APP_FS_FS_SERVER_H
#define KT_APP_FS_FS_SERVER_H

#include <signal.h>
#include <sys/types.h>

struct kt_error;
struct mount_point;
struct fs_server;
struct fs_flight;

/*
 * Mounts the tree. Members of the group may read it, unless the group is 0. The mount point and the
 * flight remain the caller's and must outlive the server. Returns NULL on error.
 */
struct fs_server *fs_server_mount(struct fs_flight *fs, struct mount_point *m, gid_t group,
				  struct kt_error *err);

/*
 * Continues in a background process, in / and without output; the calling process exits with status
 * 0.
 */
int fs_server_daemonize(struct kt_error *err);

/*
 * Serves requests until the tree is unmounted or one of the signals, which must be blocked, is
 * pending. Returns 0 or -errno.
 */
int fs_server_run(struct fs_server *s, const sigset_t *signals, struct kt_error *err);
void fs_server_free(struct fs_server *s);

#endif
