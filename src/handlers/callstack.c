// SPDX-License-Identifier: GPL-2.0-or-later
#include "handlers/callstack.h"

#include "bpf/asm.h"
#include "bpf/callstacks.h"
#include "bpf/counters.h"
#include "bpf/map_lookup.h"
#include "events/event.h"
#include "generate/reserve.h"

enum { SLOT = BPF_REG_7, RECORD = BPF_REG_8 };

/* Registers of the loop that hashes the frames. */
enum {
	END = BPF_REG_0, /* bytes of the frames */
	AT = BPF_REG_1,
	DONE = BPF_REG_2, /* bytes that were hashed */
	HASH = BPF_REG_3,
	FACTOR = BPF_REG_4,
	WORD = BPF_REG_5,
};

/* Stack slots: a u32, and the id. */
enum { CPU = KT_STACK_RESERVE - 8, ID = KT_STACK_RESERVE - 16 };

enum { STACK = offsetof(struct kt_callstack_slot, stack), WORD_SIZE = sizeof(uint64_t) };

/* 2^64 divided by the golden ratio, as an odd number. */
static const uint64_t hash_factor = 0x9e3779b97f4a7c15;

/* SLOT = a free slot of this CPU's scratch memory, which is claimed. */
static void claim_slot(struct kt_asm *a, const struct kt_reserve *r, int lost)
{
	int i, next, claimed = kt_asm_label(a, "slot_claimed");

	kt_asm_note(a, "r7 = a slot of this CPU's scratch memory");
	kt_asm_call(a, BPF_FUNC_get_smp_processor_id);
	kt_asm_store(a, BPF_W, BPF_REG_10, CPU, BPF_REG_0);
	kt_asm_move_map(a, BPF_REG_1, r->stacks.scratch);
	kt_emit_map_lookup(a, CPU, lost);
	kt_asm_move(a, SLOT, BPF_REG_0);
	for (i = 0; i < KT_CALLSTACK_SLOTS; i++) {
		next = i < KT_CALLSTACK_SLOTS - 1 ? kt_asm_label(a, "next_slot") : lost;
		kt_asm_move_imm(a, BPF_REG_0, 0);
		kt_asm_move_imm(a, BPF_REG_1, 1);
		kt_asm_atomic(a, BPF_DW, BPF_CMPXCHG, SLOT, 0, BPF_REG_1);
		if (next == lost) {
			kt_asm_jump_imm(a, BPF_JNE, BPF_REG_0, 0, lost);
			break;
		}
		kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, claimed);
		kt_asm_alu_imm(a, BPF_ADD, SLOT, sizeof(struct kt_callstack_slot));
	}
	kt_asm_place(a, claimed);
}

static void free_slot(struct kt_asm *a)
{
	kt_asm_store_imm(a, BPF_DW, SLOT, offsetof(struct kt_callstack_slot, is_used), 0);
}

/* r0 = bytes of the stack, which is in the slot, not 0. */
static void take_stack(struct kt_asm *a, int none, int unknown)
{
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, KT_STACK_CONTEXT);
	kt_asm_move(a, BPF_REG_2, SLOT);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_2, STACK);
	kt_asm_move_imm(a, BPF_REG_3, sizeof(struct kt_callstack));
	kt_asm_move_imm(a, BPF_REG_4, 0);
	kt_asm_call(a, BPF_FUNC_get_stack);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, none);
	kt_asm_jump_imm(a, BPF_JSLT, BPF_REG_0, 0, unknown);
}

/* Stores the id of the stack in the slot, of r0 bytes, at ID. */
static void hash_stack(struct kt_asm *a)
{
	int again = kt_asm_label(a, "next_frame"), done = kt_asm_label(a, "hashed");

	kt_asm_note(a, "id = hash of the frames");
	kt_asm_move(a, AT, SLOT);
	kt_asm_alu_imm(a, BPF_ADD, AT, STACK);
	kt_asm_move_imm(a, DONE, 0);
	kt_asm_move_imm(a, HASH, 0);
	kt_asm_move_imm64(a, FACTOR, hash_factor);
	kt_asm_place(a, again);
	kt_asm_jump_imm(a, BPF_JGE, DONE, sizeof(struct kt_callstack), done);
	kt_asm_jump_if(a, BPF_JGE, DONE, END, done);
	kt_asm_load(a, BPF_DW, WORD, AT, 0);
	kt_asm_alu(a, BPF_XOR, HASH, WORD);
	kt_asm_alu(a, BPF_MUL, HASH, FACTOR);
	kt_asm_move(a, WORD, HASH);
	kt_asm_alu_imm(a, BPF_RSH, WORD, 32);
	kt_asm_alu(a, BPF_XOR, HASH, WORD);
	kt_asm_alu_imm(a, BPF_ADD, AT, WORD_SIZE);
	kt_asm_alu_imm(a, BPF_ADD, DONE, WORD_SIZE);
	kt_asm_jump(a, again);
	kt_asm_place(a, done);
	kt_asm_alu_imm(a, BPF_OR, HASH, KT_CALLSTACK_FIRST);
	kt_asm_store(a, BPF_DW, BPF_REG_10, ID, HASH);
}

static void load_id_address(struct kt_asm *a, int dst)
{
	kt_asm_move(a, dst, BPF_REG_10);
	kt_asm_alu_imm(a, BPF_ADD, dst, ID);
}

/* Another program may add the same stack meanwhile. */
static void add_to_table(struct kt_asm *a, int table, int known, int unknown)
{
	enum { EXISTS = -17, NO_SUCH = 1 /* BPF_NOEXIST */ };

	kt_asm_note(a, "is it in the table? else add it");
	kt_asm_move_map(a, BPF_REG_1, table);
	load_id_address(a, BPF_REG_2);
	kt_asm_call(a, BPF_FUNC_map_lookup_elem);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_0, 0, known);
	kt_asm_move_map(a, BPF_REG_1, table);
	load_id_address(a, BPF_REG_2);
	kt_asm_move(a, BPF_REG_3, SLOT);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_3, STACK);
	kt_asm_move_imm(a, BPF_REG_4, NO_SUCH);
	kt_asm_call(a, BPF_FUNC_map_update_elem);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, known);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_0, EXISTS, unknown);
}

static void emit_callstack(struct kt_asm *a, const struct kt_reserve *r, int table, size_t offset)
{
	int none = kt_asm_label(a, "no_stack"), unknown = kt_asm_label(a, "stack_not_kept"),
	    known = kt_asm_label(a, "stack_is_kept"), lost = kt_asm_label(a, "stack_lost"),
	    done = kt_asm_label(a, "stack_done");

	claim_slot(a, r, lost);
	take_stack(a, none, unknown);
	hash_stack(a);
	add_to_table(a, table, known, unknown);
	kt_asm_place(a, known);
	free_slot(a);
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, ID);
	kt_asm_jump(a, done);

	kt_asm_place(a, none);
	free_slot(a);
	kt_asm_move_imm(a, BPF_REG_1, KT_CALLSTACK_NONE);
	kt_asm_jump(a, done);

	kt_asm_place(a, unknown);
	free_slot(a);
	kt_asm_place(a, lost);
	kt_emit_count_loss(a, offsetof(struct kt_counters, no_stack));
	kt_asm_move_imm(a, BPF_REG_1, KT_CALLSTACK_LOST);
	kt_asm_place(a, done);
	kt_asm_store(a, BPF_DW, RECORD, sizeof(struct kt_record) + offset, BPF_REG_1);
}

void kt_emit_callstacks(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *event)
{
	enum kt_callstack_kind kind;

	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++)
		if (event->stacks & KT_CALLSTACK_BIT(kind))
			emit_callstack(a, r, r->stacks.tables[kind],
				       kt_callstack_id_offset(event->stacks, kind));
}
