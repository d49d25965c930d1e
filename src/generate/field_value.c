// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/field_value.h"

#include "bpf/asm.h"
#include "events/curated.h"
#include "events/event.h"
#include "generate/expr_value.h"

enum { CONTEXT = BPF_REG_6, VALUE = BPF_REG_1 };

static void load_value(struct kt_emit_expr *x, const struct kt_expr *e, const void *with)
{
	if (e->op == KT_EXPR_CHOICE)
		kt_emit_choice(x, e, load_value, with);
	else
		kt_emit_value(x, e, VALUE);
}

/* Returns whether a loaded value already has 64 bits. */
static bool is_extended(const struct kt_expr *e, const struct kt_field *field)
{
	return e->op == KT_EXPR_PATH && e->path.size == field->width &&
	       e->path.is_signed == !!(field->flags & KT_FIELD_SIGNED);
}

static void widen_field(struct kt_asm *a, const struct kt_field *field)
{
	kt_emit_widen(a, VALUE, field->width, field->flags & KT_FIELD_SIGNED);
}

void kt_emit_field(struct kt_emit_expr *x, const struct kt_event *event,
		   const struct kt_field *field)
{
	const struct kt_expr *e;

	if (event->curated) {
		e = event->curated->exprs[field - event->fields];
		load_value(x, e, NULL);
		if (!is_extended(e, field))
			widen_field(x->a, field);
	} else {
		kt_asm_load(x->a, kt_asm_size(field->width), VALUE, CONTEXT, field->offset);
		if (field->flags & KT_FIELD_SIGNED)
			widen_field(x->a, field);
	}
}
