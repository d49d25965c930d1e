// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/pointed_buffers.h"

#include <stddef.h>
#include <sys/uio.h>

#include "bpf/asm.h"
#include "bpf/loop.h"
#include "ctypes/recipe_expr.h"
#include "generate/expr_value.h"
#include "generate/pointed_field.h"

/* Registers of the loop's body: bytes of all buffers so far, of this one, and those wanted. */
enum { SCRATCH = BPF_REG_7, USED, LENGTH, SUM = BPF_REG_6, WANTED = BPF_REG_5 };

/* r3 = base of the buffer, KT_POINTED_LENGTH = its bytes; ends the loop after the last one. */
static void find_buffer(struct kt_asm *f, const struct kt_pointed_field *c, int stop)
{
	enum { INDEX = BPF_REG_1, FRAME, OFFSET = BPF_REG_9, BASE = BPF_REG_3 };

	kt_asm_move(f, OFFSET, INDEX);
	kt_asm_alu_imm(f, BPF_LSH, OFFSET, __builtin_ctz(sizeof(struct iovec)));
	kt_asm_load(f, BPF_DW, SCRATCH, FRAME, KT_STACK_POINTED);
	kt_asm_load(f, BPF_DW, USED, FRAME, KT_POINTED_SAVED);
	kt_asm_load(f, BPF_DW, BPF_REG_3, FRAME, c->before);
	if (c->socket)
		kt_emit_pointed_wanted(f, WANTED, FRAME, c);
	kt_asm_jump_if(f, BPF_JGE, OFFSET, BPF_REG_3, stop);
	kt_asm_alu(f, BPF_ADD, OFFSET, USED);
	kt_asm_alu(f, BPF_SUB, OFFSET, BPF_REG_3);
	kt_asm_jump_imm(f, BPF_JGT, OFFSET, KT_POINTED_PATHS - sizeof(struct iovec), stop);
	kt_asm_alu(f, BPF_ADD, OFFSET, SCRATCH);
	kt_asm_load(f, BPF_DW, BASE, OFFSET, offsetof(struct iovec, iov_base));
	kt_asm_load(f, BPF_DW, KT_POINTED_LENGTH, OFFSET, offsetof(struct iovec, iov_len));
}

/* Limits KT_POINTED_LENGTH to what the call wrote, to the maximum, and to the room that is left. */
static void limit_buffer(struct kt_asm *f, const struct kt_pointed_field *c, int stop)
{
	enum { LEFT = BPF_REG_1, ROOM = BPF_REG_1 };

	if (c->is_limited) {
		kt_asm_load(f, BPF_DW, LEFT, SCRATCH, KT_POINTED_LEFT);
		kt_emit_pointed_limit(f, LEFT);
		kt_asm_alu(f, BPF_SUB, LEFT, KT_POINTED_LENGTH);
		kt_asm_store(f, BPF_DW, SCRATCH, KT_POINTED_LEFT, LEFT);
	}
	if (c->socket)
		kt_emit_pointed_limit(f, WANTED);
	kt_emit_pointed_limit_to(f, c->socket ? KT_CURATED_MESSAGES_MAX : c->each);
	kt_asm_load(f, BPF_DW, SUM, SCRATCH, KT_POINTED_SUM);
	kt_asm_jump_imm(f, BPF_JGT, SUM, c->max - KT_POINTED_BUFFER_HEADER, stop);
	kt_asm_move_imm(f, ROOM, c->max - KT_POINTED_BUFFER_HEADER);
	kt_asm_alu(f, BPF_SUB, ROOM, SUM);
	kt_emit_pointed_limit(f, ROOM);
}

/* r1 = address after all buffers. */
static void find_end(struct kt_asm *f)
{
	kt_asm_move(f, BPF_REG_1, SCRATCH);
	kt_asm_alu(f, BPF_ADD, BPF_REG_1, USED);
	kt_asm_alu(f, BPF_ADD, BPF_REG_1, SUM);
}

/* Appends KT_POINTED_LENGTH bytes from r3 after their length, which becomes 0 if unreadable. */
static void add_buffer(struct kt_asm *f)
{
	int read = kt_asm_label(f, "read");

	kt_asm_move(f, LENGTH, KT_POINTED_LENGTH);
	find_end(f);
	kt_asm_alu_imm(f, BPF_ADD, BPF_REG_1, KT_POINTED_BUFFER_HEADER);
	kt_asm_call(f, BPF_FUNC_probe_read_user);
	kt_asm_jump_imm(f, BPF_JEQ, BPF_REG_0, 0, read);
	kt_asm_move_imm(f, LENGTH, 0);
	kt_asm_place(f, read);
	find_end(f);
	kt_asm_store(f, BPF_W, BPF_REG_1, 0, LENGTH);
	kt_asm_alu(f, BPF_ADD, SUM, LENGTH);
	kt_asm_alu_imm(f, BPF_ADD, SUM, KT_POINTED_BUFFER_HEADER);
	kt_asm_store(f, BPF_DW, SCRATCH, KT_POINTED_SUM, SUM);
}

/* Emits the loop's body (bpf/loop.h): a buffer of the struct with that index. */
static void emit_body(struct kt_asm *f, const struct kt_pointed_field *c)
{
	int stop = kt_asm_label(f, "stop");

	find_buffer(f, c, stop);
	limit_buffer(f, c, stop);
	add_buffer(f);
	kt_emit_loop_body_end(f, stop);
}

/* r0 = bytes of all buffers and lengths. */
void kt_emit_pointed_buffers(struct kt_emit_expr *x, const struct kt_expr *e,
			     const struct kt_pointed_field *c)
{
	struct kt_asm *body = kt_asm_function(x->a, "buffers");

	if (c->is_limited)
		kt_emit_value(x, e->of[0], BPF_REG_1);
	x->base = NULL;
	kt_asm_load(x->a, BPF_DW, BPF_REG_2, BPF_REG_10, KT_STACK_POINTED);
	if (c->is_limited)
		kt_asm_store(x->a, BPF_DW, BPF_REG_2, KT_POINTED_LEFT, BPF_REG_1);
	kt_asm_store_imm(x->a, BPF_DW, BPF_REG_2, KT_POINTED_SUM, 0);
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, KT_POINTED_SAVED, KT_POINTED_USED);
	emit_body(body, c);
	kt_emit_loop(x->a, body, c->structs);
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, BPF_REG_10, KT_STACK_POINTED);
	kt_asm_load(x->a, BPF_DW, BPF_REG_0, BPF_REG_1, KT_POINTED_SUM);
}
