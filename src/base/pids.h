/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_BASE_PIDS_H
#define KT_BASE_PIDS_H

#include <dirent.h>
#include <stdbool.h>
#include <sys/types.h>

/* There is none of this number, or of a higher one: the kernel's PID_MAX_LIMIT. */
enum { KT_PIDS_MAX = 1 << 22 };

/*
 * Whether processes and tasks have the numbers here by which the kernel itself knows them: in the
 * first of all pid namespaces, and not in a container.
 */
bool kt_pids_are_the_kernels(void);

/*
 * All processes that there are, by 0, or the threads of one. The caller closes what is returned
 * (closedir(3)). NULL and errno where there is none, or no /proc.
 */
DIR *kt_pids_open(pid_t process);

/* The number of the next one; 0 behind the last. */
pid_t kt_pids_next(DIR *d);

#endif
