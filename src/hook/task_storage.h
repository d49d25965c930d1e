/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The map of task states (generate/task_state.h).
 *
 *	map = kt_task_storage_make(&err);		// a descriptor, the caller's
 *	...
 *	if (!kt_task_storage_is(map))			// one that was pinned
 *		...
 *
 * Empty it takes almost no memory; each thread that has called exec takes about 100 bytes.
 */
#ifndef KT_HOOK_TASK_STORAGE_H
#define KT_HOOK_TASK_STORAGE_H

#include <stdbool.h>

struct kt_error;

/*
 * Creates the map. Returns -errno on error: -EINVAL before Linux 5.11, which has no such maps. The
 * other function returns whether a descriptor is such a map.
 */
int kt_task_storage_make(struct kt_error *err);

bool kt_task_storage_is(int fd);

#endif
