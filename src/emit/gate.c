// SPDX-License-Identifier: GPL-2.0-or-later
#include "emit/gate.h"

#include "emit/asm.h"

void kt_emit_gate(struct kt_asm *a, int map, int shut)
{
	if (map >= 0) {
		kt_asm_note(a, "is the gate open?");
		kt_asm_move_value(a, BPF_REG_6, map);
		kt_asm_load(a, BPF_DW, BPF_REG_6, BPF_REG_6, 0);
		kt_asm_jump_imm(a, BPF_JSLT, BPF_REG_6, 0, shut);
	}
	kt_asm_note(a, "this CPU's row");
	kt_asm_call(a, BPF_FUNC_get_smp_processor_id);
	if (map >= 0)
		kt_asm_alu(a, BPF_ADD, BPF_REG_0, BPF_REG_6);
	kt_asm_store(a, BPF_W, BPF_REG_10, KT_STACK_ROW, BPF_REG_0);
}
