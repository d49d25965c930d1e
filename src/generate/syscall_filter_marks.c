// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/syscall_filter_marks.h"

#include "bpf/asm.h"
#include "bpf/ring_layout.h"

enum { MARK = BPF_REG_1, VALUE = BPF_REG_2, VALID = BPF_REG_0 };

/*
 * Threads with consecutive numbers run at the same time on several CPUs. Each should have a cache
 * line of its own, so the low bits of the number become the high bits of the place.
 */
enum {
	APART_BITS = 6,
	APART = (1 << APART_BITS) - 1,
	REST = KT_CALL_MARKS_SIZE / (1 << APART_BITS)
};

/*
 * MARK = address of the mark of the current thread, or of the thread whose number is on the stack.
 */
static void find_mark(struct kt_asm *a, int map, int16_t tid)
{
	if (tid)
		kt_asm_load(a, BPF_DW, BPF_REG_0, BPF_REG_10, tid);
	else
		kt_asm_call(a, BPF_FUNC_get_current_pid_tgid);
	kt_asm_move_value(a, MARK, map);
	kt_asm_move(a, VALUE, BPF_REG_0);
	kt_asm_alu_imm(a, BPF_AND, VALUE, APART);
	kt_asm_alu_imm(a, BPF_MUL, VALUE, REST);
	kt_asm_alu(a, BPF_ADD, MARK, VALUE);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_0, APART_BITS);
	kt_asm_alu_imm(a, BPF_AND, BPF_REG_0, REST - 1);
	kt_asm_alu(a, BPF_ADD, MARK, BPF_REG_0);
}

/* Writes only if something changes. */
static void clear_mark(struct kt_asm *a, int is_clear)
{
	kt_asm_load(a, BPF_B, VALUE, MARK, 0);
	kt_asm_jump_imm(a, BPF_JEQ, VALUE, 0, is_clear);
	kt_asm_store_imm(a, BPF_B, MARK, 0, 0);
}

/* VALID = the mark that counts. */
static void load_valid(struct kt_asm *a, int enable)
{
	if (enable < 0) {
		kt_asm_move_imm(a, VALID, 1);
		return;
	}
	kt_asm_move_value(a, VALID, enable);
	kt_asm_load(a, BPF_DW, VALID, VALID, KT_ENABLE_MARK);
}

void kt_emit_clear_filter_mark(struct kt_asm *a, int map)
{
	int is_clear = kt_asm_label(a, "clear");

	kt_asm_note(a, "clear the mark of this thread");
	find_mark(a, map, 0);
	clear_mark(a, is_clear);
	kt_asm_place(a, is_clear);
}

void kt_emit_set_filter_mark(struct kt_asm *a, int map, int enable)
{
	kt_asm_note(a, "mark this thread: its call matches");
	find_mark(a, map, 0);
	load_valid(a, enable);
	kt_asm_store(a, BPF_B, MARK, 0, VALID);
}

void kt_emit_filter_mark_test(struct kt_asm *a, int map, int enable, int16_t tid, bool so,
			      int label)
{
	int other = so ? kt_asm_label(a, "not_chosen") : label;

	kt_asm_note(a, "is this thread marked?");
	find_mark(a, map, tid);
	clear_mark(a, other);
	load_valid(a, enable);
	if (!so) {
		kt_asm_jump_if(a, BPF_JNE, VALUE, VALID, label);
		return;
	}
	kt_asm_jump_if(a, BPF_JEQ, VALUE, VALID, label);
	kt_asm_place(a, other);
}
