/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers that a kernel was built with, as expressions have them (ctypes/recipe_expr.h): known when
 * these are parsed.
 *
 *	struct kt_scan scan = kt_scan_of("enum(REQ_OP_READ) + 1", &err);
 *
 *	kt_kernel_constant_scan(tp, &scan, &n);		// 1; n = 0, and scan.at is "+ 1"
 */
#ifndef KT_CTYPES_KERNEL_CONSTANTS_H
#define KT_CTYPES_KERNEL_CONSTANTS_H

#include <stdint.h>

struct kt_btf_tracepoint;
struct kt_scan;

/*
 * 'enum(NAME)', 'bit(NAME)', 'has(PATH)', 'has(enum(NAME))' or 'NR_CPUS', if that is what comes
 * next: 1. 0 if it is something else. On error -1, and where in the text: ENOENT for what the
 * kernel does not have, ERANGE for a number that is not as it must be, EINVAL for other text.
 */
int kt_kernel_constant_scan(const struct kt_btf_tracepoint *tp, struct kt_scan *scan, int32_t *n);

#endif
