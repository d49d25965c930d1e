// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/fork_tracking.h"

#include "bpf/asm.h"
#include "bpf/map_lookup.h"
#include "events/event.h"
#include "events/event_target.h"
#include "generate/enable_check.h"
#include "generate/expr_value.h"
#include "generate/field_value.h"

enum { KEY = KT_STACK_ROW - 4 };

enum { CONTEXT = BPF_REG_6, TASK = BPF_REG_6 };

void kt_emit_process(struct kt_asm *a)
{
	kt_asm_call(a, BPF_FUNC_get_current_pid_tgid);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_0, 32);
}

void kt_emit_thread(struct kt_asm *a)
{
	kt_asm_call(a, BPF_FUNC_get_current_pid_tgid);
	kt_asm_alu_imm(a, BPF_LSH, BPF_REG_0, 32);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_0, 32);
}

/* r0 = the map element with the task's bit; the map is in r1. */
static void find_word(struct kt_asm *a, int task, int absent)
{
	kt_asm_move(a, BPF_REG_2, task);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_2, 6);
	kt_asm_store(a, BPF_W, BPF_REG_10, KEY, BPF_REG_2);
	kt_emit_map_lookup(a, KEY, absent);
}

/* Jumps to `clear` unless the bit is set. Shifts use only the low 6 bits of their count. */
static void test_bit(struct kt_asm *a, int task, int clear)
{
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_0, 0);
	kt_asm_alu(a, BPF_RSH, BPF_REG_1, task);
	kt_asm_alu_imm(a, BPF_AND, BPF_REG_1, 1);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_1, 0, clear);
}

void kt_emit_followed(struct kt_asm *a, int task, int other)
{
	find_word(a, task, other);
	test_bit(a, task, other);
}

void kt_emit_target(struct kt_asm *a, int map, const struct kt_event *event, int other)
{
	const struct kt_field *target = kt_event_target(event);
	struct kt_emit_expr x = {.a = a, .pointer = BPF_REG_7};

	kt_asm_note(a, "or the task in %s?", target->name);
	kt_emit_field(&x, event, target);
	kt_asm_move(a, TASK, BPF_REG_1);
	kt_asm_move(a, BPF_REG_1, map);
	kt_emit_followed(a, TASK, other);
}

/* r7 = the child. If the event lacks the field, emits a load that the verifier refuses. */
static void load_child(struct kt_asm *a, const struct kt_event *fork)
{
	struct kt_emit_expr x = {.a = a, .pointer = BPF_REG_7};
	const struct kt_field *child = kt_event_field(fork, "child_pid");

	kt_asm_move(a, CONTEXT, BPF_REG_1);
	if (child)
		kt_emit_field(&x, fork, child);
	else
		kt_asm_load(a, BPF_W, BPF_REG_1, CONTEXT, 0);
	kt_asm_move(a, BPF_REG_7, BPF_REG_1);
}

/* Both updates are atomic: the element has the bits of 63 other tasks. */
void kt_emit_fork(struct kt_asm *a, int map, const struct kt_event *fork)
{
	int done = kt_asm_label(a, "done"), unfollowed = kt_asm_label(a, "unfollowed");

	kt_asm_note(a, "r7 = the child, r8 = its element, r9 = its bit");
	load_child(a, fork);
	kt_asm_move_map(a, BPF_REG_1, map);
	find_word(a, BPF_REG_7, done);
	kt_asm_move(a, BPF_REG_8, BPF_REG_0);
	kt_asm_move_imm(a, BPF_REG_9, 1);
	kt_asm_alu(a, BPF_LSH, BPF_REG_9, BPF_REG_7);

	kt_asm_note(a, "is this process followed?");
	kt_emit_process(a);
	kt_asm_move(a, TASK, BPF_REG_0);
	kt_asm_move_map(a, BPF_REG_1, map);
	kt_emit_followed(a, TASK, unfollowed);
	kt_asm_atomic(a, BPF_DW, BPF_OR, BPF_REG_8, 0, BPF_REG_9);
	kt_asm_jump(a, done);

	kt_asm_place(a, unfollowed);
	kt_asm_note(a, "clear the bit: the PID may be a followed one's, reused");
	kt_asm_alu_imm(a, BPF_XOR, BPF_REG_9, -1);
	kt_asm_atomic(a, BPF_DW, BPF_AND, BPF_REG_8, 0, BPF_REG_9);
	kt_asm_place(a, done);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
}
