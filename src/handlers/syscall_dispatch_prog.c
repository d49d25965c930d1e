// SPDX-License-Identifier: GPL-2.0-or-later
#include "handlers/syscall_dispatch_prog.h"

#include <stddef.h>
#include <sys/syscall.h>

#include "bpf/asm.h"
#include "generate/curated_fields.h"
#include "generate/expr_value.h"
#include "generate/fork_tracking.h"
#include "generate/task_state.h"

enum { CONTEXT = BPF_REG_6, POINTER = BPF_REG_7, NUMBER = BPF_REG_8 };

/* execve's number when the new program has 32-bit words, or 32-bit pointers. */
enum { EXECVE_32 = 11, EXECVE_X32 = 0x40000000 + 520 };

/* Jumps to the label if the call is of our own kind. Clobbers r0 to r5 and r7. */
static void skip_own(struct kt_asm *a, const struct kt_dispatch *d, int label)
{
	struct kt_emit_expr x = {.a = a, .pointer = POINTER, .stack = KT_STACK_EXPR};

	kt_emit_global(&x, KT_BTF_CURRENT);
	kt_emit_unless(&x, d->foreign, label);
}

/* r3 = the call's number. Notes an exec. */
static void load_entered(struct kt_asm *a, const struct kt_dispatch *d)
{
	int exec = kt_asm_label(a, "exec"), own = kt_asm_label(a, "own");
	int noted = kt_asm_label(a, "noted"), other = kt_asm_label(a, "other");

	kt_asm_note(a, "is it the number of an exec?");
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_3, SYS_execve, exec);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_3, SYS_execveat, other);
	kt_asm_place(a, exec);
	kt_asm_move(a, NUMBER, BPF_REG_3);
	skip_own(a, d, own);
	kt_asm_jump(a, noted);
	kt_asm_place(a, own);
	kt_emit_task_enter(a, d->states, d->index);
	kt_asm_place(a, noted);
	kt_asm_move(a, BPF_REG_3, NUMBER);
	kt_asm_place(a, other);
}

/* r3 = number of the call that returns; jumps to the end if an exec's is not known. */
static void load_returning(struct kt_asm *a, const struct kt_dispatch *d, int end)
{
	int exec = kt_asm_label(a, "exec"), none = kt_asm_label(a, "none");
	int own = kt_asm_label(a, "own"), known = kt_asm_label(a, "known");

	kt_asm_note(a, "may it be the return of an exec?");
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_3, SYS_execve, exec);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_3, SYS_execveat, exec);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_3, EXECVE_X32, exec);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_3, EXECVE_32, known);
	skip_own(a, d, own);
	kt_asm_move_imm(a, BPF_REG_3, EXECVE_32);
	kt_asm_place(a, exec);
	kt_asm_move(a, NUMBER, BPF_REG_3);
	kt_emit_task_leave(a, d->states, d->index, none);
	kt_asm_jump(a, known);

	kt_asm_place(a, none);
	kt_asm_jump_imm(a, BPF_JNE, NUMBER, EXECVE_32, end);
	kt_asm_place(a, own);
	kt_asm_move_imm(a, BPF_REG_3, EXECVE_32);
	kt_asm_place(a, known);
}

/* Increments that member of struct kt_untraced, and jumps to the end. Clobbers r8. */
static void count_call(struct kt_asm *a, const struct kt_untraced_counts *c, size_t field, int end)
{
	enum { PROCESS = BPF_REG_8 };

	if (c->followed >= 0) {
		kt_emit_process(a);
		kt_asm_move(a, PROCESS, BPF_REG_0);
		kt_asm_move_map(a, BPF_REG_1, c->followed);
		kt_emit_followed(a, PROCESS, end);
	}
	kt_asm_move_value(a, BPF_REG_1, c->map);
	kt_asm_move_imm(a, BPF_REG_2, 1);
	kt_asm_atomic(a, BPF_DW, BPF_ADD, BPF_REG_1, field, BPF_REG_2);
	kt_asm_jump(a, end);
}

/* Counts a 32-bit call, and jumps to the end. */
static void count_compat(struct kt_asm *a, const struct kt_dispatch *d, int end)
{
	int own = kt_asm_label(a, "not_32_bit");

	kt_asm_note(a, "is it a 32-bit call?");
	kt_asm_move(a, NUMBER, BPF_REG_3);
	skip_own(a, d, own);
	count_call(a, &d->counts, offsetof(struct kt_untraced, compat), end);
	kt_asm_place(a, own);
	kt_asm_move(a, BPF_REG_3, NUMBER);
}

void kt_emit_syscall_dispatch(struct kt_asm *a, const struct kt_dispatch *d)
{
	struct kt_emit_expr x = {
		.a = a, .pointer = POINTER, .stack = KT_STACK_EXPR, .regs = d->regs};
	int end = kt_asm_label(a, "end");

	kt_asm_move(a, CONTEXT, BPF_REG_1);
	if (d->excluded) {
		kt_emit_process(a);
		kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, d->excluded, end);
		kt_asm_move(a, BPF_REG_1, CONTEXT);
	}
	kt_asm_note(a, "r3 = the call's number");
	if (d->regs.to && d->side == KT_EXIT)
		kt_emit_global(&x, KT_BTF_REGS);
	kt_emit_value(&x, d->number, BPF_REG_3);
	if (d->counts.map >= 0)
		count_compat(a, d, end);
	if (d->side == KT_ENTER)
		load_entered(a, d);
	else
		load_returning(a, d, end);
	kt_asm_note(a, "run the program in the number's slot, if any");
	kt_asm_move_map(a, BPF_REG_2, d->table);
	kt_asm_move(a, BPF_REG_1, CONTEXT);
	kt_asm_call(a, BPF_FUNC_tail_call);
	if (d->counts.map >= 0 && d->counts.unnamed)
		count_call(a, &d->counts, offsetof(struct kt_untraced, unnamed), end);
	kt_asm_place(a, end);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
}
