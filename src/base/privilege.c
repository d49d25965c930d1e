// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/privilege.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

/* The initial namespace maps every user to itself; no other namespace may map the last one. */
bool kt_privilege_is_initial(void)
{
	FILE *f = fopen("/proc/self/uid_map", "re");
	uint32_t first, parent, n;
	bool is_whole = true;

	if (!f)
		return true;
	if (fscanf(f, "%" SCNu32 " %" SCNu32 " %" SCNu32, &first, &parent, &n) == 3)
		is_whole = first == 0 && parent == 0 && n == UINT32_MAX;
	else
		is_whole = false; /* no user is mapped yet */
	fclose(f);
	return is_whole;
}

const char *kt_privilege_advice(void)
{
	return kt_privilege_is_initial()
		       ? "run as root"
		       : "run as root outside this user namespace (/proc/self/uid_map)";
}
