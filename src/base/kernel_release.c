// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/kernel_release.h"

#include <stdio.h>

bool kt_kernel_release_is_since(const char *release, unsigned int major, unsigned int minor)
{
	unsigned int is_major, is_minor;

	if (sscanf(release, "%u.%u", &is_major, &is_minor) != 2)
		return false;
	return is_major != major ? is_major > major : is_minor >= minor;
}
