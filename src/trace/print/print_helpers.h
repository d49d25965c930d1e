/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's macros for trace events in a print format: __print_symbolic() and similar ones.
 *
 *	e = kt_print_helper(&p, "__get_str", 9);	// of "name)": the text of the field name
 */
#ifndef KT_TRACE_PRINT_PRINT_HELPERS_H
#define KT_TRACE_PRINT_PRINT_HELPERS_H

#include <stddef.h>

struct kt_print_expr;
struct kt_print_parser;

/*
 * Takes a helper's arguments and the closing bracket; the parser stands after the opening one.
 * Returns NULL if the helper is unknown or its arguments are not understood; or without memory.
 */
const struct kt_print_expr *kt_print_helper(struct kt_print_parser *p, const char *name,
					    size_t len);

#endif
