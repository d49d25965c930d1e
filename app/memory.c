// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/error.h"

int memory_new(struct kt_error *err)
{
	int fs = fsopen("tmpfs", FSOPEN_CLOEXEC), mount = -1, dir = -1;

	if (fs >= 0 && fsconfig(fs, FSCONFIG_SET_STRING, "mode", "700", 0) == 0 &&
	    fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		mount = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	if (mount >= 0)
		dir = openat(mount, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		kt_fail(err, errno, "no memory for files: %s", strerror(errno));
	if (mount >= 0)
		close(mount);
	if (fs >= 0)
		close(fs);
	return dir < 0 ? -err->code : dir;
}

int memory_error(int ret, struct kt_error *err)
{
	return ret == -ENOSPC ? kt_fail(err, ENOMEM, "%s", strerror(ENOMEM)) : ret;
}
