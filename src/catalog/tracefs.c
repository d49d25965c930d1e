// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/error.h"
#include "base/read.h"

/* A file of tracefs is of no known size; no file that describes an event comes near this. */
#define TEXT_MAX (16 << 20)

/* -ENOENT: none is mounted. */
static int open_mounted(struct kt_error *err)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	int fd = kt_fail(err, ENOENT, "tracefs is not mounted");
	const struct mntent *m;

	if (!mounts)
		return fd;
	while (fd < 0 && (m = getmntent(mounts))) {
		if (strcmp(m->mnt_type, "tracefs"))
			continue;
		fd = open(m->mnt_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			fd = kt_fail(err, errno, "%s: %s%s", m->mnt_dir, strerror(errno),
				     errno == EACCES ? "; run as root or as a member of its group"
						     : "");
	}
	endmntent(mounts);
	return fd;
}

static int mount_own(struct kt_error *err)
{
	int fd = -1, fs = fsopen("tracefs", FSOPEN_CLOEXEC);
	int code;

	if (fs >= 0 && !fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		fd = fsmount(fs, FSMOUNT_CLOEXEC,
			     MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
	code = errno;
	if (fs >= 0)
		close(fs);
	if (fd >= 0)
		return fd;

	if (code == ENODEV)
		return kt_fail(err, code,
			       "this kernel has no tracefs (it was built without CONFIG_TRACING)");
	if (code == EPERM)
		return kt_fail(err, code,
			       "tracefs is not mounted, and mounting it needs CAP_SYS_ADMIN; "
			       "as root: mount -t tracefs nodev /sys/kernel/tracing");
	return kt_fail(err, code, "tracefs is not mounted, and cannot be: %s", strerror(code));
}

int kt_tracefs_open(struct kt_error *err)
{
	int fd = open_mounted(err);

	return fd == -ENOENT ? mount_own(err) : fd;
}

char *kt_tracefs_read(int dir, const char *path, struct kt_error *err)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	int r = fd < 0 ? -errno : kt_read_text(fd, TEXT_MAX, &text, NULL);

	if (fd >= 0)
		close(fd);
	if (r < 0) {
		kt_fail(err, -r, "tracefs: %s: %s", path, strerror(-r));
		return NULL;
	}
	return text;
}
