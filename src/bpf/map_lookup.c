// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/map_lookup.h"

#include "bpf/asm.h"

void kt_emit_map_lookup(struct kt_asm *a, int slot, int absent)
{
	kt_asm_move(a, BPF_REG_2, BPF_REG_10);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_2, slot);
	kt_asm_call(a, BPF_FUNC_map_lookup_elem);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, absent);
}
