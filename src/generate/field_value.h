/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_GENERATE_FIELD_VALUE_H
#define KT_GENERATE_FIELD_VALUE_H

struct kt_emit_expr;
struct kt_event;
struct kt_field;

/*
 * Emits r1 = the value of a numeric field of the event, sign-extended. Needs x->a and x->pointer,
 * and for a curated event its globals (generate/expr_value.h). r6 is the context.
 */
void kt_emit_field(struct kt_emit_expr *x, const struct kt_event *event,
		   const struct kt_field *field);

#endif
