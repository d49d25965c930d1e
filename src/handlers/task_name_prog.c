// SPDX-License-Identifier: GPL-2.0-or-later
#include "handlers/task_name_prog.h"

#include <stddef.h>

#include "bpf/asm.h"
#include "bpf/copy_bytes.h"
#include "events/curated.h"
#include "events/event.h"
#include "generate/curated_fields.h"
#include "generate/expr_value.h"
#include "generate/fork_tracking.h"
#include "generate/text_copy.h"

/* Number of the deciding process while it is needed; then the slot. */
enum { PROCESS = BPF_REG_9 };
enum { POSITION = BPF_REG_8, SLOT = BPF_REG_9 };

/* Stack slot until there is a slot in the ring. */
enum { FOLLOWED = KT_STACK_TEXT - 8 };

/* Indices of the fields. */
enum { TID, PID, AS, COMM, WAS };

#define PLACE(member) offsetof(struct kt_task_name_slot, entry.member)

/* Jumps to `done` for a task that is not logged. r9 is the deciding process. */
static void select_task(struct kt_asm *a, const struct kt_emit_task_name *n, int done)
{
	int other = kt_asm_label(a, "other"), counts = kt_asm_label(a, "counts");

	if (n->followed >= 0) {
		kt_asm_note(a, "is the task followed?");
		kt_asm_move_map(a, BPF_REG_1, n->followed);
		kt_emit_followed(a, PROCESS, other);
		kt_asm_store_imm(a, BPF_H, BPF_REG_10, FOLLOWED, true);
		kt_asm_jump(a, counts);
		kt_asm_place(a, other);
	}
	if (!n->all) {
		kt_asm_note(a, "is it the recorder's own thread?");
		kt_asm_jump_imm(a, BPF_JNE, PROCESS, n->recorder, done);
	}
	kt_asm_store_imm(a, BPF_H, BPF_REG_10, FOLLOWED, false);
	if (n->followed >= 0)
		kt_asm_place(a, counts);
}

/*
 * Takes SLOT; what it held is lost. Jumps to `stuck` if another program is still writing there: it,
 * or we, stood still while all other slots were written.
 */
static void take_slot(struct kt_asm *a, int ring, int stuck)
{
	kt_asm_note(a, "the next position and its slot");
	kt_asm_move_value(a, SLOT, ring);
	kt_asm_move_imm(a, POSITION, 1);
	kt_asm_atomic(a, BPF_DW, BPF_ADD | BPF_FETCH, SLOT,
		      offsetof(struct kt_task_name_ring_layout, next), POSITION);
	kt_asm_move(a, BPF_REG_1, POSITION);
	kt_asm_alu_imm(a, BPF_AND, BPF_REG_1, KT_TASK_NAMES - 1);
	kt_asm_alu_imm(a, BPF_MUL, BPF_REG_1, sizeof(struct kt_task_name_slot));
	kt_asm_alu(a, BPF_ADD, SLOT, BPF_REG_1);
	kt_asm_alu_imm(a, BPF_ADD, SLOT, offsetof(struct kt_task_name_ring_layout, slots));

	kt_asm_note(a, "is the slot being written, or used for a later position?");
	kt_asm_alu_imm(a, BPF_LSH, POSITION, 1);
	kt_asm_alu_imm(a, BPF_ADD, POSITION, kt_task_name_begun(0));
	kt_asm_load(a, BPF_DW, BPF_REG_0, SLOT, offsetof(struct kt_task_name_slot, state));
	kt_asm_jump_imm(a, BPF_JSET, BPF_REG_0, 1, stuck);
	kt_asm_jump_if(a, BPF_JGT, BPF_REG_0, POSITION, stuck);
	kt_asm_move(a, BPF_REG_1, BPF_REG_0);
	kt_asm_atomic(a, BPF_DW, BPF_CMPXCHG, SLOT, offsetof(struct kt_task_name_slot, state),
		      POSITION);
	kt_asm_jump_if(a, BPF_JNE, BPF_REG_0, BPF_REG_1, stuck);
}

static void store_number(struct kt_emit_expr *x, const struct kt_expr *e, size_t place)
{
	kt_emit_path(x, &e->path, BPF_REG_1);
	kt_asm_store(x->a, BPF_W, SLOT, place, BPF_REG_1);
}

static void store_text(struct kt_emit_expr *x, const struct kt_expr *e, size_t place)
{
	enum { SIZE = sizeof(((struct kt_task_name *)0)->comm) };

	kt_asm_store_imm(x->a, BPF_DW, BPF_REG_10, KT_STACK_TEXT, 0);
	kt_asm_store_imm(x->a, BPF_DW, BPF_REG_10, KT_STACK_TEXT + 8, 0);
	kt_emit_text_read(x, &e->path, SIZE);
	kt_emit_copy_bytes(x->a, SLOT, place, BPF_REG_10, KT_STACK_TEXT, SIZE);
}

void kt_emit_task_name(struct kt_asm *a, const struct kt_emit_task_name *n,
		       const struct kt_event *event)
{
	struct kt_emit_expr x = {.a = a, .pointer = BPF_REG_7, .stack = KT_STACK_EXPR};
	struct kt_expr *const *exprs = event->curated->exprs;
	int stuck = kt_asm_label(a, "stuck"), done = kt_asm_label(a, "done");

	kt_asm_move(a, BPF_REG_6, BPF_REG_1);
	kt_emit_curated_globals(a, event);
	kt_emit_path(&x, &exprs[AS]->path, PROCESS);
	select_task(a, n, done);
	take_slot(a, n->ring, stuck);

	kt_asm_note(a, "time");
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_store(a, BPF_DW, SLOT, PLACE(time), BPF_REG_0);
	kt_asm_note(a, "tid and pid");
	store_number(&x, exprs[TID], PLACE(tid));
	store_number(&x, exprs[PID], PLACE(pid));
	kt_asm_note(a, "followed, and the kind");
	kt_emit_copy_bytes(a, SLOT, PLACE(followed), BPF_REG_10, FOLLOWED, sizeof(uint16_t));
	kt_asm_store_imm(a, BPF_H, SLOT, PLACE(kind), n->kind);
	kt_asm_note(a, "comm");
	store_text(&x, exprs[COMM], PLACE(comm));
	if (n->kind == KT_TASK_NAME_RENAMED) {
		kt_asm_note(a, "its old name");
		store_text(&x, exprs[WAS], PLACE(was));
	}

	kt_asm_note(a, "the entry is complete");
	kt_asm_alu_imm(a, BPF_ADD, POSITION, 1);
	kt_asm_atomic(a, BPF_DW, BPF_XCHG, SLOT, offsetof(struct kt_task_name_slot, state),
		      POSITION);
	kt_asm_jump(a, done);
	kt_asm_place(a, stuck);
	kt_asm_move_value(a, BPF_REG_1, n->ring);
	kt_asm_move_imm(a, BPF_REG_2, 1);
	kt_asm_atomic(a, BPF_DW, BPF_ADD, BPF_REG_1,
		      offsetof(struct kt_task_name_ring_layout, stuck), BPF_REG_2);
	kt_asm_place(a, done);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
}
