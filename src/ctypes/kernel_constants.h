/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Constants that a kernel was built with, within expressions (ctypes/recipe_expr.h). Their values
 * are known when the expression is parsed.
 *
 *	struct kt_scan scan = kt_scan_of("enum(REQ_OP_READ) + 1", &err);
 *
 *	kt_kernel_constant_scan(tp, &scan, &n);		// 1; n = 0, and scan.at is "+ 1"
 */
#ifndef KT_CTYPES_KERNEL_CONSTANTS_H
#define KT_CTYPES_KERNEL_CONSTANTS_H

#include <stdint.h>

struct kt_btf_target;
struct kt_scan;

/*
 * Consumes 'enum(NAME)', 'bit(NAME)', 'has(PATH)', 'has(enum(NAME))' or 'NR_CPUS', and stores its
 * value. Returns 1; 0 if something else comes next; -1 on error, with the place in the text: ENOENT
 * for what the kernel lacks, ERANGE for a number out of range, EINVAL for a syntax error.
 */
int kt_kernel_constant_scan(const struct kt_btf_target *tp, struct kt_scan *scan, int32_t *n);

#endif
