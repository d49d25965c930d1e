// SPDX-License-Identifier: GPL-2.0-or-later
#include "emit/naming.h"

#include <stddef.h>

#include "catalog/curated.h"
#include "catalog/event.h"
#include "emit/asm.h"
#include "emit/curated.h"
#include "emit/expr.h"
#include "emit/follow.h"
#include "emit/text.h"

/* The naming is made around the place to which texts are brought. */
enum { NAMING = KT_STACK_TEXT - (int)offsetof(struct kt_naming, comm) };

enum { LOST = BPF_REG_8, PROCESS = BPF_REG_9 };

/* Its fields. */
enum { TID, PID, AS, COMM };

static int place_of(size_t member)
{
	return NAMING + (int)member;
}

static void store_followed(struct kt_asm *a, bool is)
{
	kt_asm_store_imm(a, BPF_DW, BPF_REG_10, place_of(offsetof(struct kt_naming, followed)), is);
}

/* Goes to the label done for a task that nobody asks for. r9 is the process that it goes with. */
static void select_task(struct kt_asm *a, const struct kt_emit_naming *n, int done)
{
	int other = kt_asm_label(a, "other"), counts = kt_asm_label(a, "counts");

	if (n->followed >= 0) {
		kt_asm_note(a, "is it followed?");
		kt_emit_followed(a, n->followed, PROCESS, other);
		store_followed(a, true);
		kt_asm_jump(a, counts);
		kt_asm_place(a, other);
	}
	if (!n->all) {
		kt_asm_note(a, "is it the recorder's?");
		kt_asm_jump_imm(a, BPF_JNE, PROCESS, n->recorder, done);
	}
	store_followed(a, false);
	if (n->followed >= 0)
		kt_asm_place(a, counts);
}

static void store_number(struct kt_emit_expr *x, const struct kt_expr *e, size_t member)
{
	kt_emit_path(x, &e->path, BPF_REG_1);
	kt_asm_store(x->a, BPF_W, BPF_REG_10, place_of(member), BPF_REG_1);
}

void kt_emit_naming(struct kt_asm *a, const struct kt_emit_naming *n, const struct kt_event *event)
{
	struct kt_emit_expr x = {.a = a, .pointer = BPF_REG_7, .stack = KT_STACK_EXPR};
	struct kt_expr *const *exprs = event->curated->exprs;
	int done = kt_asm_label(a, "done");

	kt_asm_move(a, BPF_REG_6, BPF_REG_1);
	kt_emit_curated_globals(a, event);
	kt_emit_path(&x, &exprs[AS]->path, PROCESS);
	select_task(a, n, done);

	kt_asm_note(a, "tid and pid");
	store_number(&x, exprs[TID], offsetof(struct kt_naming, tid));
	store_number(&x, exprs[PID], offsetof(struct kt_naming, pid));
	kt_asm_note(a, "comm");
	kt_asm_store_imm(a, BPF_DW, BPF_REG_10, KT_STACK_TEXT, 0);
	kt_asm_store_imm(a, BPF_DW, BPF_REG_10, KT_STACK_TEXT + 8, 0);
	kt_emit_text_read(&x, &exprs[COMM]->path, sizeof(((struct kt_naming *)0)->comm));
	kt_asm_note(a, "time, and how many were lost");
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_store(a, BPF_DW, BPF_REG_10, place_of(offsetof(struct kt_naming, time)), BPF_REG_0);
	kt_asm_move_value(a, LOST, n->lost);
	kt_asm_load(a, BPF_DW, BPF_REG_1, LOST, 0);
	kt_asm_store(a, BPF_DW, BPF_REG_10, place_of(offsetof(struct kt_naming, lost)), BPF_REG_1);

	kt_asm_note(a, "is there room in the queue?");
	kt_asm_move_map(a, BPF_REG_1, n->queue);
	kt_asm_move(a, BPF_REG_2, BPF_REG_10);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_2, NAMING);
	kt_asm_move_imm(a, BPF_REG_3, sizeof(struct kt_naming));
	kt_asm_move_imm(a, BPF_REG_4, BPF_RB_NO_WAKEUP);
	kt_asm_call(a, BPF_FUNC_ringbuf_output);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, done);
	kt_asm_move_imm(a, BPF_REG_1, 1);
	kt_asm_atomic(a, BPF_DW, BPF_ADD, LOST, 0, BPF_REG_1);
	kt_asm_place(a, done);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
}
