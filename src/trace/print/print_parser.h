/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A parser for expressions of print formats (trace/print/print_format.h), by recursive descent.
 *
 *	struct kt_print_parser p = {.at = "REC->prio + 1, ...", .fields = fields};
 *	const struct kt_print_expr *e = kt_print_expression(&p);
 *
 *	if (!e)
 *		...						// not understood, or no memory
 *	kt_print_memory_free(p.memory);
 *
 * p.memory owns the expressions.
 */
#ifndef KT_TRACE_PRINT_PRINT_PARSER_H
#define KT_TRACE_PRINT_PRINT_PARSER_H

#include <stddef.h>

#include "trace/print/print_format.h"

struct kt_member;
struct kt_print_parser;

/* Takes an expression. Returns NULL if the text is not understood, or without memory. */
const struct kt_print_expr *kt_print_expression(struct kt_print_parser *p);

/* Takes an expression and returns it if it is a number, else NULL. */
const struct kt_print_expr *kt_print_numeric(struct kt_print_parser *p);

/* Returns a copy that p.memory owns, already computed if it has no field; NULL without memory. */
const struct kt_print_expr *kt_print_add(struct kt_print_parser *p, struct kt_print_expr e);

/*
 * Takes the name of a field that a print format can read. Returns NULL if there is no such field.
 */
const struct kt_member *kt_print_field(struct kt_print_parser *p);

/* Returns an expression for the member as text, or for all of its elements in their notation. */
const struct kt_print_expr *kt_print_member(struct kt_print_parser *p, const struct kt_member *m);

#endif
