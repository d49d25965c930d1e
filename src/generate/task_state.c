// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/task_state.h"

#include <stddef.h>

#include "bpf/asm.h"

enum { NUMBER = BPF_REG_8, STATE = BPF_REG_9 };

#define AT(member) offsetof(struct kt_task_state, member)

static int16_t get_call_offset(unsigned int table)
{
	return AT(call) + table * sizeof(uint32_t);
}

/* r0 = the current task's struct kt_task_state, or 0. */
static void find_state(struct kt_asm *a, int map, uint64_t flags)
{
	kt_asm_call(a, BPF_FUNC_get_current_task_btf);
	kt_asm_move(a, BPF_REG_2, BPF_REG_0);
	kt_asm_move_map(a, BPF_REG_1, map);
	kt_asm_move_imm(a, BPF_REG_3, 0);
	kt_asm_move_imm(a, BPF_REG_4, flags);
	kt_asm_call(a, BPF_FUNC_task_storage_get);
}

void kt_emit_task_enter(struct kt_asm *a, int map, unsigned int table)
{
	int no_room = kt_asm_label(a, "no_room");

	kt_asm_note(a, "note: the thread is within this exec");
	find_state(a, map, BPF_LOCAL_STORAGE_GET_F_CREATE);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, no_room);
	kt_asm_move(a, STATE, BPF_REG_0);
	kt_asm_store(a, BPF_W, STATE, get_call_offset(table), NUMBER);
	kt_asm_call(a, BPF_FUNC_get_current_pid_tgid);
	kt_asm_store(a, BPF_W, STATE, AT(tid), BPF_REG_0);
	kt_asm_place(a, no_room);
}

void kt_emit_task_leave(struct kt_asm *a, int map, unsigned int table, int none)
{
	kt_asm_note(a, "which exec is the thread within?");
	find_state(a, map, 0);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, none);
	kt_asm_load(a, BPF_W, BPF_REG_3, BPF_REG_0, get_call_offset(table));
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_3, 0, none);
	kt_asm_store_imm(a, BPF_W, BPF_REG_0, get_call_offset(table), 0);
}

void kt_emit_task_tid(struct kt_asm *a, int map)
{
	int unknown = kt_asm_label(a, "unknown");

	find_state(a, map, 0);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, unknown);
	kt_asm_load(a, BPF_W, BPF_REG_0, BPF_REG_0, AT(tid));
	kt_asm_place(a, unknown);
}

void kt_emit_task_set_late(struct kt_asm *a, int map)
{
	int no_room = kt_asm_label(a, "no_room");

	find_state(a, map, BPF_LOCAL_STORAGE_GET_F_CREATE);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, no_room);
	kt_asm_store_imm(a, BPF_W, BPF_REG_0, AT(late), 1);
	kt_asm_place(a, no_room);
}

void kt_emit_task_take_late(struct kt_asm *a, int map)
{
	int none = kt_asm_label(a, "none");

	find_state(a, map, 0);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, none);
	kt_asm_move(a, BPF_REG_1, BPF_REG_0);
	kt_asm_load(a, BPF_W, BPF_REG_0, BPF_REG_1, AT(late));
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, none);
	kt_asm_store_imm(a, BPF_W, BPF_REG_1, AT(late), 0);
	kt_asm_place(a, none);
}
