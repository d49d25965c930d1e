/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions of a print format (trace/print/print_format.h), read from left to right.
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

/* Returns NULL where none comes next that is understood. */
const struct kt_print_expr *kt_print_expression(struct kt_print_parser *p);

/* Returns the expression if it is a number, or NULL. */
const struct kt_print_expr *kt_print_numeric(struct kt_print_parser *p);

/* Returns a copy that p.memory owns, computed if it has no field; or NULL. */
const struct kt_print_expr *kt_print_add(struct kt_print_parser *p, struct kt_print_expr e);

/* Takes the name of a field that a print format can read. NULL if there is none of that name. */
const struct kt_member *kt_print_field(struct kt_print_parser *p);

/* Returns the member as text, or as all of its elements in their notation. */
const struct kt_print_expr *kt_print_member(struct kt_print_parser *p, const struct kt_member *m);

#endif
