/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What strace adds to some return values: 0x1 (flags FD_CLOEXEC), 0 (SCHED_OTHER), 0 (Timeout), 1
 * ([{fd=3, revents=POLLIN}]), or a date.
 */
#ifndef KT_VIEW_RETURN_TEXT_H
#define KT_VIEW_RETURN_TEXT_H

#include <stdbool.h>
#include <stdint.h>

struct kt_call;
struct kt_hit;
struct kt_text;

/*
 * Prints the value that a call returned, and what it means. Returns false, and prints nothing, if
 * strace adds nothing. The entry may be unknown.
 */
bool kt_return_text_put(struct kt_text *t, const struct kt_call *call, const struct kt_hit *exit,
			int64_t ret);

/*
 * Prints an error and its name, as programs see it: -1 ENOENT (No such file or directory). One that
 * restarts the call is not seen by programs: ? ERESTARTSYS (To be restarted if SA_RESTART is set).
 */
void kt_return_text_put_error(struct kt_text *t, int error, const char *name);

#endif
