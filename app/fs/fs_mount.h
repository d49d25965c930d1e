/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A FUSE file system mounted on a directory, which is held open meanwhile.
 *
 *	struct mount_point m;
 *
 *	if (mount_point_open(&m, "/mnt", &err) == 0) {
 *		fd = mount_fuse(&m, "flight", &err);
 *		...				// its requests come from fd
 *		unmount_fuse(&m, fd);
 *		close(fd);
 *		mount_point_close(&m);
 *	}
 *
 * Root mounts in directories that other users can rename or replace by links: only the directory
 * that was opened is mounted on, and only what was mounted there is unmounted.
 */
#ifndef KT_APP_FS_FS_MOUNT_H
#define KT_APP_FS_FS_MOUNT_H

#include <limits.h>
#include <sys/types.h>

#include "base/resolved_path.h"

struct kt_error;

struct mount_point {
	struct kt_resolved_path place; /* parent directory, and name in it */
	int dir;                       /* the directory below the mount; O_PATH */
	char path[PATH_MAX];           /* absolute, for messages */
	dev_t device;                  /* of the file system that mount_fuse() mounted */
};

/*
 * Opens the directory, following links as kt_resolved_path_find(). Mounts nothing yet. Returns 0 or
 * -errno.
 */
int mount_point_open(struct mount_point *m, const char *path, struct kt_error *err);
void mount_point_close(struct mount_point *m);

/*
 * Mounts a file system that mount(8) lists as `source`. Returns the descriptor that its requests
 * come from, which the caller closes; or -errno.
 */
int mount_fuse(struct mount_point *m, const char *source, struct kt_error *err);

/*
 * Unmounts that file system; processes that use it get errors from then on. Does nothing if it is
 * already unmounted. Changes the working directory.
 */
void unmount_fuse(const struct mount_point *m, int fd);

#endif
