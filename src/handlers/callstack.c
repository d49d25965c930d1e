// SPDX-License-Identifier: GPL-2.0-or-later
#include "handlers/callstack.h"

#include "bpf/asm.h"
#include "bpf/callstacks.h"
#include "bpf/counters.h"
#include "bpf/map_lookup.h"
#include "events/event.h"
#include "generate/pointer_chase.h"
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

/*
 * Stack slots: a u32, of the CPU or the bucket; the id; what the hash begins with; what a step has
 * read; the bucket's address.
 */
enum {
	INDEX = KT_STACK_RESERVE - 8,
	ID = KT_STACK_RESERVE - 16,
	SEED = KT_STACK_RESERVE - 24,
	STEP = KT_STACK_RESERVE - 32,
	BUCKET = KT_STACK_RESERVE - 40,
};

enum {
	STACK = offsetof(struct kt_callstack_slot, stack),
	USER = offsetof(struct kt_callstack_slot, user),
	USER_FRAMES = USER + offsetof(struct kt_user_callstack, frames),
	WORD_SIZE = sizeof(uint64_t),
};

/*
 * How the kernel is asked for a stack of either kind; what of the slot goes into the table; and how
 * many buckets a table has that keeps them.
 */
static const struct {
	uint64_t flags;
	size_t added, size;
	size_t n_buckets;
} kinds[KT_CALLSTACK_KINDS] = {
	[KT_CALLSTACK_KERNEL] = {0, STACK, sizeof(struct kt_callstack), KT_CALLSTACK_BUCKETS},
	[KT_CALLSTACK_USER] = {BPF_F_USER_STACK, USER, sizeof(struct kt_user_callstack),
			       KT_USER_CALLSTACK_BUCKETS},
};

/* 2^64 divided by the golden ratio, as an odd number. */
static const uint64_t hash_factor = 0x9e3779b97f4a7c15;

/* SLOT = a free slot of this CPU's scratch memory, which is claimed. */
static void claim_slot(struct kt_asm *a, const struct kt_reserve *r, int lost)
{
	int i, next, claimed = kt_asm_label(a, "slot_claimed");

	kt_asm_note(a, "r7 = a slot of this CPU's scratch memory");
	kt_asm_call(a, BPF_FUNC_get_smp_processor_id);
	kt_asm_store(a, BPF_W, BPF_REG_10, INDEX, BPF_REG_0);
	kt_asm_move_map(a, BPF_REG_1, r->stacks.scratch);
	kt_emit_map_lookup(a, INDEX, lost);
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

/* Stores at SEED which address space it is, and how much code is in it. */
static void seed_hash(struct kt_asm *a, struct kt_mm_offsets mm, int none)
{
	enum { MM = BPF_REG_7 };

	kt_asm_note(a, "the id depends on the address space, and on its pages of code");
	kt_asm_call(a, BPF_FUNC_get_current_task);
	kt_emit_step(a, mm.of_task, STEP);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, none);
	kt_asm_move(a, MM, BPF_REG_0);
	kt_emit_step(a, mm.id, STEP);
	kt_asm_move_imm64(a, BPF_REG_1, hash_factor);
	kt_asm_alu(a, BPF_MUL, BPF_REG_0, BPF_REG_1);
	kt_asm_store(a, BPF_DW, BPF_REG_10, SEED, BPF_REG_0);
	kt_asm_move(a, BPF_REG_0, MM);
	kt_emit_step(a, mm.code_pages, STEP);
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, SEED);
	kt_asm_alu(a, BPF_XOR, BPF_REG_0, BPF_REG_1);
	kt_asm_store(a, BPF_DW, BPF_REG_10, SEED, BPF_REG_0);
}

/* r0 = bytes of the stack, written to an offset in the slot; or a negative error. */
static void get_stack(struct kt_asm *a, size_t at, size_t size, uint64_t flags)
{
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, KT_STACK_CONTEXT);
	kt_asm_move(a, BPF_REG_2, SLOT);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_2, at);
	kt_asm_move_imm(a, BPF_REG_3, size);
	kt_asm_move_imm(a, BPF_REG_4, flags);
	kt_asm_call(a, BPF_FUNC_get_stack);
}

/* r0 = bytes of the stack's addresses, which are in the slot, not 0. */
static void take_stack(struct kt_asm *a, enum kt_callstack_kind kind, int none, int unknown)
{
	get_stack(a, STACK, sizeof(struct kt_callstack), kinds[kind].flags);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, none);
	kt_asm_jump_imm(a, BPF_JSLT, BPF_REG_0, 0, unknown);
}

/*
 * Writes what goes into the table of stacks in user space. Only here, for stacks that are new, the
 * kernel is asked for the files.
 */
static void complete_user(struct kt_asm *a, int unknown)
{
	kt_asm_note(a, "the process, the time, and the frames as offsets in files");
	kt_asm_call(a, BPF_FUNC_get_current_pid_tgid);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_0, 32);
	kt_asm_store(a, BPF_W, SLOT, USER + offsetof(struct kt_user_callstack, pid), BPF_REG_0);
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_store(a, BPF_DW, SLOT, USER + offsetof(struct kt_user_callstack, time), BPF_REG_0);
	get_stack(a, USER_FRAMES, KT_USER_CALLSTACK_FRAMES_MAX * sizeof(struct kt_user_frame),
		  BPF_F_USER_STACK | BPF_F_USER_BUILD_ID);
	kt_asm_jump_imm(a, BPF_JSLE, BPF_REG_0, 0, unknown);
}

/* Stores the id of the stack in the slot, of r0 bytes, at ID. */
static void hash_stack(struct kt_asm *a, enum kt_callstack_kind kind)
{
	int again = kt_asm_label(a, "next_frame"), done = kt_asm_label(a, "hashed");

	kt_asm_note(a, "id = hash of the frames");
	kt_asm_move(a, AT, SLOT);
	kt_asm_alu_imm(a, BPF_ADD, AT, STACK);
	kt_asm_move_imm(a, DONE, 0);
	if (kind == KT_CALLSTACK_USER) {
		kt_asm_store(a, BPF_W, SLOT, USER + offsetof(struct kt_user_callstack, size), END);
		kt_asm_load(a, BPF_DW, HASH, BPF_REG_10, SEED);
	} else {
		kt_asm_move_imm(a, HASH, 0);
	}
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
static void add_to_table(struct kt_asm *a, enum kt_callstack_kind kind, int table, int known,
			 int unknown)
{
	enum { EXISTS = -17, NO_SUCH = 1 /* BPF_NOEXIST */ };

	kt_asm_note(a, "is it in the table? else add it");
	kt_asm_move_map(a, BPF_REG_1, table);
	load_id_address(a, BPF_REG_2);
	kt_asm_call(a, BPF_FUNC_map_lookup_elem);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_0, 0, known);
	if (kind == KT_CALLSTACK_USER)
		complete_user(a, unknown);
	kt_asm_move_map(a, BPF_REG_1, table);
	load_id_address(a, BPF_REG_2);
	kt_asm_move(a, BPF_REG_3, SLOT);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_3, kinds[kind].added);
	kt_asm_move_imm(a, BPF_REG_4, NO_SUCH);
	kt_asm_call(a, BPF_FUNC_map_update_elem);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, known);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_0, EXISTS, unknown);
}

/* Stores the address of the id's bucket at BUCKET; r0 = the kernel's jiffies. */
static void find_bucket(struct kt_asm *a, enum kt_callstack_kind kind, int table, int unknown)
{
	kt_asm_note(a, "is it in its bucket?");
	kt_asm_load(a, BPF_DW, BPF_REG_0, BPF_REG_10, ID);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_0, KT_CALLSTACK_BUCKET_SHIFT);
	kt_asm_alu_imm(a, BPF_AND, BPF_REG_0, kinds[kind].n_buckets - 1);
	kt_asm_store(a, BPF_W, BPF_REG_10, INDEX, BPF_REG_0);
	kt_asm_move_map(a, BPF_REG_1, table);
	kt_emit_map_lookup(a, INDEX, unknown);
	kt_asm_store(a, BPF_DW, BPF_REG_10, BUCKET, BPF_REG_0);
	kt_asm_call(a, BPF_FUNC_jiffies64);
}

static size_t get_id_offset(size_t place)
{
	return offsetof(struct kt_callstack_bucket, ids) + place * sizeof(uint64_t);
}

static size_t get_hit_offset(size_t place)
{
	return offsetof(struct kt_callstack_bucket, hits) + place * sizeof(uint64_t);
}

/*
 * If the stack is in the bucket, notes the time of the hit. CPUs that hit the same stacks would
 * wait for each other if that were done more often.
 */
static void look_in_bucket(struct kt_asm *a, int known)
{
	enum { JIFFIES = BPF_REG_0, B = BPF_REG_1, IT = BPF_REG_2, OTHER = BPF_REG_3 };
	size_t i;
	int next;

	kt_asm_load(a, BPF_DW, B, BPF_REG_10, BUCKET);
	kt_asm_load(a, BPF_DW, IT, BPF_REG_10, ID);
	for (i = 0; i < KT_CALLSTACK_PLACES; i++) {
		next = kt_asm_label(a, "next_place");
		kt_asm_load(a, BPF_DW, OTHER, B, get_id_offset(i));
		kt_asm_jump_if(a, BPF_JNE, OTHER, IT, next);
		kt_asm_load(a, BPF_DW, OTHER, B, get_hit_offset(i));
		kt_asm_jump_if(a, BPF_JEQ, OTHER, JIFFIES, known);
		kt_asm_store(a, BPF_DW, B, get_hit_offset(i), JIFFIES);
		kt_asm_jump(a, known);
		kt_asm_place(a, next);
	}
}

/*
 * Writes the stack to a place of the bucket. If another program is writing there, it may be the
 * same stack; otherwise whoever looks for it finds that it is lost.
 */
static void replace_place(struct kt_asm *a, enum kt_callstack_kind kind, size_t place, int done)
{
	enum { B = BPF_REG_1, BUSY = BPF_REG_2, OLD = BPF_REG_0 };

	kt_asm_load(a, BPF_DW, B, BPF_REG_10, BUCKET);
	kt_asm_load(a, BPF_DW, OLD, B, get_id_offset(place));
	kt_asm_jump_imm(a, BPF_JEQ, OLD, KT_CALLSTACK_LOST, done);
	kt_asm_move(a, BPF_REG_3, OLD);
	kt_asm_move_imm(a, BUSY, KT_CALLSTACK_LOST);
	kt_asm_atomic(a, BPF_DW, BPF_CMPXCHG, B, get_id_offset(place), BUSY);
	kt_asm_jump_if(a, BPF_JNE, OLD, BPF_REG_3, done);
	kt_asm_call(a, BPF_FUNC_jiffies64);
	kt_asm_load(a, BPF_DW, B, BPF_REG_10, BUCKET);
	kt_asm_store(a, BPF_DW, B, get_hit_offset(place), BPF_REG_0);
	kt_asm_alu_imm(a, BPF_ADD, B,
		       offsetof(struct kt_callstack_bucket, stacks) + place * kinds[kind].size);
	kt_asm_move_imm(a, BPF_REG_2, kinds[kind].size);
	kt_asm_move(a, BPF_REG_3, SLOT);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_3, kinds[kind].added);
	kt_asm_call(a, BPF_FUNC_probe_read_kernel);
	kt_asm_load(a, BPF_DW, B, BPF_REG_10, BUCKET);
	kt_asm_load(a, BPF_DW, BPF_REG_2, BPF_REG_10, ID);
	kt_asm_atomic(a, BPF_DW, BPF_XCHG, B, get_id_offset(place), BPF_REG_2);
	kt_asm_jump(a, done);
}

/* Replaces the stack of the bucket that was not hit for longest. */
static void replace_oldest(struct kt_asm *a, enum kt_callstack_kind kind, int done)
{
	enum { B = BPF_REG_1, OLDEST = BPF_REG_2, PLACE = BPF_REG_3, OTHER = BPF_REG_4 };
	int places[KT_CALLSTACK_PLACES], next;
	size_t i;

	kt_asm_note(a, "replace the stack that was not hit for longest");
	kt_asm_load(a, BPF_DW, B, BPF_REG_10, BUCKET);
	kt_asm_load(a, BPF_DW, OLDEST, B, get_hit_offset(0));
	kt_asm_move_imm(a, PLACE, 0);
	for (i = 1; i < KT_CALLSTACK_PLACES; i++) {
		next = kt_asm_label(a, "newer");
		kt_asm_load(a, BPF_DW, OTHER, B, get_hit_offset(i));
		kt_asm_jump_if(a, BPF_JGE, OTHER, OLDEST, next);
		kt_asm_move(a, OLDEST, OTHER);
		kt_asm_move_imm(a, PLACE, i);
		kt_asm_place(a, next);
	}
	for (i = 1; i < KT_CALLSTACK_PLACES; i++) {
		places[i] = kt_asm_label(a, "place");
		kt_asm_jump_imm(a, BPF_JEQ, PLACE, i, places[i]);
	}
	replace_place(a, kind, 0, done);
	for (i = 1; i < KT_CALLSTACK_PLACES; i++) {
		kt_asm_place(a, places[i]);
		replace_place(a, kind, i, done);
	}
}

static void keep_in_bucket(struct kt_asm *a, enum kt_callstack_kind kind, int table, int known,
			   int unknown)
{
	find_bucket(a, kind, table, unknown);
	look_in_bucket(a, known);
	if (kind == KT_CALLSTACK_USER)
		complete_user(a, unknown);
	replace_oldest(a, kind, known);
}

static void emit_callstack(struct kt_asm *a, const struct kt_reserve *r,
			   enum kt_callstack_kind kind, size_t offset)
{
	int no_stack = kt_asm_label(a, "no_stack"), none = kt_asm_label(a, "none"),
	    unknown = kt_asm_label(a, "stack_not_kept"), known = kt_asm_label(a, "stack_is_kept"),
	    lost = kt_asm_label(a, "stack_lost"), done = kt_asm_label(a, "stack_done");

	if (kind == KT_CALLSTACK_USER)
		seed_hash(a, r->stacks.mm, none);
	claim_slot(a, r, lost);
	take_stack(a, kind, no_stack, unknown);
	hash_stack(a, kind);
	(r->stacks.keep ? keep_in_bucket : add_to_table)(a, kind, r->stacks.tables[kind], known,
							 unknown);
	kt_asm_place(a, known);
	free_slot(a);
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, ID);
	kt_asm_jump(a, done);

	kt_asm_place(a, no_stack);
	free_slot(a);
	kt_asm_place(a, none);
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
			emit_callstack(a, r, kind, kt_callstack_id_offset(event->stacks, kind));
}
