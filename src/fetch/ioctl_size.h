/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data that the argument of ioctl points to, by request. Most request numbers contain size and
 * direction; for older requests a table has them.
 *
 *	kt_ioctl_size_write(out, KT_EXIT, "regs->si", "regs->dx");
 *
 * writes an expression (ctypes/recipe_expr.h) that copies the data: none if there are none, the
 * size is unknown, or it exceeds KT_IOCTL_SIZE_MAX.
 */
#ifndef KT_FETCH_IOCTL_SIZE_H
#define KT_FETCH_IOCTL_SIZE_H

#include <stdint.h>
#include <stdio.h>

#include "events/syscall_names.h"

enum { KT_IOCTL_SIZE_MAX = 256 };

/* Writes the expression for one side; `request` and `argument` are expressions, too. */
void kt_ioctl_size_write(FILE *out, enum kt_side side, const char *request, const char *argument);

#endif
