// SPDX-License-Identifier: GPL-2.0-or-later
#include "emit/gate.h"

#include "emit/asm.h"

/* r1 = the map's value, r6 = its word, which says by how much to shift. */
static void check_switch(struct kt_asm *a, struct kt_switch s, int off)
{
	kt_asm_note(a, "is this the program that records?");
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_1, KT_GATE_SWITCHES + s.event * sizeof(uint32_t));
	kt_asm_load(a, BPF_W, BPF_REG_1, BPF_REG_1, 0);
	kt_asm_move(a, BPF_REG_2, BPF_REG_6);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_2, KT_GATE_SHIFT);
	kt_asm_alu(a, BPF_RSH, BPF_REG_1, BPF_REG_2);
	kt_asm_alu_imm(a, BPF_AND, BPF_REG_1, KT_NUMBER_MAX);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_1, s.number, off);
}

void kt_emit_gate(struct kt_asm *a, int map, struct kt_switch s, int shut)
{
	if (map >= 0) {
		kt_asm_note(a, "is the gate open?");
		kt_asm_move_value(a, BPF_REG_1, map);
		kt_asm_load(a, BPF_DW, BPF_REG_6, BPF_REG_1, 0);
		kt_asm_jump_imm(a, BPF_JSLT, BPF_REG_6, 0, shut);
		if (s.number)
			check_switch(a, s, shut);
	}
	kt_asm_note(a, "this CPU's row");
	kt_asm_call(a, BPF_FUNC_get_smp_processor_id);
	if (map >= 0)
		kt_asm_alu(a, BPF_ADD, BPF_REG_0, BPF_REG_6);
	kt_asm_store(a, BPF_W, BPF_REG_10, KT_STACK_ROW, BPF_REG_0);
}
