// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/privilege.h"
#include "base/read_file.h"

/* Size limit: tracefs files have no known size; no description of an event comes near this. */
#define TEXT_MAX (16 << 20)

/* Returns whether the kernel is locked down, so that tracefs has nothing but its empty root. */
static bool is_locked_down(void)
{
	int fd = open("/sys/kernel/security/lockdown", O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	bool is = fd >= 0 && kt_read_file(fd, TEXT_MAX, &text, NULL) == 0 &&
		  strstr(text, "[confidentiality]");

	if (fd >= 0)
		close(fd);
	free(text);
	return is;
}

static bool is_tracefs_root(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && (unsigned long)fs.f_type == TRACEFS_MAGIC;
}

/* Returns fd if it has events; closes it otherwise. */
static int check_contents(int fd, struct kt_error *err)
{
	if (faccessat(fd, "available_events", F_OK, 0) == 0 || errno != ENOENT)
		return fd;
	close(fd);
	if (is_locked_down())
		return kt_fail(err, EPERM,
			       "tracefs is empty: lockdown=confidentiality forbids tracing on this "
			       "machine (/sys/kernel/security/lockdown)");
	return kt_fail(err, EPERM, "tracefs is empty: lockdown, or a kernel without events");
}

/*
 * Opens a mount. Returns -ENOENT if it is mounted over, or outside this process's root directory.
 */
static int open_mount(const char *path, struct kt_error *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && errno == EACCES)
		return kt_fail(err, EACCES, "%s: %s; %s or as a member of its group", path,
			       strerror(EACCES), kt_privilege_advice());
	if (fd < 0)
		return kt_fail(err, errno, "%s: %s", path, strerror(errno));
	if (is_tracefs_root(fd))
		return fd;
	close(fd);
	return kt_fail(err, ENOENT, "%s: something is mounted over tracefs", path);
}

/* Opens the first mount that can be opened. Returns -ENOENT if there is none. */
static int open_mounted(struct kt_error *err)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	int fd = kt_fail(err, ENOENT, "tracefs is not mounted");
	const struct mntent *m;

	if (!mounts && errno != ENOENT)
		return kt_fail(err, errno, "/proc/self/mounts: %s", strerror(errno));
	if (!mounts)
		return fd;
	while (fd < 0 && (m = getmntent(mounts)))
		if (!strcmp(m->mnt_type, "tracefs"))
			fd = open_mount(m->mnt_dir, err);
	endmntent(mounts);
	return fd;
}

/* Mounts tracefs for this process; `why` tells why no existing mount could be opened. */
static int mount_own(const char *why, struct kt_error *err)
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
			       "%s, and mounting it needs CAP_SYS_ADMIN: %s, or once 'mount -t "
			       "tracefs nodev /sys/kernel/tracing'",
			       why, kt_privilege_advice());
	return kt_fail(err, code, "%s, and mounting it fails: %s", why, strerror(code));
}

int kt_tracefs_open(struct kt_error *err)
{
	struct kt_error why;
	int fd = open_mounted(&why);

	if (fd == -ENOENT)
		fd = mount_own(why.text, err);
	else if (fd < 0)
		*err = why;
	return fd < 0 ? fd : check_contents(fd, err);
}

char *kt_tracefs_read(int dir, const char *path, struct kt_error *err)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	int r = fd < 0 ? -errno : kt_read_file(fd, TEXT_MAX, &text, NULL);

	if (fd >= 0)
		close(fd);
	if (r < 0) {
		kt_fail(err, -r, "tracefs: %s: %s", path, strerror(-r));
		return NULL;
	}
	return text;
}
