// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/fs_mount.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/error.h"
#include "base/privilege.h"

/* Opens what is at the mount point now: the directory, or the root of a mount on it. */
static int open_top(const struct mount_point *m)
{
	return openat(m->place.dir, m->place.name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int fail_to_open(const char *path, struct kt_error *err)
{
	return kt_fail(err, errno, "%s: %s%s", path, strerror(errno),
		       errno == ENOTCONN ? "; 'umount' removes what is left there" : "");
}

/* Reads the path of an open directory from the kernel. */
static int read_path(const struct mount_point *m, char path[PATH_MAX], struct kt_error *err)
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", m->dir);
	n = readlink(link, path, PATH_MAX - 1);
	if (n < 0)
		return kt_fail(err, errno, "%s: %s", link, strerror(errno));
	path[n] = '\0';
	return 0;
}

int mount_point_open(struct mount_point *m, const char *path, struct kt_error *err)
{
	struct stat st;

	if (kt_resolved_path_find(&m->place, path, err) < 0)
		return -err->code;
	m->dir = open_top(m);
	if (m->dir < 0 || fstat(m->dir, &st) < 0)
		fail_to_open(path, err);
	else if (strcmp(m->place.name, ".") == 0)
		kt_fail(err, EBUSY, "%s: the root directory cannot be a mount point", path);
	else if (read_path(m, m->path, err) == 0)
		return 0;
	mount_point_close(m);
	return -err->code;
}

void mount_point_close(struct mount_point *m)
{
	if (m->dir >= 0)
		close(m->dir);
	kt_resolved_path_close(&m->place);
}

static int open_device(struct kt_error *err)
{
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return kt_fail(err, errno, "/dev/fuse: %s%s", strerror(errno),
			       errno == ENOENT || errno == ENODEV ? "; 'modprobe fuse' may help"
								  : "");
	return fd;
}

/*
 * Gets the device number of the file system at fd without asking that file system, which may be
 * ours and not served yet.
 */
static int read_device(int fd, dev_t *device)
{
	struct statx stx;

	if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, 0, &stx) < 0)
		return -1;
	*device = makedev(stx.stx_dev_major, stx.stx_dev_minor);
	return 0;
}

static bool set_string(int fs, const char *key, const char *value)
{
	return fsconfig(fs, FSCONFIG_SET_STRING, key, value, 0) == 0;
}

static bool set_number(int fs, const char *key, const char *format, unsigned int value)
{
	char text[16];

	snprintf(text, sizeof(text), format, value);
	return set_string(fs, key, text);
}

static bool set_flag(int fs, const char *key)
{
	return fsconfig(fs, FSCONFIG_SET_FLAG, key, NULL, 0) == 0;
}

/*
 * Creates a file system whose requests come from fd, not mounted yet. Returns -1 and sets errno on
 * error.
 */
static int make_detached(const char *source, int fd)
{
	int fs = fsopen("fuse", FSOPEN_CLOEXEC), mount = -1;

	if (fs < 0)
		return -1;
	if (set_string(fs, "source", source) && set_string(fs, "subtype", "ktrace") &&
	    set_number(fs, "fd", "%u", fd) && set_number(fs, "rootmode", "%o", S_IFDIR) &&
	    set_number(fs, "user_id", "%u", geteuid()) &&
	    set_number(fs, "group_id", "%u", getegid()) && set_flag(fs, "allow_other") &&
	    set_flag(fs, "default_permissions") &&
	    fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		mount = fsmount(fs, FSMOUNT_CLOEXEC,
				MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
	close(fs);
	return mount;
}

/* Returns whether the name leads to what was mounted, and not to a directory that replaced it. */
static bool is_mounted(const struct mount_point *m)
{
	int top = open_top(m);
	dev_t device;
	bool is_ours = top >= 0 && read_device(top, &device) == 0 && device == m->device;

	if (top >= 0)
		close(top);
	return is_ours;
}

static int fail_to_mount(const struct mount_point *m, struct kt_error *err)
{
	if (errno == EPERM)
		return kt_fail(err, errno, "cannot mount at %s: %s; CAP_SYS_ADMIN is missing: %s",
			       m->path, strerror(errno), kt_privilege_advice());
	return kt_fail(err, errno, "cannot mount at %s: %s", m->path, strerror(errno));
}

/*
 * Attaches the detached mount, and closes it, since open it would be in use. Nobody can rename a
 * directory with a mount; one that was renamed just before is released, and the mount with it.
 */
static int attach_events(struct mount_point *m, int mount, struct kt_error *err)
{
	char link[64];
	int ret = 0;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", mount);
	if (read_device(mount, &m->device) < 0 ||
	    move_mount(mount, "", m->dir, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) <
		    0) {
		ret = fail_to_mount(m, err);
	} else if (!is_mounted(m)) {
		umount2(link, MNT_DETACH);
		ret = kt_fail(err, ESTALE, "cannot mount at %s: it has been moved", m->path);
	}
	close(mount);
	return ret;
}

/* libfuse would start a helper program if the right is missing. */
int mount_fuse(struct mount_point *m, const char *source, struct kt_error *err)
{
	int fd = open_device(err), mount;

	if (fd < 0)
		return fd;
	mount = make_detached(source, fd);
	if (mount < 0)
		fail_to_mount(m, err);
	else if (attach_events(m, mount, err) == 0)
		return fd;
	close(fd);
	return -err->code;
}

/* The device tells whether the mount ended; another mount may be there now. */
void unmount_fuse(const struct mount_point *m, int fd)
{
	struct pollfd device = {.fd = fd};
	bool has_ended = poll(&device, 1, 0) == 1 && device.revents & POLLERR;

	if (!has_ended && is_mounted(m) && fchdir(m->place.dir) == 0)
		umount2(m->place.name, MNT_DETACH | UMOUNT_NOFOLLOW);
}
