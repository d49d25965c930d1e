/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_BASE_PIDS_H
#define KT_BASE_PIDS_H

#include <stdbool.h>

/* There is none of this number, or of a higher one: the kernel's PID_MAX_LIMIT. */
enum { KT_PIDS_MAX = 1 << 22 };

/*
 * Whether processes and tasks have the numbers here by which the kernel itself knows them: in the
 * first of all pid namespaces, and not in a container.
 */
bool kt_pids_are_the_kernels(void);

#endif
