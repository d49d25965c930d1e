// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/event_index.h"

#include <stdio.h>

#include "bpf/asm.h"
#include "events/curated.h"
#include "generate/curated_fields.h"
#include "generate/expr_value.h"
#include "generate/reserve.h"

/* Stores some bits of r0. */
static void store_bits(struct kt_asm *a, int16_t to, int first, int end)
{
	kt_asm_move(a, BPF_REG_1, BPF_REG_0);
	if (end < 64)
		kt_asm_alu_imm(a, BPF_LSH, BPF_REG_1, 64 - end);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_1, 64 - end + first);
	kt_asm_store(a, BPF_DW, BPF_REG_10, to, BPF_REG_1);
}

/* r1 = the function's number. */
static void find_function(struct kt_asm *a)
{
	kt_asm_note(a, "which function is it, and which class and size has its record?");
	kt_asm_move(a, BPF_REG_1, BPF_REG_6);
	kt_asm_call(a, BPF_FUNC_get_attach_cookie);
	store_bits(a, KT_STACK_DATA, KT_COOKIE_CLASS, KT_COOKIE_SIZE);
	store_bits(a, KT_STACK_SIZE, KT_COOKIE_SIZE, 64);
	kt_asm_move(a, BPF_REG_1, BPF_REG_0);
	kt_asm_alu_imm(a, BPF_AND, BPF_REG_1, (1 << KT_COOKIE_CLASS) - 1);
}

static void find_call(struct kt_asm *a, struct kt_emit_expr *x, const struct kt_curated *call)
{
	kt_asm_note(a, "which event is this call's?");
	kt_emit_value(x, call->exprs[0], BPF_REG_1);
}

void kt_emit_index_find(struct kt_asm *a, struct kt_event_index i, const struct kt_curated *call,
			int none)
{
	struct kt_emit_expr x = {.a = a, .pointer = BPF_REG_7, .stack = KT_STACK_EXPR};

	if (call && call->takes[KT_BTF_REGS]) {
		kt_asm_note(a, "the caller's registers");
		x.regs = call->regs;
		kt_emit_global(&x, KT_BTF_REGS);
	}
	if (!i.shared)
		return;
	if (i.shared->by_cookie)
		find_function(a);
	else
		find_call(a, &x, call);
	kt_asm_jump_imm(a, BPF_JGE, BPF_REG_1, KT_SHARED_CALLS, none);
	kt_asm_alu_imm(a, BPF_LSH, BPF_REG_1, 2);
	kt_asm_move_value(a, BPF_REG_2, i.shared->map);
	kt_asm_alu(a, BPF_ADD, BPF_REG_2, BPF_REG_1);
	kt_asm_load(a, BPF_W, BPF_REG_1, BPF_REG_2, 0);
	kt_asm_jump_imm(a, BPF_JGE, BPF_REG_1, i.shared->n, none);
	kt_asm_store(a, BPF_DW, BPF_REG_10, KT_STACK_EVENT, BPF_REG_1);
}

void kt_emit_index_add(struct kt_asm *a, int pointer, struct kt_event_index i, size_t size,
		       int other)
{
	if (!i.shared) {
		kt_asm_alu_imm(a, BPF_ADD, pointer, i.event * size);
		return;
	}
	kt_asm_load(a, BPF_DW, other, BPF_REG_10, KT_STACK_EVENT);
	kt_asm_alu_imm(a, BPF_MUL, other, size);
	kt_asm_alu(a, BPF_ADD, pointer, other);
}

void kt_emit_index_or(struct kt_asm *a, int number, struct kt_event_index i, int other)
{
	if (!i.shared) {
		kt_asm_alu_imm(a, BPF_OR, number, i.event);
		return;
	}
	kt_asm_load(a, BPF_DW, other, BPF_REG_10, KT_STACK_EVENT);
	kt_asm_alu(a, BPF_OR, number, other);
}

void kt_emit_index_store(struct kt_asm *a, int pointer, int16_t off, struct kt_event_index i,
			 int other)
{
	if (!i.shared) {
		kt_asm_store_imm(a, BPF_DW, pointer, off, i.event + 1);
		return;
	}
	kt_asm_load(a, BPF_DW, other, BPF_REG_10, KT_STACK_EVENT);
	kt_asm_alu_imm(a, BPF_ADD, other, 1);
	kt_asm_store(a, BPF_DW, pointer, off, other);
}

struct kt_index_name kt_index_name(struct kt_event_index i)
{
	struct kt_index_name name = {"the call's event"};

	if (i.shared && i.shared->by_cookie)
		snprintf(name.text, sizeof(name.text), "the function's event");
	else if (!i.shared)
		snprintf(name.text, sizeof(name.text), "event %zu", i.event);
	return name;
}
