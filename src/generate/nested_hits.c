// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/nested_hits.h"

#include "bpf/asm.h"
#include "bpf/map_lookup.h"
#include "generate/enable_check.h"

enum {
	AT_WORK = offsetof(struct kt_nested_hits_state, at_work),
	CAUGHT = offsetof(struct kt_nested_hits_state, caught),
};

/* r0 = the event's state on this CPU. */
static void find_state(struct kt_asm *a, struct kt_nested_hits n, int absent)
{
	kt_asm_move_map(a, BPF_REG_1, n.map);
	kt_emit_map_lookup(a, KT_STACK_ROW, absent);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_0, n.event * sizeof(struct kt_nested_hits_state));
}

static void set_active(struct kt_asm *a, int32_t at_work)
{
	kt_asm_store_imm(a, BPF_DW, BPF_REG_0, AT_WORK, at_work);
}

static void check_active(struct kt_asm *a, int end)
{
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_0, AT_WORK);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_1, 0, end);
	kt_asm_move_imm(a, BPF_REG_1, 1);
	kt_asm_atomic(a, BPF_DW, BPF_ADD, BPF_REG_0, CAUGHT, BPF_REG_1);
}

void kt_emit_nested_begin(struct kt_asm *a, struct kt_nested_hits n, int end)
{
	if (n.role == KT_NESTED_NONE)
		return;
	kt_asm_note(a, n.role == KT_NESTED_FIRST ? "mark the first program as running"
						 : "is the first program running?");
	find_state(a, n, end);
	if (n.role == KT_NESTED_FIRST)
		set_active(a, 1);
	else
		check_active(a, end);
}

void kt_emit_nested_end(struct kt_asm *a, struct kt_nested_hits n, int end)
{
	if (n.role != KT_NESTED_FIRST)
		return;
	kt_asm_note(a, "clear that mark");
	find_state(a, n, end);
	set_active(a, 0);
}
