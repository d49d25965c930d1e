// SPDX-License-Identifier: GPL-2.0-or-later
#include "emit/filter.h"

#include <stdbool.h>
#include <stdint.h>

#include "catalog/curated.h"
#include "catalog/event.h"
#include "catalog/filter.h"
#include "emit/asm.h"
#include "emit/curated.h"
#include "emit/expr.h"
#include "emit/reserve.h"

enum { CONTEXT = BPF_REG_6, POINTER = BPF_REG_7, VALUE = BPF_REG_1, NUMBER = BPF_REG_2 };

struct filter {
	const struct kt_event *event;
	struct kt_emit_expr x;
};

static void load_value(struct kt_emit_expr *x, const struct kt_expr *e, const void *with)
{
	if (e->op == KT_EXPR_CHOICE)
		kt_emit_choice(x, e, load_value, with);
	else
		kt_emit_value(x, e, VALUE);
}

/* VALUE = the field's, as a record would have it. */
static void load_field(struct filter *f, size_t i)
{
	const struct kt_field *field = &f->event->fields[i];
	struct kt_asm *a = f->x.a;

	if (f->event->curated)
		load_value(&f->x, f->event->curated->exprs[i], NULL);
	else
		kt_asm_load(a, kt_asm_size(field->width), VALUE, CONTEXT, field->offset);
	if (f->event->curated || field->flags & KT_FIELD_SIGNED)
		kt_emit_widen(a, VALUE, field->width, field->flags & KT_FIELD_SIGNED);
}

static void load(struct filter *f, const struct kt_filter *test)
{
	struct kt_asm *a = f->x.a;

	switch (test->source) {
	case KT_FILTER_FIELD:
		load_field(f, test->field);
		return;
	case KT_FILTER_PID:
		kt_asm_call(a, BPF_FUNC_get_current_pid_tgid);
		kt_asm_alu_imm(a, BPF_RSH, BPF_REG_0, 32);
		break;
	case KT_FILTER_TID:
		kt_asm_call(a, BPF_FUNC_get_current_pid_tgid);
		kt_emit_widen(a, BPF_REG_0, 4, false);
		break;
	case KT_FILTER_CPU:
		kt_asm_call(a, BPF_FUNC_get_smp_processor_id);
		break;
	}
	kt_asm_move(a, VALUE, BPF_REG_0);
}

/* The number of an instruction has 32 bits and a sign. */
static void jump(struct kt_asm *a, int op, uint64_t number, int label)
{
	if ((int64_t)number == (int32_t)number) {
		kt_asm_jump_imm(a, op, VALUE, number, label);
	} else {
		kt_asm_move_imm64(a, NUMBER, number);
		kt_asm_jump_if(a, op, VALUE, NUMBER, label);
	}
}

/* Which jump is taken where the test is so, or is not. */
static int jump_of(const struct filter *f, const struct kt_filter *test, bool so)
{
	bool is_signed = test->source == KT_FILTER_FIELD &&
			 f->event->fields[test->field].flags & KT_FIELD_SIGNED;

	switch (test->op) {
	case KT_FILTER_LESS:
		if (is_signed)
			return so ? BPF_JSLT : BPF_JSGE;
		return so ? BPF_JLT : BPF_JGE;
	case KT_FILTER_AT_MOST:
		if (is_signed)
			return so ? BPF_JSLE : BPF_JSGT;
		return so ? BPF_JLE : BPF_JGT;
	case KT_FILTER_BITS:
		return BPF_JSET; /* has no other half */
	default:
		return so ? BPF_JEQ : BPF_JNE;
	}
}

static void emit_test(struct filter *f, const struct kt_filter *test, bool so, int label)
{
	struct kt_asm *a = f->x.a;
	int over;

	load(f, test);
	if (test->op != KT_FILTER_BITS || so) {
		jump(a, jump_of(f, test, so), test->number, label);
		return;
	}
	over = kt_asm_label(a, "has");
	jump(a, BPF_JSET, test->number, over);
	kt_asm_jump(a, label);
	kt_asm_place(a, over);
}

/*
 * Goes to the label where it is so, or is not. Where parts are joined, the first one alone can
 * settle it: an '&&' that is not so, an '||' that is.
 */
static void emit(struct filter *f, const struct kt_filter *part, bool so, int label)
{
	bool settles;
	int known;

	if (part->op == KT_FILTER_NOT) {
		emit(f, part->of[0], !so, label);
		return;
	}
	if (part->op != KT_FILTER_AND && part->op != KT_FILTER_OR) {
		emit_test(f, part, so, label);
		return;
	}
	settles = part->op == KT_FILTER_OR;
	if (so == settles) {
		emit(f, part->of[0], so, label);
		emit(f, part->of[1], so, label);
		return;
	}
	known = kt_asm_label(f->x.a, "known");
	emit(f, part->of[0], settles, known);
	emit(f, part->of[1], so, label);
	kt_asm_place(f->x.a, known);
	f->x.base = NULL;
}

void kt_emit_filter(struct kt_asm *a, const struct kt_event *event, int other)
{
	struct filter f = {
		event,
		{.a = a, .pointer = POINTER, .globals = KT_STACK_GLOBALS},
	};

	kt_asm_note(a, "which hits count");
	kt_asm_load(a, BPF_DW, CONTEXT, BPF_REG_10, KT_STACK_CONTEXT);
	emit(&f, event->filter, false, other);
}
