// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/pointer_loop.h"

#include "bpf/asm.h"
#include "bpf/loop.h"

enum { CONTEXT = BPF_REG_2, POINTER = BPF_REG_3, FRAME = BPF_REG_6, UNREADABLE = 1 };

/* r3 = the next pointer; ends the loop if it is NULL or unreadable. */
static void read_pointer(struct kt_emit_pointer_loop *p, struct kt_asm *f)
{
	int16_t at = p->stack + KT_POINTER_LOOP_AT, read = p->stack + KT_POINTER_LOOP_READ;
	int readable = kt_asm_label(f, "readable");

	kt_asm_move(f, BPF_REG_1, FRAME);
	kt_asm_alu_imm(f, BPF_ADD, BPF_REG_1, read);
	kt_asm_move_imm(f, BPF_REG_2, sizeof(uint64_t));
	kt_asm_load(f, BPF_DW, BPF_REG_3, FRAME, at);
	kt_asm_call(f, BPF_FUNC_probe_read_user);
	kt_asm_jump_imm(f, BPF_JEQ, BPF_REG_0, 0, readable);
	kt_asm_store_imm(f, BPF_DW, FRAME, read, UNREADABLE);
	kt_asm_jump(f, p->stop);
	kt_asm_place(f, readable);
	kt_asm_load(f, BPF_DW, POINTER, FRAME, read);
	kt_asm_jump_imm(f, BPF_JEQ, POINTER, 0, p->stop);
}

void kt_emit_pointer_loop_begin(struct kt_emit_pointer_loop *p, int first, const char *name)
{
	kt_asm_store(p->a, BPF_DW, BPF_REG_10, p->stack + KT_POINTER_LOOP_AT, first);
	kt_asm_store(p->a, BPF_DW, BPF_REG_10, p->stack + KT_POINTER_LOOP_READ, first);
	p->body = kt_asm_function(p->a, name);
	p->stop = kt_asm_label(p->body, "stop");
	kt_asm_move(p->body, FRAME, CONTEXT);
	read_pointer(p, p->body);
}

void kt_emit_pointer_loop_end(struct kt_emit_pointer_loop *p)
{
	struct kt_asm *f = p->body;
	int16_t at = p->stack + KT_POINTER_LOOP_AT;

	kt_asm_load(f, BPF_DW, BPF_REG_1, FRAME, at);
	kt_asm_alu_imm(f, BPF_ADD, BPF_REG_1, sizeof(uint64_t));
	kt_asm_store(f, BPF_DW, FRAME, at, BPF_REG_1);
	kt_emit_loop_body_end(f, p->stop);
	kt_emit_loop(p->a, f, p->most);
}
