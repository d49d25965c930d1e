// SPDX-License-Identifier: GPL-2.0-or-later
#include "emit/strings.h"

#include "catalog/curated.h"
#include "catalog/event.h"
#include "catalog/expr.h"
#include "emit/asm.h"
#include "emit/curated.h"
#include "emit/expr.h"
#include "emit/gate.h"
#include "emit/lookup.h"

enum { CONTEXT = BPF_REG_6, USED = BPF_REG_8, POINTER = BPF_REG_9 };

_Static_assert((KT_CURATED_STRING_MAX + 2) * KT_EVENT_ADDED_MAX <= KT_SCRATCH_SIZE,
	       "there is room for all of them");

static int16_t count_at(size_t string)
{
	return KT_STACK_STRINGS + 8 + 8 * string;
}

void kt_emit_strings_count(struct kt_asm *a, int dst, size_t string)
{
	kt_asm_load(a, BPF_DW, dst, BPF_REG_10, count_at(string));
}

/*
 * One byte more than is kept is asked for, to see whether there are more. The kernel's function
 * puts a 0 behind what it has cut off, and says nothing of it.
 */
static void copy(struct kt_emit_expr *x, const struct kt_expr *e, size_t max)
{
	int some = kt_asm_label(x->a, "some"), whole = kt_asm_label(x->a, "whole");

	kt_emit_value(x, e->of[0], BPF_REG_3);
	kt_asm_move_imm(x->a, BPF_REG_2, max + 2);
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, BPF_REG_10, KT_STACK_STRINGS);
	kt_asm_alu(x->a, BPF_ADD, BPF_REG_1, USED);
	kt_asm_call(x->a, BPF_FUNC_probe_read_user_str);
	kt_asm_jump_imm(x->a, BPF_JSGT, BPF_REG_0, 0, some);
	kt_asm_move_imm(x->a, BPF_REG_0, 0);
	kt_asm_place(x->a, some);
	kt_asm_jump_imm(x->a, BPF_JLE, BPF_REG_0, max + 1, whole);
	kt_asm_move_imm(x->a, BPF_REG_0, max);
	kt_asm_place(x->a, whole);
}

void kt_emit_strings(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *event)
{
	struct kt_emit_expr x = {.a = a, .pointer = POINTER, .stack = KT_STACK_EXPR};
	const struct kt_curated *c = event->curated;
	size_t i, max = kt_curated_string_max(c, r->geometry), first = c->n - c->n_strings;

	kt_asm_note(a, "this CPU's scratch memory");
	kt_asm_move_map(a, BPF_REG_1, r->scratch);
	kt_emit_lookup(a, KT_STACK_ROW, r->unfit);
	kt_asm_store(a, BPF_DW, BPF_REG_10, KT_STACK_STRINGS, BPF_REG_0);
	kt_asm_load(a, BPF_DW, CONTEXT, BPF_REG_10, KT_STACK_CONTEXT);
	kt_asm_move_imm(a, USED, 0);
	for (i = 0; i < c->n_strings; i++) {
		kt_asm_note(a, "%s", event->fields[first + i].name);
		copy(&x, c->exprs[first + i], max);
		kt_asm_store(a, BPF_DW, BPF_REG_10, count_at(i), BPF_REG_0);
		kt_asm_alu(a, BPF_ADD, USED, BPF_REG_0);
	}
	kt_asm_move(a, BPF_REG_2, USED);
}
