/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C's types of numbers in a print format: in casts, and of literals.
 *
 *	kt_print_cast(&p, &type);			// "(unsigned char)x": 8 bits, unsigned
 *	e = kt_print_literal(&p);			// "0x80000000": unsigned int
 *
 * Sizes are those of a 64-bit machine.
 */
#ifndef KT_TRACE_PRINT_PRINT_TYPES_H
#define KT_TRACE_PRINT_PRINT_TYPES_H

#include <stdbool.h>

struct kt_print_expr;
struct kt_print_parser;
struct kt_print_type;

/*
 * Takes a type and the closing bracket; the parser stands after the opening one. Returns false and
 * takes nothing if no type comes next.
 */
bool kt_print_cast(struct kt_print_parser *p, struct kt_print_type *type);

/*
 * Takes a number, or a character in quotes. Returns NULL if neither comes next, or without memory.
 */
const struct kt_print_expr *kt_print_literal(struct kt_print_parser *p);

#endif
