/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A place in the file system that is served by this process, by FUSE.
 *
 *	int fd = mount_fuse("flight", "/mnt", &err);
 *
 *	...					// requests come from there
 *	unmount_fuse("/mnt", fd);
 *	close(fd);
 */
#ifndef KT_APP_FS_MOUNT_H
#define KT_APP_FS_MOUNT_H

struct kt_error;

/* What it is of is what mount(8) shows. A descriptor, or -errno. */
int mount_fuse(const char *of, const char *place, struct kt_error *err);

/* Also where somebody is in there: for him it ends as well. Where somebody has done so, nothing. */
void unmount_fuse(const char *place, int fd);

#endif
