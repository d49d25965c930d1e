// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/pointed_buffers.h"

#include <stddef.h>
#include <sys/uio.h>

#include "bpf/asm.h"
#include "ctypes/recipe_expr.h"
#include "generate/expr_value.h"
#include "generate/pointed_field.h"

/* Stack offsets: bytes left of the common limit; bytes of structs already processed. */
enum { LEFT = KT_POINTED_LOOP, GONE = KT_POINTED_LOOP + 8 };

/* The pointer = offset of the structs in scratch memory; jumps to `none` if there are none. */
static void find_structs(struct kt_asm *a, const struct kt_pointed_field *c, int none)
{
	int within = kt_asm_label(a, "within");

	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, c->before);
	kt_asm_move(a, KT_POINTED_POINTER, KT_POINTED_USED);
	kt_asm_alu(a, BPF_SUB, KT_POINTED_POINTER, BPF_REG_1);
	kt_asm_jump_imm(a, BPF_JLE, KT_POINTED_POINTER, KT_POINTED_PATHS, within);
	kt_asm_jump(a, none);
	kt_asm_place(a, within);
}

/* r3 = base of a buffer, r2 = bytes to keep of it; jumps to `end` at the end. */
static void find_buffer(struct kt_asm *a, const struct kt_pointed_field *c, int end)
{
	enum { SUM = BPF_REG_1, REST = BPF_REG_1, BASE = BPF_REG_3, ROOM };
	int room = kt_asm_label(a, "room");

	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, KT_STACK_POINTED);
	kt_asm_alu(a, BPF_ADD, BPF_REG_1, KT_POINTED_POINTER);
	kt_asm_load(a, BPF_DW, BASE, BPF_REG_1, offsetof(struct iovec, iov_base));
	kt_asm_load(a, BPF_DW, KT_POINTED_LENGTH, BPF_REG_1, offsetof(struct iovec, iov_len));
	if (c->is_limited) {
		kt_asm_load(a, BPF_DW, REST, BPF_REG_10, LEFT);
		kt_emit_pointed_limit(a, REST);
		kt_asm_alu(a, BPF_SUB, REST, KT_POINTED_LENGTH);
		kt_asm_store(a, BPF_DW, BPF_REG_10, LEFT, REST);
	}
	kt_emit_pointed_limit_to(a, c->each);
	kt_asm_load(a, BPF_DW, SUM, BPF_REG_10, c->count);
	kt_asm_jump_imm(a, BPF_JLE, SUM, c->max - KT_POINTED_BUFFER_HEADER, room);
	kt_asm_jump(a, end);
	kt_asm_place(a, room);
	kt_asm_move_imm(a, ROOM, c->max - KT_POINTED_BUFFER_HEADER);
	kt_asm_alu(a, BPF_SUB, ROOM, SUM);
	kt_emit_pointed_limit(a, ROOM);
}

/* Appends r2 bytes from r3 after their length, which becomes 0 if they cannot be read. */
static void add_buffer(struct kt_emit_expr *x, const struct kt_pointed_field *c)
{
	enum { SUM = BPF_REG_4 };
	int unread = kt_asm_label(x->a, "unread"), read = kt_asm_label(x->a, "read");

	kt_asm_store(x->a, BPF_DW, BPF_REG_10, x->stack, KT_POINTED_LENGTH);
	kt_emit_pointed_end(x->a, BPF_REG_1);
	kt_asm_load(x->a, BPF_DW, SUM, BPF_REG_10, c->count);
	kt_asm_alu(x->a, BPF_ADD, BPF_REG_1, SUM);
	kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_1, KT_POINTED_BUFFER_HEADER);
	kt_asm_call(x->a, BPF_FUNC_probe_read_user);
	kt_asm_load(x->a, BPF_DW, KT_POINTED_LENGTH, BPF_REG_10, x->stack);
	kt_asm_jump_imm(x->a, BPF_JNE, BPF_REG_0, 0, unread);
	kt_asm_jump(x->a, read);
	kt_asm_place(x->a, unread);
	kt_asm_move_imm(x->a, KT_POINTED_LENGTH, 0);
	kt_asm_place(x->a, read);
	kt_emit_pointed_end(x->a, BPF_REG_1);
	kt_asm_load(x->a, BPF_DW, SUM, BPF_REG_10, c->count);
	kt_asm_alu(x->a, BPF_ADD, BPF_REG_1, SUM);
	kt_asm_store(x->a, BPF_W, BPF_REG_1, 0, KT_POINTED_LENGTH);
	kt_asm_alu(x->a, BPF_ADD, SUM, KT_POINTED_LENGTH);
	kt_asm_alu_imm(x->a, BPF_ADD, SUM, KT_POINTED_BUFFER_HEADER);
	kt_emit_pointed_forget(x->a, SUM, BPF_REG_2, c->max, c->unfit);
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, c->count, SUM);
}

/* r0 = bytes of all buffers and lengths. The path that does not jump leaves the loop. */
void kt_emit_pointed_buffers(struct kt_emit_expr *x, const struct kt_expr *e,
			     const struct kt_pointed_field *c)
{
	int again = kt_asm_label(x->a, "again"), more = kt_asm_label(x->a, "more");
	int end = kt_asm_label(x->a, "end"), fits = kt_asm_label(x->a, "fits");

	if (c->is_limited) {
		kt_emit_value(x, e->of[0], BPF_REG_1);
		kt_asm_store(x->a, BPF_DW, BPF_REG_10, LEFT, BPF_REG_1);
	}
	x->base = NULL;
	kt_asm_store_imm(x->a, BPF_DW, BPF_REG_10, GONE, 0);
	kt_asm_store_imm(x->a, BPF_DW, BPF_REG_10, c->count, 0);
	find_structs(x->a, c, end);
	kt_asm_place(x->a, again);
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, BPF_REG_10, GONE);
	kt_asm_load(x->a, BPF_DW, BPF_REG_2, BPF_REG_10, c->before);
	kt_asm_jump_if(x->a, BPF_JLT, BPF_REG_1, BPF_REG_2, more);
	kt_asm_jump(x->a, end);
	kt_asm_place(x->a, more);
	find_buffer(x->a, c, end);
	add_buffer(x, c);
	kt_asm_alu_imm(x->a, BPF_ADD, KT_POINTED_POINTER, sizeof(struct iovec));
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, BPF_REG_10, GONE);
	kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_1, sizeof(struct iovec));
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, GONE, BPF_REG_1);
	kt_asm_jump_imm(x->a, BPF_JLT, BPF_REG_1, c->structs * sizeof(struct iovec), again);
	kt_asm_place(x->a, end);
	kt_asm_load(x->a, BPF_DW, BPF_REG_0, BPF_REG_10, c->count);
	kt_asm_jump_imm(x->a, BPF_JLE, BPF_REG_0, c->max, fits);
	kt_asm_move_imm(x->a, BPF_REG_0, c->max);
	kt_asm_place(x->a, fits);
}
