// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/loop.h"

#include "bpf/asm.h"

void kt_emit_loop_body_end(struct kt_asm *body, int stop)
{
	kt_asm_move_imm(body, BPF_REG_0, 0);
	kt_asm_exit(body);
	kt_asm_place(body, stop);
	kt_asm_move_imm(body, BPF_REG_0, 1);
	kt_asm_exit(body);
}

void kt_emit_loop(struct kt_asm *a, const struct kt_asm *body, int32_t most)
{
	kt_asm_move_imm(a, BPF_REG_1, most);
	kt_asm_move_function(a, BPF_REG_2, body);
	kt_asm_move(a, BPF_REG_3, BPF_REG_10);
	kt_asm_move_imm(a, BPF_REG_4, 0);
	kt_asm_call(a, BPF_FUNC_loop);
}
