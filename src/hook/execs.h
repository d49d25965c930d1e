/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The map in which dispatchers note who is in an exec (emit/execs.h).
 *
 *	map = kt_execs_make(&err);		// a descriptor, the caller's
 *	...
 *	if (!kt_execs_is(map))			// one that was pinned
 *		...
 *
 * Empty it takes next to nothing, and each thread that has called exec some 100 bytes.
 */
#ifndef KT_HOOK_EXECS_H
#define KT_HOOK_EXECS_H

#include <stdbool.h>

struct kt_error;

/* On error -errno: -EINVAL where the kernel has no such maps, before Linux 5.11. */
int kt_execs_make(struct kt_error *err);

bool kt_execs_is(int fd);

#endif
