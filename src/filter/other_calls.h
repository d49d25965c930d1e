/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that this kernel need not have: those of other architectures and word sizes, of
 * older kernels, and of newer ones. strace's users name them in scripts that run everywhere.
 *
 *	kt_other_calls_has("getuid32");		// yes, 32-bit programs have it
 */
#ifndef KT_FILTER_OTHER_CALLS_H
#define KT_FILTER_OTHER_CALLS_H

#include <stdbool.h>

/* Returns whether there is or was a call of that name somewhere. */
bool kt_other_calls_has(const char *name);

#endif
