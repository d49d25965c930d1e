/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which arguments of a system call are file descriptors, by type and name, and which calls return
 * one.
 *
 *	if (event->paths && kt_fd_argument_is(call, i))
 *		...				// record the path of the file, too
 */
#ifndef KT_FETCH_FD_ARGUMENTS_H
#define KT_FETCH_FD_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

struct kt_event;

/* Returns whether an argument is a descriptor of the calling process. */
bool kt_fd_argument_is(const struct kt_event *call, size_t argument);

/* Returns whether an argument may also be AT_FDCWD, the start of a relative path. */
bool kt_fd_argument_is_start(const struct kt_event *call, size_t argument);

/* Returns whether a call, given by its entry, returns a descriptor, always or sometimes. */
bool kt_fd_argument_is_returned(const struct kt_event *call);

#endif
