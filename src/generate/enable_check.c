// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/enable_check.h"

#include "bpf/asm.h"

/* Checks the enable number. r1 is the map's value, r6 the word, which has the shift. */
static void check_number(struct kt_asm *a, struct kt_enable_number s, int off)
{
	kt_asm_note(a, "is this program the event's current one?");
	kt_emit_index_add(a, BPF_REG_1, (struct kt_event_index){s.event, s.shared},
			  sizeof(uint32_t), BPF_REG_2);
	kt_asm_load(a, BPF_W, BPF_REG_1, BPF_REG_1, KT_ENABLE_SWITCHES);
	kt_asm_move(a, BPF_REG_2, BPF_REG_6);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_2, KT_ENABLE_SHIFT);
	kt_asm_alu(a, BPF_RSH, BPF_REG_1, BPF_REG_2);
	kt_asm_alu_imm(a, BPF_AND, BPF_REG_1, KT_NUMBER_MAX);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_1, s.number, off);
}

/* Checks whether a handover is in progress. r6 is the word. */
static void check_handover(struct kt_asm *a, int map, int shut)
{
	int pass = kt_asm_label(a, "not_handed_over");

	kt_asm_note(a, "is the event changing programs?");
	kt_asm_move(a, BPF_REG_1, BPF_REG_6);
	kt_asm_alu_imm(a, BPF_LSH, BPF_REG_1, 63 - KT_ENABLE_HANDOVER_SHIFT);
	kt_asm_jump_imm(a, BPF_JSGE, BPF_REG_1, 0, pass);
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_move_value(a, BPF_REG_1, map);
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_1, KT_ENABLE_HANDED);
	kt_asm_jump_if(a, BPF_JLT, BPF_REG_0, BPF_REG_1, shut);
	kt_asm_place(a, pass);
}

/* Moves r1, so that the buffer set's own values have the offsets of set 0. r6 is the word. */
static void move_to_set(struct kt_asm *a, int map)
{
	kt_asm_move_value(a, BPF_REG_1, map);
	kt_asm_move(a, BPF_REG_2, BPF_REG_6);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_2, KT_ENABLE_BUFFER_SET_SHIFT - 3);
	kt_asm_alu_imm(a, BPF_AND, BPF_REG_2, 8);
	kt_asm_alu(a, BPF_ADD, BPF_REG_1, BPF_REG_2);
}

/* Checks whether the buffer set is frozen. r6 is the word. */
static void check_frozen(struct kt_asm *a, int map, struct kt_freezing f, int shut)
{
	int pass = kt_asm_label(a, "not_frozen");

	kt_asm_note(a, "is the buffer set frozen?");
	kt_asm_store(a, BPF_DW, BPF_REG_10, KT_STACK_ENABLE, BPF_REG_6);
	move_to_set(a, map);
	kt_asm_load(a, BPF_DW, BPF_REG_7, BPF_REG_1, KT_ENABLE_HIT);
	if (f.after == 0) {
		kt_asm_jump_imm(a, BPF_JNE, BPF_REG_7, 0, shut);
	} else {
		kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_7, 0, pass);
		kt_asm_call(a, BPF_FUNC_ktime_get_ns);
		kt_asm_alu(a, BPF_SUB, BPF_REG_0, BPF_REG_7);
		kt_asm_jump_imm64(a, BPF_JSGE, BPF_REG_0, f.after, BPF_REG_1, shut);
	}
	kt_asm_place(a, pass);
}

void kt_emit_enable_check(struct kt_asm *a, int map, struct kt_enable_number s,
			  struct kt_freezing f, int shut)
{
	if (map >= 0) {
		kt_asm_note(a, "is recording enabled?");
		kt_asm_move_value(a, BPF_REG_1, map);
		kt_asm_load(a, BPF_DW, BPF_REG_6, BPF_REG_1, 0);
		kt_asm_jump_imm(a, BPF_JSLT, BPF_REG_6, 0, shut);
		if (s.number)
			check_number(a, s, shut);
		if (s.succeeds)
			check_handover(a, map, shut);
		if (f.can)
			check_frozen(a, map, f, shut);
	}
	kt_asm_note(a, "this CPU and buffer set");
	kt_asm_call(a, BPF_FUNC_get_smp_processor_id);
	if (map >= 0)
		kt_asm_alu(a, BPF_ADD, BPF_REG_0, BPF_REG_6);
	kt_asm_store(a, BPF_W, BPF_REG_10, KT_STACK_ROW, BPF_REG_0);
}

void kt_emit_armed(struct kt_asm *a, int map, int hit)
{
	kt_asm_note(a, "has a trigger been hit before?");
	kt_asm_load(a, BPF_DW, BPF_REG_6, BPF_REG_10, KT_STACK_ENABLE);
	move_to_set(a, map);
	kt_asm_load(a, BPF_DW, BPF_REG_2, BPF_REG_1, KT_ENABLE_HIT);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_2, 0, hit);
}

void kt_emit_freeze(struct kt_asm *a, int map, struct kt_event_index event, int hit)
{
	kt_asm_note(a, "this is the first hit of a trigger");
	kt_asm_load(a, BPF_DW, BPF_REG_6, BPF_REG_10, KT_STACK_ENABLE);
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_move(a, BPF_REG_3, BPF_REG_0);
	move_to_set(a, map);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_atomic(a, BPF_DW, BPF_CMPXCHG, BPF_REG_1, KT_ENABLE_HIT, BPF_REG_3);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_0, 0, hit);
	kt_emit_index_store(a, BPF_REG_1, KT_ENABLE_BY, event, BPF_REG_2);
}
