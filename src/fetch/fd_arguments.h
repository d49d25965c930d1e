/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which arguments of a system call are descriptors of files, by their types and names, and which
 * calls return one.
 *
 *	if (event->paths && kt_fd_argument_is(call, i))
 *		...				// the path of the file is to be recorded, too
 */
#ifndef KT_FETCH_FD_ARGUMENTS_H
#define KT_FETCH_FD_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

struct kt_event;

/* Of the process that calls. */
bool kt_fd_argument_is(const struct kt_event *call, size_t argument);

/* It may be AT_FDCWD, too, where names begin. */
bool kt_fd_argument_is_start(const struct kt_event *call, size_t argument);

/* Of a return, by its entry: whether it is one where the call does not fail, for all or some. */
bool kt_fd_argument_is_returned(const struct kt_event *call);

#endif
