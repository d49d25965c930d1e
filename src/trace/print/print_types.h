/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C's types of numbers, as a print format names them: in casts, and by the form of a number.
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

/* Takes a type and the bracket behind it, after the one before it; false, and nothing is taken. */
bool kt_print_cast(struct kt_print_parser *p, struct kt_print_type *type);

/* Takes a number, or a character in quotes. NULL where there is none, or no memory. */
const struct kt_print_expr *kt_print_literal(struct kt_print_parser *p);

#endif
