// SPDX-License-Identifier: GPL-2.0-or-later
#include "emit/curated.h"

#include "base/layout.h"
#include "catalog/curated.h"
#include "catalog/event.h"
#include "emit/asm.h"
#include "emit/expr.h"
#include "emit/reserve.h"

enum { BASE = BPF_REG_7, RECORD = BPF_REG_8, VALUE = BPF_REG_1 };

/* As C's assignment does: cut, or widened by its sign. */
static void store_value(struct kt_emit_expr *x, unsigned int dst, unsigned int width,
			const struct kt_expr *e)
{
	if (e->op == KT_EXPR_PATH && e->path.size >= width)
		kt_emit_path(x, &e->path, VALUE);
	else
		kt_emit_value(x, e, VALUE);
	kt_asm_store(x->a, kt_asm_size(width), RECORD, dst, VALUE);
}

static void copy_array(struct kt_emit_expr *x, unsigned int dst, const struct kt_path *p)
{
	unsigned int bytes = 8, at = 0;

	kt_emit_base(x, p);
	for (; at < p->size; at += bytes) {
		while (bytes > p->size - at)
			bytes /= 2;
		kt_asm_load(x->a, kt_asm_size(bytes), VALUE, BASE, p->offsets[p->n - 1] + at);
		kt_asm_store(x->a, kt_asm_size(bytes), RECORD, dst + at, VALUE);
	}
}

static void store(struct kt_emit_expr *x, unsigned int dst, unsigned int width,
		  const struct kt_expr *e);

/* Behind a branch r7 is what it was, behind both it may be one or the other. */
static void store_choice(struct kt_emit_expr *x, unsigned int dst, unsigned int width,
			 const struct kt_expr *e)
{
	int otherwise = kt_asm_label(x->a, "otherwise"), chosen = kt_asm_label(x->a, "chosen");
	const struct kt_path *base;

	kt_emit_unless(x, e->of[0], otherwise);
	base = x->base;
	store(x, dst, width, e->of[1]);
	kt_asm_jump(x->a, chosen);
	kt_asm_place(x->a, otherwise);
	x->base = base;
	store(x, dst, width, e->of[2]);
	kt_asm_place(x->a, chosen);
	x->base = NULL;
}

static void store(struct kt_emit_expr *x, unsigned int dst, unsigned int width,
		  const struct kt_expr *e)
{
	if (e->op == KT_EXPR_CHOICE) {
		store_choice(x, dst, width, e);
	} else if (e->op == KT_EXPR_LIST) {
		store(x, dst, width, e->of[0]);
		store(x, dst + width, width, e->of[1]);
	} else if (e->op == KT_EXPR_PATH && e->path.is_array) {
		copy_array(x, dst, &e->path);
	} else {
		store_value(x, dst, width, e);
	}
}

void kt_emit_curated(struct kt_asm *a, const struct kt_event *event)
{
	struct kt_emit_expr x = {.a = a, .current = KT_STACK_RESERVE - 8};
	struct kt_expr *const *e = event->curated->exprs;
	unsigned int dst = sizeof(struct kt_record);
	const struct kt_field *f = event->fields;

	if (event->curated->takes_current) {
		kt_asm_note(a, "the task that runs");
		kt_emit_current(&x);
	}
	for (; f < event->fields + event->n_fields; dst += f->size, f++, e++) {
		kt_asm_note(a, "%s", f->name);
		store(&x, dst, f->width, *e);
	}
}
