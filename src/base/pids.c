// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/pids.h"

#include <sys/stat.h>

/* The inode of the first pid namespace, the kernel's PROC_PID_INIT_INO, never changes. */
bool kt_pids_are_the_kernels(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 && st.st_ino == 0xeffffffc;
}
