// SPDX-License-Identifier: GPL-2.0-or-later
#include "emit/dispatch.h"

#include "emit/asm.h"
#include "emit/expr.h"

void kt_emit_dispatch(struct kt_asm *a, const struct kt_expr *number, int table)
{
	enum { CONTEXT = BPF_REG_6, POINTER = BPF_REG_7 };
	struct kt_emit_expr x = {.a = a, .pointer = POINTER};

	kt_asm_note(a, "on in the program that has this number, if there is one");
	kt_asm_move(a, CONTEXT, BPF_REG_1);
	kt_emit_value(&x, number, BPF_REG_3);
	kt_asm_move_map(a, BPF_REG_2, table);
	kt_asm_move(a, BPF_REG_1, CONTEXT);
	kt_asm_call(a, BPF_FUNC_tail_call);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
}
