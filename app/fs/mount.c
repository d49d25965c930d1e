// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/mount.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/privilege.h"

static int open_device(struct kt_error *err)
{
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return kt_fail(err, errno, "/dev/fuse: %s%s", strerror(errno),
			       errno == ENOENT || errno == ENODEV ? "; 'modprobe fuse' may help"
								  : "");
	return fd;
}

/* FUSE's own library would ask a program of its own where the right is missing. */
int mount_fuse(const char *of, const char *place, struct kt_error *err)
{
	int fd = open_device(err);
	char options[128];

	if (fd < 0)
		return fd;
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=%o,user_id=%u,group_id=%u,allow_other,default_permissions", fd,
		 S_IFDIR, geteuid(), getegid());
	if (mount(of, place, "fuse.ktrace", MS_NOSUID | MS_NODEV | MS_NOEXEC, options) == 0)
		return fd;
	if (errno == EPERM)
		kt_fail(err, errno, "cannot mount at %s: %s; CAP_SYS_ADMIN is missing: %s", place,
			strerror(errno), kt_privilege_advice());
	else
		kt_fail(err, errno, "cannot mount at %s: %s", place, strerror(errno));
	close(fd);
	return -err->code;
}

/* Then what is there now may be another's. */
void unmount_fuse(const char *place, int fd)
{
	struct pollfd device = {.fd = fd};

	if (poll(&device, 1, 0) != 1 || !(device.revents & POLLERR))
		umount2(place, MNT_DETACH);
}
