// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/curated_fields.h"

#include <string.h>

#include "bpf/asm.h"
#include "bpf/copy_bytes.h"
#include "bpf/ring_layout.h"
#include "events/event.h"
#include "generate/expr_value.h"
#include "generate/pointed_data_copy.h"
#include "generate/text_copy.h"

enum { CONTEXT = BPF_REG_6, RECORD = BPF_REG_8, VALUE = BPF_REG_1 };

/* A place in the record: offset, size, and size of an element. */
struct place {
	unsigned int dst, size, width;
};

/* Truncates or sign-extends as a C assignment does. */
static void store_value(struct kt_emit_expr *x, const struct kt_expr *e, const struct place *to)
{
	if (e->op == KT_EXPR_PATH && e->path.size >= to->width)
		kt_emit_path(x, &e->path, VALUE);
	else
		kt_emit_value(x, e, VALUE);
	kt_asm_store(x->a, kt_asm_size(to->width), RECORD, to->dst, VALUE);
}

static void copy_array(struct kt_emit_expr *x, unsigned int dst, const struct kt_member_path *p)
{
	kt_emit_base(x, p);
	kt_emit_copy_bytes(x->a, RECORD, dst, x->pointer, p->offsets[p->n - 1], p->size);
}

/* Pads the letters with 0s. */
static void store_letters(struct kt_emit_expr *x, const struct kt_expr *e, const struct place *to)
{
	unsigned int i;

	kt_emit_join(x, e);
	kt_asm_store(x->a, BPF_DW, RECORD, to->dst, BPF_REG_4);
	for (i = KT_EXPR_LETTERS; i < to->size; i++)
		kt_asm_store_imm(x->a, BPF_B, RECORD, to->dst + i, 0);
}

static void store_field(struct kt_emit_expr *x, const struct kt_expr *e, const void *with)
{
	const struct place *to = with;
	const struct place next = {to->dst + to->width, to->size - to->width, to->width};

	if (e->op == KT_EXPR_CHOICE) {
		kt_emit_choice(x, e, store_field, to);
	} else if (e->op == KT_EXPR_LIST) {
		store_field(x, e->of[0], to);
		store_field(x, e->of[1], &next);
	} else if (e->op == KT_EXPR_PATH && e->path.is_array) {
		copy_array(x, to->dst, &e->path);
	} else if (e->op == KT_EXPR_JOIN) {
		store_letters(x, e, to);
	} else {
		store_value(x, e, to);
	}
}

/* r0 = length. Through a pointer one more byte is read, to see whether the text was cut. */
static void fetch_text(struct kt_emit_expr *x, const struct kt_expr *e, const void *with)
{
	const struct kt_member_path *p = &e->path;

	if (e->op == KT_EXPR_CHOICE)
		kt_emit_choice(x, e, fetch_text, with);
	else if (e->op == KT_EXPR_TEXT)
		kt_emit_text_put(x->a, e->text, strlen(e->text) + 1);
	else
		kt_emit_text_read(x, p, p->is_array ? p->size : KT_CURATED_TEXT_MAX + 1);
}

void kt_emit_curated_own(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *event)
{
	struct kt_emit_expr x = {.a = a, .pointer = BPF_REG_7, .stack = KT_STACK_EXPR};
	int own;

	if (!event->curated->foreign)
		return;
	own = kt_asm_label(a, "own");
	kt_asm_note(a, "is it a 32-bit call with this number?");
	kt_emit_global(&x, KT_BTF_CURRENT);
	kt_emit_unless(&x, event->curated->foreign, own);
	kt_asm_jump(a, r->done);
	kt_asm_place(a, own);
}

void kt_emit_curated_globals(struct kt_asm *a, const struct kt_event *event)
{
	struct kt_emit_expr x = {
		.a = a,
		.stack = KT_STACK_EXPR,
		.states = event->curated->states,
	};
	static const char *const notes[] = {
		[KT_BTF_CURRENT] = "the running task",
		[KT_BTF_JIFFIES] = "jiffies",
		[KT_BTF_ENTERED] = "the thread's number when it entered the call",
		[KT_BTF_LATE] = "was some text not in memory then?",
	};
	int i;

	for (i = 0; i < KT_BTF_VMEMMAP; i++) {
		if (!event->curated->takes[i] || i == KT_BTF_REGS || i == KT_BTF_DURATION)
			continue;
		kt_asm_note(a, "%s", notes[i]);
		kt_emit_global(&x, i);
	}
}

void kt_emit_curated_text(struct kt_asm *a, const struct kt_reserve *r,
			  const struct kt_event *event)
{
	struct kt_emit_expr x = {.a = a, .pointer = BPF_REG_8, .stack = KT_STACK_EXPR};
	const struct kt_field *text = kt_event_varying(event);

	kt_asm_note(a, "r2 = bytes of %s", text->name);
	kt_asm_load(a, BPF_DW, CONTEXT, BPF_REG_10, KT_STACK_CONTEXT);
	fetch_text(&x, event->curated->exprs[text - event->fields], NULL);
	kt_asm_jump_imm(a, BPF_JGT, BPF_REG_0, event->curated->text_max, r->unfit);
	kt_asm_move(a, BPF_REG_2, BPF_REG_0);
}

/* Loads the number of elements of a field of varying length. */
static void load_count(struct kt_asm *a, const struct kt_event *event, size_t field)
{
	const struct kt_curated *c = event->curated;
	unsigned int width = event->fields[field].width;

	if (c->n_pointed)
		kt_emit_pointed_data_count(a, VALUE, field - (c->n - c->n_pointed));
	else
		kt_asm_load(a, BPF_DW, VALUE, BPF_REG_10, KT_STACK_DATA);
	if (width > 1)
		kt_asm_alu_imm(a, BPF_DIV, VALUE, width);
}

/* Returns whether the field's number was counted before. */
static bool is_early(const struct kt_event *event, size_t field)
{
	const struct kt_curated *c = event->curated;

	return kt_expr_is_early(c->exprs[field]);
}

void kt_emit_curated(struct kt_asm *a, const struct kt_event *event)
{
	struct kt_emit_expr x = {
		.a = a,
		.pointer = BPF_REG_7,
		.stack = KT_STACK_EXPR,
		.vmemmap = event->curated->vmemmap,
	};
	struct place to = {.dst = kt_event_fields_offset(event)};
	const struct kt_field *f;
	size_t i;

	for (i = 0; i < event->n_fields; i++, to.dst += kt_field_record_size(f)) {
		f = &event->fields[i];
		kt_asm_note(a, "%s", f->name);
		to.size = f->size;
		to.width = f->width;
		if (kt_field_varies(f)) {
			load_count(a, event, i);
			kt_asm_store(a, BPF_H, RECORD, to.dst, VALUE);
		} else if (is_early(event, i)) {
			kt_emit_early_value(a, VALUE, event, i);
			kt_asm_store(a, kt_asm_size(to.width), RECORD, to.dst, VALUE);
		} else {
			store_field(&x, event->curated->exprs[i], &to);
		}
	}
}
