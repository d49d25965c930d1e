/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files a system call is about: strace's option -P. */
#ifndef KT_VIEW_CALL_PATHS_H
#define KT_VIEW_CALL_PATHS_H

#include <stdbool.h>

struct kt_call;
struct kt_hit;

/*
 * Returns whether a call, whose entry is known, has one of these paths: as an argument, literally,
 * or as the file of a descriptor, whose path is in the trace. The exit may be NULL. The last path
 * is NULL.
 */
bool kt_call_paths_have(const struct kt_call *call, const struct kt_hit *exit,
			const char *const *paths);

#endif
