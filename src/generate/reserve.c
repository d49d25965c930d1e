// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/reserve.h"

#include "bpf/asm.h"
#include "bpf/counters.h"
#include "bpf/map_lookup.h"
#include "generate/count_hits.h"
#include "generate/enable_check.h"
#include "generate/syscall_filter_marks.h"

/* Stack slots. */
enum {
	KEY = KT_STACK_ROW - 4,     /* u32: index of the element in the ring */
	COUNTERS = KT_STACK_ENABLE, /* address of the counters, from enter on */
	RING = -32,
	TIME = -40,
};

/* Registers until the room is reserved. */
enum {
	NEXT = BPF_REG_2,    /* new value of `reserved` */
	OFFSET = BPF_REG_3,  /* offset of the position in its sub-buffer */
	WRITTEN = BPF_REG_4, /* `committed` of a sub-buffer that will be overwritten */
	TRIES = BPF_REG_6,
	CONTROL = BPF_REG_7,
	POSITION = BPF_REG_8, /* old value of `reserved` */
	SUBBUF = BPF_REG_9,
};

enum { MAX_TRIES = 3, MAX_AGE_SHIFT = 47, HEAD = sizeof(struct kt_subbuf) };

#define CONTROL_AT(member) ((int16_t)offsetof(struct kt_control, member))
#define SUBBUF_AT(member)  ((int16_t)offsetof(struct kt_subbuf, member))
#define COUNTER_AT(member) ((int16_t)offsetof(struct kt_counters, member))

/* r0 = RING, the ring of the row at KT_STACK_ROW. */
static void find_ring(struct kt_asm *a, const struct kt_reserve *r, int no_ring)
{
	kt_asm_move_map(a, BPF_REG_1, r->rings);
	kt_emit_map_lookup(a, KT_STACK_ROW, no_ring);
	kt_asm_store(a, BPF_DW, BPF_REG_10, RING, BPF_REG_0);
}

static void find_control(struct kt_asm *a, const struct kt_reserve *r)
{
	kt_asm_note(a, "r7 = the control block of this CPU's ring");
	if (r->some_cpus)
		kt_asm_load(a, BPF_DW, BPF_REG_0, BPF_REG_10, RING);
	else
		find_ring(a, r, r->no_ring);
	kt_asm_store_imm(a, BPF_W, BPF_REG_10, KEY, 0);
	kt_asm_move(a, BPF_REG_1, BPF_REG_0);
	kt_emit_map_lookup(a, KEY, r->no_ring);
	kt_asm_move(a, CONTROL, BPF_REG_0);
}

static void find_subbuf(struct kt_asm *a, const struct kt_reserve *r, int no_ring)
{
	kt_asm_note(a, "r8 = reserved, r9 = its sub-buffer, r3 = its offset there");
	kt_asm_load(a, BPF_DW, POSITION, CONTROL, CONTROL_AT(reserved));
	kt_asm_move(a, BPF_REG_1, POSITION);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_1, r->geometry.shift);
	kt_asm_alu_imm(a, BPF_AND, BPF_REG_1, r->geometry.n_subbufs - 1);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_1, 1);
	kt_asm_store(a, BPF_W, BPF_REG_10, KEY, BPF_REG_1);
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, RING);
	kt_emit_map_lookup(a, KEY, no_ring);
	kt_asm_move(a, SUBBUF, BPF_REG_0);
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_store(a, BPF_DW, BPF_REG_10, TIME, BPF_REG_0);
	kt_asm_move(a, OFFSET, POSITION);
	kt_asm_alu_imm(a, BPF_AND, OFFSET, kt_subbuf_size(r->geometry) - 1);
}

/* r1 = size of the record. */
static void load_size(struct kt_asm *a, const struct kt_reserve *r)
{
	if (r->varies)
		kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, KT_STACK_SIZE);
	else
		kt_asm_move_imm(a, BPF_REG_1, r->size);
}

/* NEXT = POSITION + n + size of the record. */
static void compute_next(struct kt_asm *a, const struct kt_reserve *r, size_t n)
{
	kt_asm_move(a, NEXT, POSITION);
	if (r->varies) {
		load_size(a, r);
		kt_asm_alu(a, BPF_ADD, NEXT, BPF_REG_1);
	} else {
		n += r->size;
	}
	if (n)
		kt_asm_alu_imm(a, BPF_ADD, NEXT, n);
}

/* Compare-and-swap: reserved = NEXT if it still is POSITION. */
static void swap_reserved(struct kt_asm *a, int retry)
{
	kt_asm_move(a, BPF_REG_0, POSITION);
	kt_asm_atomic(a, BPF_DW, BPF_CMPXCHG, CONTROL, CONTROL_AT(reserved), NEXT);
	kt_asm_jump_if(a, BPF_JNE, BPF_REG_0, POSITION, retry);
}

/*
 * Adds r1 to the sub-buffer's committed bytes. BPF_FETCH makes the addition a full barrier on every
 * CPU; it pairs with the reader's acquire of `committed` (ring/ring.c).
 */
static void add_committed(struct kt_asm *a)
{
	kt_asm_atomic(a, BPF_DW, BPF_ADD | BPF_FETCH, SUBBUF, SUBBUF_AT(committed), BPF_REG_1);
}

static void copy_member(struct kt_asm *a, int16_t member, int src, int16_t off)
{
	kt_asm_load(a, BPF_DW, BPF_REG_1, src, off);
	kt_asm_store(a, BPF_DW, SUBBUF, member, BPF_REG_1);
}

/* Closes the sub-buffer and falls through; jumps to retry if another program was faster. */
static void close_subbuf(struct kt_asm *a, const struct kt_reserve *r, int retry)
{
	kt_asm_note(a, "move reserved to the boundary");
	kt_asm_move(a, NEXT, POSITION);
	kt_asm_alu_imm(a, BPF_OR, NEXT, kt_subbuf_size(r->geometry) - 1);
	kt_asm_alu_imm(a, BPF_ADD, NEXT, 1);
	swap_reserved(a, retry);
	kt_asm_store(a, BPF_DW, SUBBUF, SUBBUF_AT(used), OFFSET);
	copy_member(a, SUBBUF_AT(end), BPF_REG_10, TIME);
	kt_asm_move_imm(a, BPF_REG_1, kt_subbuf_size(r->geometry));
	kt_asm_alu(a, BPF_SUB, BPF_REG_1, OFFSET);
	add_committed(a);
}

static void check_is_read(struct kt_asm *a, const struct kt_reserve *r, int taken)
{
	kt_asm_note(a, "is the sub-buffer free: has the reader released it?");
	kt_asm_load(a, BPF_DW, BPF_REG_1, CONTROL, CONTROL_AT(consumed));
	kt_asm_move(a, NEXT, POSITION);
	kt_asm_alu(a, BPF_SUB, NEXT, BPF_REG_1);
	kt_asm_jump_imm(a, BPF_JGE, NEXT, r->geometry.n_subbufs << r->geometry.shift, taken);
}

/* A program that we interrupted, and overtook by a whole round, may still be writing there. */
static void check_is_whole(struct kt_asm *a, const struct kt_reserve *r, int taken)
{
	int shift = r->geometry.shift + __builtin_ctz(r->geometry.n_subbufs);

	kt_asm_note(a, "is the sub-buffer free: are its old records complete?");
	kt_asm_load(a, BPF_DW, WRITTEN, SUBBUF, SUBBUF_AT(committed));
	kt_asm_move(a, NEXT, POSITION);
	kt_asm_alu_imm(a, BPF_RSH, NEXT, shift);
	kt_asm_alu_imm(a, BPF_LSH, NEXT, r->geometry.shift);
	kt_asm_alu(a, BPF_SUB, NEXT, WRITTEN);
	kt_asm_alu_imm(a, BPF_LSH, NEXT, 64 - KT_COUNT_SHIFT);
	kt_asm_jump_imm(a, BPF_JNE, NEXT, 0, taken);
}

/* Counts the records that are overwritten; r1 -= their number, for `committed`. */
static void count_overwritten(struct kt_asm *a)
{
	kt_asm_alu_imm(a, BPF_RSH, WRITTEN, KT_COUNT_SHIFT);
	kt_asm_atomic(a, BPF_DW, BPF_ADD, CONTROL, CONTROL_AT(overwritten), WRITTEN);
	kt_asm_alu_imm(a, BPF_LSH, WRITTEN, KT_COUNT_SHIFT);
	kt_asm_alu(a, BPF_SUB, BPF_REG_1, WRITTEN);
}

/* Begins the sub-buffer and falls through, with room after its header. */
static void begin_subbuf(struct kt_asm *a, const struct kt_reserve *r, int retry, int taken)
{
	if (r->overwrite)
		check_is_whole(a, r, taken);
	else
		check_is_read(a, r, taken);
	compute_next(a, r, HEAD);
	swap_reserved(a, retry);
	copy_member(a, SUBBUF_AT(begin), BPF_REG_10, TIME);
	copy_member(a, SUBBUF_AT(lost), CONTROL, CONTROL_AT(lost));
	kt_asm_move_imm(a, BPF_REG_1, HEAD);
	if (r->overwrite)
		count_overwritten(a);
	add_committed(a);
	kt_asm_move_imm(a, OFFSET, HEAD);
}

/* Sets r2 = 1. */
void kt_emit_count_loss(struct kt_asm *a, size_t counter)
{
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, COUNTERS);
	kt_asm_move_imm(a, BPF_REG_2, 1);
	kt_asm_atomic(a, BPF_DW, BPF_ADD, BPF_REG_1, counter, BPF_REG_2);
}

static void write_head(struct kt_asm *a, const struct kt_reserve *r)
{
	kt_asm_note(a, "r8 = the record: %s, time, thread",
		    kt_index_name(kt_reserve_index(r)).text);
	kt_asm_move(a, BPF_REG_8, SUBBUF);
	kt_asm_alu(a, BPF_ADD, BPF_REG_8, OFFSET);
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, TIME);
	kt_asm_alu_imm(a, BPF_LSH, BPF_REG_1, KT_TIME_SHIFT);
	kt_emit_index_or(a, BPF_REG_1, kt_reserve_index(r), BPF_REG_2);
	kt_asm_store(a, BPF_DW, BPF_REG_8, offsetof(struct kt_record, head), BPF_REG_1);
	kt_asm_call(a, BPF_FUNC_get_current_pid_tgid);
	kt_asm_store(a, BPF_W, BPF_REG_8, offsetof(struct kt_record, tid), BPF_REG_0);
	kt_asm_load(a, BPF_DW, BPF_REG_6, BPF_REG_10, KT_STACK_CONTEXT);
}

/* A record whose size comes with the cookie always fits. */
static bool may_be_unfit(const struct kt_reserve *r)
{
	bool by_cookie = r->shared && r->shared->by_cookie;

	return r->reads_user || (r->varies && !by_cookie);
}

void kt_emit_begin(struct kt_asm *a, struct kt_reserve *r)
{
	r->done = kt_asm_label(a, "done");
	r->end = r->nested.role == KT_NESTED_FIRST ? kt_asm_label(a, "end") : r->done;
	r->nested.event = r->event;
	r->unfit = may_be_unfit(r) ? kt_asm_label(a, "unfit") : -1;
	r->no_ring = kt_asm_label(a, "no_ring");
	r->other = r->some_cpus || r->filters ? kt_asm_label(a, "other") : -1;
	kt_asm_store(a, BPF_DW, BPF_REG_10, KT_STACK_CONTEXT, BPF_REG_1);
	if (r->shared)
		kt_asm_move(a, BPF_REG_6, BPF_REG_1);
	kt_emit_index_find(a, kt_reserve_index(r), r->call, r->end);
	kt_emit_enable_check(a, r->enable,
			     (struct kt_enable_number){r->event, r->number, r->succeeds, r->shared},
			     r->freezing, r->end);
	kt_emit_nested_begin(a, r->nested, r->end);
	if (r->sets_mark)
		kt_emit_clear_filter_mark(a, r->marks);
	if (r->some_cpus) {
		kt_asm_note(a, "does this CPU have a ring?");
		find_ring(a, r, r->other);
	}
}

void kt_emit_enter(struct kt_asm *a, const struct kt_reserve *r)
{
	kt_emit_hit(a, r->counters, kt_reserve_index(r), r->done);
	kt_asm_store(a, BPF_DW, BPF_REG_10, COUNTERS, BPF_REG_0);
	find_control(a, r);
}

/* Counts the loss (r2 = 1) in the ring, and hits that have no ring, or are not the event's. */
static void finish_losses(struct kt_asm *a, const struct kt_reserve *r)
{
	kt_asm_atomic(a, BPF_DW, BPF_ADD, CONTROL, CONTROL_AT(lost), BPF_REG_2);
	kt_asm_jump(a, r->done);
	kt_asm_place(a, r->no_ring);
	kt_emit_count_loss(a, COUNTER_AT(no_ring));
	kt_asm_jump(a, r->done);
	if (r->other >= 0) {
		kt_asm_place(a, r->other);
		kt_emit_filtered(a, r->counters, kt_reserve_index(r), r->done);
		kt_asm_jump(a, r->done);
	}
}

static void count_losses(struct kt_asm *a, const struct kt_reserve *r, int full)
{
	int lost = kt_asm_label(a, "lost");

	kt_asm_note(a, "retries are used up: contended");
	kt_emit_count_loss(a, COUNTER_AT(contended));
	kt_asm_jump(a, lost);
	if (r->unfit >= 0) {
		kt_asm_place(a, r->unfit);
		kt_emit_count_loss(a, COUNTER_AT(unfit));
		kt_asm_jump(a, lost);
	}
	kt_asm_place(a, full);
	kt_emit_count_loss(a, COUNTER_AT(full));
	kt_asm_place(a, lost);
	finish_losses(a, r);
}

void kt_emit_reserve(struct kt_asm *a, const struct kt_reserve *r)
{
	int again = kt_asm_label(a, "again"), retry = kt_asm_label(a, "retry"),
	    close = kt_asm_label(a, "close"), begin = kt_asm_label(a, "begin"),
	    taken = kt_asm_label(a, "taken"), full = kt_asm_label(a, "full"),
	    room = kt_asm_label(a, "room");

	kt_asm_move_imm(a, TRIES, 0);

	kt_asm_place(a, again);
	find_subbuf(a, r, r->no_ring);
	kt_asm_jump_imm(a, BPF_JEQ, OFFSET, 0, begin);
	kt_asm_jump_imm(a, BPF_JGT, OFFSET, HEAD + kt_record_max(r->geometry) - r->size, close);
	kt_asm_load(a, BPF_DW, BPF_REG_1, SUBBUF, SUBBUF_AT(begin));
	kt_asm_alu(a, BPF_SUB, BPF_REG_0, BPF_REG_1);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_0, MAX_AGE_SHIFT);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_0, 0, close);
	kt_asm_note(a, "move reserved by the record's size");
	compute_next(a, r, 0);
	swap_reserved(a, retry);
	kt_asm_jump(a, room);

	kt_asm_place(a, begin);
	begin_subbuf(a, r, retry, taken);
	kt_asm_jump(a, room);

	kt_asm_place(a, taken);
	kt_asm_note(a, "full, unless an interrupting program has opened it");
	kt_asm_load(a, BPF_DW, BPF_REG_1, CONTROL, CONTROL_AT(reserved));
	kt_asm_jump_if(a, BPF_JEQ, BPF_REG_1, POSITION, full);
	kt_asm_jump(a, retry);

	kt_asm_place(a, close);
	close_subbuf(a, r, retry);
	kt_asm_place(a, retry);
	kt_asm_alu_imm(a, BPF_ADD, TRIES, 1);
	kt_asm_jump_imm(a, BPF_JLT, TRIES, MAX_TRIES, again);
	count_losses(a, r, full);

	kt_asm_place(a, room);
	write_head(a, r);
}

void kt_emit_end(struct kt_asm *a, const struct kt_reserve *r)
{
	kt_asm_place(a, r->done);
	kt_emit_nested_end(a, r->nested, r->end);
	if (r->end != r->done)
		kt_asm_place(a, r->end);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
}

void kt_emit_commit(struct kt_asm *a, const struct kt_reserve *r)
{
	kt_asm_note(a, "commit the record");
	load_size(a, r);
	if (r->overwrite) {
		kt_asm_move_imm64(a, BPF_REG_2, 1ull << KT_COUNT_SHIFT);
		kt_asm_alu(a, BPF_ADD, BPF_REG_1, BPF_REG_2);
	}
	add_committed(a);
	kt_emit_end(a, r);
}

void kt_emit_lose_missed(struct kt_asm *a, const struct kt_reserve *r)
{
	kt_asm_note(a, "missed");
	kt_emit_count_loss(a, COUNTER_AT(missed));
	finish_losses(a, r);
	kt_emit_end(a, r);
}
