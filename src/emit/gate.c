// SPDX-License-Identifier: GPL-2.0-or-later
#include "emit/gate.h"

#include "emit/asm.h"

void kt_emit_gate(struct kt_asm *a, int map, int shut)
{
	kt_asm_note(a, "is the gate open?");
	kt_asm_move_value(a, BPF_REG_2, map);
	kt_asm_load(a, BPF_DW, BPF_REG_2, BPF_REG_2, 0);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_2, 0, shut);
}
