/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_BASE_PIDS_H
#define KT_BASE_PIDS_H

#include <dirent.h>
#include <stdbool.h>
#include <sys/types.h>

/* Upper bound of process numbers: the kernel's PID_MAX_LIMIT. Every number is below it. */
enum { KT_PIDS_MAX = 1 << 22 };

/*
 * Returns whether processes have the kernel's own numbers here: in the initial PID namespace, not
 * in a container.
 */
bool kt_pids_are_the_kernels(void);

/*
 * Opens the list of all processes (process 0) or of one process's threads. The caller closes it
 * (closedir(3)). Returns NULL and sets errno if there is no such process, or no /proc.
 */
DIR *kt_pids_open(pid_t process);

/* Returns the next number of the list, or 0 at its end. */
pid_t kt_pids_next(DIR *d);

#endif
