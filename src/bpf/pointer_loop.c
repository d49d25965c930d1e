// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/pointer_loop.h"

#include "bpf/asm.h"

static int16_t find_pointer_slot(const struct kt_emit_pointer_loop *p)
{
	return p->stack + 8;
}

void kt_emit_pointer_loop_begin(struct kt_emit_pointer_loop *p)
{
	p->again = kt_asm_label(p->a, "again");
	kt_asm_move_imm(p->a, BPF_REG_1, 0);
	kt_asm_store(p->a, BPF_DW, BPF_REG_10, p->stack, BPF_REG_1);
	kt_asm_place(p->a, p->again);
}

void kt_emit_pointer_loop_read(const struct kt_emit_pointer_loop *p, int dst, int unread)
{
	int read = kt_asm_label(p->a, "read");

	kt_asm_move(p->a, BPF_REG_1, BPF_REG_10);
	kt_asm_alu_imm(p->a, BPF_ADD, BPF_REG_1, find_pointer_slot(p));
	kt_asm_move_imm(p->a, BPF_REG_2, 8);
	kt_asm_move(p->a, BPF_REG_3, p->at);
	kt_asm_call(p->a, BPF_FUNC_probe_read_user);
	kt_asm_jump_imm(p->a, BPF_JEQ, BPF_REG_0, 0, read);
	kt_asm_jump(p->a, unread);
	kt_asm_place(p->a, read);
	kt_asm_load(p->a, BPF_DW, dst, BPF_REG_10, find_pointer_slot(p));
}

void kt_emit_pointer_loop_count(const struct kt_emit_pointer_loop *p, int dst)
{
	kt_asm_load(p->a, BPF_DW, dst, BPF_REG_10, p->stack);
}

void kt_emit_pointer_loop_next(const struct kt_emit_pointer_loop *p)
{
	kt_emit_pointer_loop_count(p, BPF_REG_1);
	kt_asm_alu_imm(p->a, BPF_ADD, BPF_REG_1, 1);
	kt_asm_store(p->a, BPF_DW, BPF_REG_10, p->stack, BPF_REG_1);
	kt_asm_alu_imm(p->a, BPF_ADD, p->at, 8);
	kt_asm_jump_imm(p->a, BPF_JLT, BPF_REG_1, p->most, p->again);
}
