// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/pid_filter_check.h"

#include "bpf/asm.h"
#include "bpf/map_lookup.h"
#include "bpf/ring_layout.h"
#include "generate/enable_check.h"

enum { KEY = KT_STACK_ROW - 4 };

enum { WORD = BPF_REG_6, TASKS = BPF_REG_8 };

void kt_emit_pid_filter(struct kt_asm *a, int map, int all)
{
	kt_asm_note(a, "is a PID filter set?");
	kt_asm_move(a, BPF_REG_1, WORD);
	kt_asm_alu_imm(a, BPF_LSH, BPF_REG_1, 63 - KT_ENABLE_PID_FILTER_SHIFT);
	kt_asm_jump_imm(a, BPF_JSGE, BPF_REG_1, 0, all);
	kt_asm_move(a, BPF_REG_1, WORD);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_1, __builtin_ctzll(KT_ENABLE_SECOND));
	kt_asm_alu_imm(a, BPF_AND, BPF_REG_1, 1);
	kt_asm_store(a, BPF_W, BPF_REG_10, KEY, BPF_REG_1);
	kt_asm_move_map(a, BPF_REG_1, map);
	kt_emit_map_lookup(a, KEY, all);
	kt_asm_move(a, TASKS, BPF_REG_0);
}
