// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/pointed_field.h"

#include <sys/socket.h>

#include "bpf/asm.h"
#include "ctypes/recipe_expr.h"

_Static_assert((KT_CURATED_POINTED_MAX + 8) * (KT_CURATED_POINTED_FIELDS_MAX + 1) <=
		       KT_POINTED_FORGOTTEN,
	       "there is room for all of them, and one string more");
_Static_assert(KT_POINTED_STRUCT + KT_EXPR_STRUCT_SIZE <= KT_STACK_EXPR, "there is room for these");

void kt_emit_pointed_end(struct kt_asm *a, int dst)
{
	kt_asm_load(a, BPF_DW, dst, BPF_REG_10, KT_STACK_POINTED);
	kt_asm_alu(a, BPF_ADD, dst, KT_POINTED_USED);
}

void kt_emit_pointed_append(struct kt_asm *a, int function)
{
	kt_emit_pointed_end(a, BPF_REG_1);
	kt_asm_call(a, function);
}

/* The limit is a number, not a register. */
enum { NUMBER = -1 };

/*
 * Limits LENGTH to a register or a number. The verifier follows the path that does not jump first,
 * and abandons the other one where they meet if its range is no larger. So the first must have the
 * larger range.
 */
static void limit_length(struct kt_asm *a, int limit, size_t number)
{
	int many = kt_asm_label(a, "many"), few = kt_asm_label(a, "few");

	if (limit == NUMBER)
		kt_asm_jump_imm(a, BPF_JGT, KT_POINTED_LENGTH, number, many);
	else
		kt_asm_jump_if(a, BPF_JGT, KT_POINTED_LENGTH, limit, many);
	kt_asm_jump(a, few);
	kt_asm_place(a, many);
	if (limit == NUMBER)
		kt_asm_move_imm(a, KT_POINTED_LENGTH, number);
	else
		kt_asm_move(a, KT_POINTED_LENGTH, limit);
	kt_asm_place(a, few);
}

void kt_emit_pointed_limit(struct kt_asm *a, int limit)
{
	limit_length(a, limit, 0);
}

void kt_emit_pointed_limit_to(struct kt_asm *a, size_t limit)
{
	limit_length(a, NUMBER, limit);
}

void kt_emit_pointed_wanted(struct kt_asm *a, int dst, int frame, const struct kt_pointed_field *c)
{
	int usual = kt_asm_label(a, "usual");

	kt_asm_load(a, BPF_DW, frame, frame, c->socket);
	kt_asm_alu_imm(a, BPF_ARSH, frame, KT_EXPR_SOCKET_SHIFT);
	kt_asm_move_imm(a, dst, c->each);
	kt_asm_jump_imm(a, BPF_JNE, frame, AF_NETLINK, usual);
	kt_asm_move_imm(a, dst, KT_CURATED_MESSAGES_MAX);
	kt_asm_place(a, usual);
}

void kt_emit_pointed_forget(struct kt_asm *a, int number, int clobbered, size_t max, int unfit)
{
	kt_asm_load(a, BPF_DW, clobbered, BPF_REG_10, KT_STACK_POINTED);
	kt_asm_store(a, BPF_DW, clobbered, KT_POINTED_FORGOTTEN, number);
	kt_asm_load(a, BPF_DW, number, clobbered, KT_POINTED_FORGOTTEN);
	kt_asm_jump_imm(a, BPF_JGT, number, max, unfit);
}
