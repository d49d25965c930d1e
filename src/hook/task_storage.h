/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The map in which dispatchers note who is in an exec (generate/task_state.h).
 *
 *	map = kt_task_storage_make(&err);		// a descriptor, the caller's
 *	...
 *	if (!kt_task_storage_is(map))			// one that was pinned
 *		...
 *
 * Empty it takes next to nothing, and each thread that has called exec some 100 bytes.
 */
#ifndef KT_HOOK_TASK_STORAGE_H
#define KT_HOOK_TASK_STORAGE_H

#include <stdbool.h>

struct kt_error;

/* On error -errno: -EINVAL where the kernel has no such maps, before Linux 5.11. */
int kt_task_storage_make(struct kt_error *err);

bool kt_task_storage_is(int fd);

#endif
