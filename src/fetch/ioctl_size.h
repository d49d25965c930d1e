/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the argument of ioctl points to, by its request: so many bytes that the call is given, or
 * that it gives. Most requests say it in their number, and of older ones it is written down here.
 *
 *	kt_ioctl_size_write(out, KT_EXIT, "regs->si", "regs->dx");
 *
 * writes the expression (ctypes/recipe_expr.h) that copies them, none where there are none, where
 * nobody knows, and where they are more than KT_IOCTL_SIZE_MAX.
 */
#ifndef KT_FETCH_IOCTL_SIZE_H
#define KT_FETCH_IOCTL_SIZE_H

#include <stdint.h>
#include <stdio.h>

#include "events/syscall_names.h"

enum { KT_IOCTL_SIZE_MAX = 256 };

/* `request` and `argument` are expressions, too. */
void kt_ioctl_size_write(FILE *out, enum kt_side side, const char *request, const char *argument);

#endif
