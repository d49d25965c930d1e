// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/pids.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The inode of the initial PID namespace (the kernel's PROC_PID_INIT_INO) is a constant. */
bool kt_pids_are_the_kernels(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 && st.st_ino == 0xeffffffc;
}

DIR *kt_pids_open(pid_t process)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/task", process);
	return opendir(process ? path : "/proc");
}

pid_t kt_pids_next(DIR *d)
{
	struct dirent *e;
	pid_t pid = 0;

	while (pid <= 0 && (e = readdir(d)))
		pid = atoi(e->d_name);
	return pid > 0 ? pid : 0;
}
