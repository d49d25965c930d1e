/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel's macros for trace events make in a print format: __print_symbolic() and its
 * like.
 *
 *	e = kt_print_helper(&p, "__get_str", 9);	// of "name)": the text of the field name
 */
#ifndef KT_TRACE_PRINT_PRINT_HELPERS_H
#define KT_TRACE_PRINT_PRINT_HELPERS_H

#include <stddef.h>

struct kt_print_expr;
struct kt_print_parser;

/*
 * Takes the arguments and the bracket behind them, after the one before them. NULL where that
 * helper is not known, its arguments are not understood, or there is no memory.
 */
const struct kt_print_expr *kt_print_helper(struct kt_print_parser *p, const char *name,
					    size_t len);

#endif
