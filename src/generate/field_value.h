/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_GENERATE_FIELD_VALUE_H
#define KT_GENERATE_FIELD_VALUE_H

struct kt_emit_expr;
struct kt_event;
struct kt_field;

/*
 * r1 = the value that a record would have of that field of the event's, a number, widened to 64
 * bits by its sign. Of x, a and pointer are there, and of a curated event the globals that the
 * field needs (generate/expr_value.h); r6 is the context.
 */
void kt_emit_field(struct kt_emit_expr *x, const struct kt_event *event,
		   const struct kt_field *field);

#endif
