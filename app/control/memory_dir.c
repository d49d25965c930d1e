// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/memory_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/error.h"
#include "ring/rings.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"

/* Bytes besides records: types, names of tasks, symbols. */
enum { DESCRIPTION_MAX = 64 << 20 };

static bool set_size(int fs, uint64_t size)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, size);
	return !size || fsconfig(fs, FSCONFIG_SET_STRING, "size", text, 0) == 0;
}

/* Size 0 means the kernel's own limit. */
static int make_directory(uint64_t size, struct kt_error *err)
{
	int fs = fsopen("tmpfs", FSOPEN_CLOEXEC), mount = -1, dir = -1;

	if (fs >= 0 && fsconfig(fs, FSCONFIG_SET_STRING, "mode", "700", 0) == 0 &&
	    set_size(fs, size) && fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
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

int memory_dir_new(struct kt_error *err)
{
	return make_directory(0, err);
}

uint64_t memory_dir_ring_bytes(const struct kt_flight *f)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	const struct kt_rings *rings = kt_buffer_sets_rings(b, kt_buffer_sets_active(b));

	/* The rings were made after the flight was opened; the others have the same size. */
	if (!rings)
		rings = kt_buffer_sets_rings(b, kt_buffer_sets_inactive(b));
	return rings ? kt_rings_size(rings) : 0;
}

int memory_dir_for_flight(const struct kt_flight *f, struct kt_error *err)
{
	return make_directory(memory_dir_ring_bytes(f) + DESCRIPTION_MAX, err);
}

int memory_dir_error(int ret, struct kt_error *err)
{
	return ret == -ENOSPC ? kt_fail(err, ENOMEM, "%s", strerror(ENOMEM)) : ret;
}
