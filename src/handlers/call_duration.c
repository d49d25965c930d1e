// SPDX-License-Identifier: GPL-2.0-or-later
#include "handlers/call_duration.h"

#include <stddef.h>

#include "bpf/asm.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/point.h"
#include "generate/curated_fields.h"
#include "handlers/process_check.h"

/* Place of the stack pointer in the registers, in words, and how a return has changed it. */
#if defined(__x86_64__)
enum { STACK_POINTER = 19, RETURN_ADDRESS = 8 };
#elif defined(__aarch64__)
enum { STACK_POINTER = 31, RETURN_ADDRESS = 0 };
#endif

enum { CALL = BPF_REG_7, FRAME = BPF_REG_8, START = BPF_REG_9, SET = BPF_REG_6 };

enum { SLOT = sizeof(struct kt_call), HASH_SHIFT = 64 - KT_CALL_SETS_SHIFT };

/* 2^64 divided by the golden ratio: it spreads addresses that differ in few bits. */
static const uint64_t hash_factor = 0x9e3779b97f4a7c15;

#define CALL_AT(member) ((int16_t)offsetof(struct kt_call, member))

/*
 * FRAME = the call's frame. By registers it is where the return address is; otherwise where the
 * kernel has put the arguments for all programs of this call.
 */
static void find_frame(struct kt_asm *a, const struct kt_event *event, bool is_return)
{
	kt_asm_load(a, BPF_DW, FRAME, BPF_REG_10, KT_STACK_CONTEXT);
	if (!event->point->by_registers) {
		kt_asm_negate(a, FRAME); /* twice: a number, no pointer that cannot be stored */
		kt_asm_negate(a, FRAME);
		return;
	}
	kt_asm_load(a, BPF_DW, FRAME, FRAME, 8 * STACK_POINTER);
	if (is_return)
		kt_asm_alu_imm(a, BPF_SUB, FRAME, RETURN_ADDRESS);
}

/* dst = the first of the frame's slots. */
static void find_set(struct kt_asm *a, const struct kt_reserve *r, int dst)
{
	kt_asm_move_value(a, dst, r->calls);
	kt_asm_move_imm64(a, BPF_REG_1, hash_factor);
	kt_asm_alu(a, BPF_MUL, BPF_REG_1, FRAME);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_1, HASH_SHIFT);
	kt_asm_alu_imm(a, BPF_MUL, BPF_REG_1, KT_CALL_SLOTS * SLOT);
	kt_asm_alu(a, BPF_ADD, dst, BPF_REG_1);
}

/* Compare-and-swap of the slot's frame; jumps to the label if it was not `from`. */
static void swap_frame(struct kt_asm *a, int from, int to, int failed)
{
	kt_asm_move(a, BPF_REG_0, from);
	kt_asm_atomic(a, BPF_DW, BPF_CMPXCHG, CALL, CALL_AT(frame), to);
	kt_asm_jump_if(a, BPF_JNE, BPF_REG_0, from, failed);
}

/* Goes to the label with CALL = the slot that has this frame; falls through if there is none. */
static void find_call(struct kt_asm *a, int found)
{
	int i;

	for (i = 0; i < KT_CALL_SLOTS; i++) {
		if (i)
			kt_asm_alu_imm(a, BPF_ADD, CALL, SLOT);
		kt_asm_load(a, BPF_DW, BPF_REG_1, CALL, CALL_AT(frame));
		kt_asm_jump_if(a, BPF_JEQ, BPF_REG_1, FRAME, found);
	}
}

/* Goes to the label with CALL = a slot that was free, and is claimed; or falls through. */
static void claim_free(struct kt_asm *a, int claimed)
{
	int i, taken;

	for (i = 0; i < KT_CALL_SLOTS; i++) {
		taken = kt_asm_label(a, "taken");
		kt_asm_load(a, BPF_DW, BPF_REG_1, CALL, CALL_AT(frame));
		kt_asm_jump_imm(a, BPF_JNE, BPF_REG_1, KT_CALL_FREE, taken);
		kt_asm_move_imm(a, BPF_REG_2, KT_CALL_CLAIMED);
		swap_frame(a, BPF_REG_1, BPF_REG_2, taken);
		kt_asm_jump(a, claimed);
		kt_asm_place(a, taken);
		if (i < KT_CALL_SLOTS - 1)
			kt_asm_alu_imm(a, BPF_ADD, CALL, SLOT);
	}
}

/* Claims the slot at CALL, whose frame is r1; gives up if another program was faster. */
static void claim(struct kt_asm *a, int failed)
{
	kt_asm_move_imm(a, BPF_REG_2, KT_CALL_CLAIMED);
	swap_frame(a, BPF_REG_1, BPF_REG_2, failed);
}

/* Claims any slot of the set. */
static void claim_any(struct kt_asm *a, int failed)
{
	kt_asm_move(a, BPF_REG_1, START);
	kt_asm_alu_imm(a, BPF_AND, BPF_REG_1, KT_CALL_SLOTS - 1);
	kt_asm_alu_imm(a, BPF_MUL, BPF_REG_1, SLOT);
	kt_asm_move(a, CALL, SET);
	kt_asm_alu(a, BPF_ADD, CALL, BPF_REG_1);
	kt_asm_load(a, BPF_DW, BPF_REG_1, CALL, CALL_AT(frame));
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_1, KT_CALL_CLAIMED, failed);
	claim(a, failed);
}

/* r1 = the current thread's turn: when it began, plus how often it was switched off a CPU. */
static void load_turn(struct kt_asm *a, const struct kt_call_timing *t)
{
	kt_asm_call(a, BPF_FUNC_get_current_task_btf);
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_0, t->start_time);
	kt_asm_load(a, BPF_DW, BPF_REG_2, BPF_REG_0, t->nvcsw);
	kt_asm_alu(a, BPF_ADD, BPF_REG_1, BPF_REG_2);
	kt_asm_load(a, BPF_DW, BPF_REG_2, BPF_REG_0, t->nivcsw);
	kt_asm_alu(a, BPF_ADD, BPF_REG_1, BPF_REG_2);
}

/*
 * Notes that the call at FRAME began at START, and if it returns now, the thread's turn. A slot is
 * claimed first, so that no program takes it with the time of another call.
 */
static void note_call(struct kt_asm *a, const struct kt_reserve *r, const struct kt_call_timing *at)
{
	int own = kt_asm_label(a, "own"), claimed = kt_asm_label(a, "claimed");

	kt_asm_note(a, "a slot for this call: its own of before, a free one, or any");
	find_set(a, r, SET);
	kt_asm_move(a, CALL, SET);
	find_call(a, own);
	kt_asm_move(a, CALL, SET);
	claim_free(a, claimed);
	claim_any(a, r->done);
	kt_asm_jump(a, claimed);
	kt_asm_place(a, own);
	claim(a, r->done);
	kt_asm_place(a, claimed);
	kt_asm_store(a, BPF_DW, CALL, CALL_AT(start), START);
	if (at)
		load_turn(a, at);
	else
		kt_asm_move_imm(a, BPF_REG_1, (int)KT_CALL_AT_ENTRY);
	kt_asm_store(a, BPF_DW, CALL, CALL_AT(turn), BPF_REG_1);
	kt_asm_atomic(a, BPF_DW, BPF_XCHG, CALL, CALL_AT(frame), FRAME);
}

static void begin(struct kt_asm *a, struct kt_reserve *r, const struct kt_event *event)
{
	r->call = event->curated;
	r->enable = r->pid_filter = -1;
	r->number = 0;
	r->freezing = (struct kt_freezing){};
	r->varies = r->reads_user = r->some_cpus = r->filters = false;
	kt_emit_begin(a, r);
	r->other = r->done;
	kt_emit_process_check(a, r, event);
}

void kt_emit_call_start(struct kt_asm *a, struct kt_reserve r, const struct kt_event *event)
{
	begin(a, &r, event);
	kt_asm_note(a, "the call's frame, and the time");
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_move(a, START, BPF_REG_0);
	find_frame(a, event, false);
	note_call(a, &r, NULL);
	kt_emit_end(a, &r);
}

static void call_kernel(struct kt_asm *a, uint32_t function)
{
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, KT_STACK_CONTEXT);
	kt_asm_call_kernel(a, function);
}

void kt_emit_call_session(struct kt_asm *a, struct kt_reserve r, const struct kt_event *event)
{
	const struct kt_call_timing *timing = &event->curated->timing;
	int returns;

	begin(a, &r, event);
	returns = kt_asm_label(a, "returns");
	call_kernel(a, timing->is_return);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_0, 0, returns);
	kt_asm_note(a, "keep the time for the return");
	call_kernel(a, timing->cookie);
	kt_asm_move(a, START, BPF_REG_0);
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_store(a, BPF_DW, START, 0, BPF_REG_0);
	kt_asm_jump(a, r.done);
	kt_asm_place(a, returns);
	kt_asm_note(a, "the time of entry, if it was kept");
	call_kernel(a, timing->cookie);
	kt_asm_load(a, BPF_DW, START, BPF_REG_0, 0);
	kt_asm_jump_imm(a, BPF_JEQ, START, 0, r.done);
	find_frame(a, event, true);
	note_call(a, &r, timing);
	kt_emit_end(a, &r);
}

void kt_emit_call_entry(struct kt_asm *a, const struct kt_event *event)
{
	enum { CONTEXT = BPF_REG_6 };
	const struct kt_curated *c = event->curated;
	int returns = kt_asm_label(a, "returns");

	kt_asm_move(a, CONTEXT, BPF_REG_1);
	kt_asm_call_kernel(a, c->timing.is_return);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_0, 0, returns);
	if (c->takes[KT_BTF_DURATION]) {
		kt_asm_note(a, "keep the time for the return");
		kt_asm_move(a, BPF_REG_1, CONTEXT);
		kt_asm_call_kernel(a, c->timing.cookie);
		kt_asm_move(a, START, BPF_REG_0);
		kt_asm_call(a, BPF_FUNC_ktime_get_ns);
		kt_asm_store(a, BPF_DW, START, 0, BPF_REG_0);
		kt_asm_move_imm(a, BPF_REG_0, 0);
	}
	kt_asm_exit(a);
	kt_asm_place(a, returns);
	kt_asm_move(a, BPF_REG_1, CONTEXT);
}

/* The time of entry was kept with the call. */
static void measure_kept(struct kt_asm *a, const struct kt_event *event)
{
	const struct kt_emit_expr x = {.stack = KT_STACK_EXPR};

	call_kernel(a, event->curated->timing.cookie);
	kt_asm_load(a, BPF_DW, START, BPF_REG_0, 0);
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_alu(a, BPF_SUB, BPF_REG_0, START);
	kt_asm_store(a, BPF_DW, BPF_REG_10, kt_emit_global_at(&x, KT_BTF_DURATION), BPF_REG_0);
}

/* Jumps to the label if another call left the slot. */
static void check_turn(struct kt_asm *a, const struct kt_call_timing *timing, int other)
{
	int same = kt_asm_label(a, "same_call");

	kt_asm_load(a, BPF_DW, BPF_REG_1, CALL, CALL_AT(turn));
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_1, (int)KT_CALL_AT_ENTRY, same);
	load_turn(a, timing);
	kt_asm_load(a, BPF_DW, BPF_REG_2, CALL, CALL_AT(turn));
	kt_asm_jump_if(a, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
	kt_asm_place(a, same);
}

/* The time of entry was noted in the table. */
static void measure_noted(struct kt_asm *a, const struct kt_reserve *r,
			  const struct kt_event *event)
{
	const struct kt_emit_expr x = {.stack = KT_STACK_EXPR};
	int found = kt_asm_label(a, "found"), unknown = kt_asm_label(a, "unknown");

	kt_asm_store_imm(a, BPF_DW, BPF_REG_10, kt_emit_global_at(&x, KT_BTF_DURATION), -1);
	find_frame(a, event, true);
	find_set(a, r, CALL);
	find_call(a, found);
	kt_asm_jump(a, unknown);
	kt_asm_place(a, found);
	kt_asm_load(a, BPF_DW, START, CALL, CALL_AT(start));
	if (event->curated->timing.cookie && !event->point->by_registers)
		check_turn(a, &event->curated->timing, unknown);
	kt_asm_move_imm(a, BPF_REG_2, KT_CALL_FREE);
	swap_frame(a, FRAME, BPF_REG_2, unknown);
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_alu(a, BPF_SUB, BPF_REG_0, START);
	kt_asm_store(a, BPF_DW, BPF_REG_10, kt_emit_global_at(&x, KT_BTF_DURATION), BPF_REG_0);
	kt_asm_place(a, unknown);
}

void kt_emit_call_duration(struct kt_asm *a, const struct kt_reserve *r,
			   const struct kt_event *event)
{
	if (!event->curated || !event->curated->takes[KT_BTF_DURATION])
		return;
	kt_asm_note(a, "how long did the call take?");
	if (event->point->by_multi)
		measure_kept(a, event);
	else
		measure_noted(a, r, event);
}
