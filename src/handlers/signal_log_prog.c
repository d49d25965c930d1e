// SPDX-License-Identifier: GPL-2.0-or-later
#include "handlers/signal_log_prog.h"

#include <stddef.h>

#include "bpf/asm.h"
#include "events/curated.h"
#include "events/event.h"
#include "generate/curated_fields.h"
#include "generate/expr_value.h"

enum { SIG, PID }; /* indices of the fields */

enum { LOG = BPF_REG_8, SLOT = BPF_REG_9 };

#define AT(target, member) offsetof(struct kt_signal_targets, targets[target].member)

/* Jumps to `next` unless the process in r1 is that target. */
static void log_for_target(struct kt_asm *a, int target, int next)
{
	kt_asm_load(a, BPF_DW, BPF_REG_2, LOG, AT(target, pid));
	kt_asm_jump_if(a, BPF_JNE, BPF_REG_1, BPF_REG_2, next);
	kt_asm_alu_imm(a, BPF_ADD, SLOT, AT(target, signals));
}

/* Stores the sender last: who reads a sender sees its time, or a later one. */
static void store_sent(struct kt_asm *a)
{
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_store(a, BPF_DW, SLOT, offsetof(struct kt_signal_sent, time), BPF_REG_0);
	kt_asm_call(a, BPF_FUNC_get_current_pid_tgid);
	kt_asm_atomic(a, BPF_DW, BPF_XCHG, SLOT, offsetof(struct kt_signal_sent, sender),
		      BPF_REG_0);
}

void kt_emit_signal_log(struct kt_asm *a, int map, const struct kt_event *event)
{
	struct kt_emit_expr x = {.a = a, .pointer = BPF_REG_7, .stack = KT_STACK_EXPR};
	struct kt_expr *const *exprs = event->curated->exprs;
	int first = kt_asm_label(a, "first"), second = kt_asm_label(a, "second"),
	    found = kt_asm_label(a, "found"), done = kt_asm_label(a, "done");

	kt_asm_move(a, BPF_REG_6, BPF_REG_1);
	kt_emit_curated_globals(a, event);
	kt_asm_note(a, "r9 = the signal's offset in a target's table");
	kt_emit_path(&x, &exprs[SIG]->path, SLOT);
	kt_asm_jump_imm(a, BPF_JGT, SLOT, KT_SIGNAL_MAX, done);
	kt_asm_alu_imm(a, BPF_MUL, SLOT, sizeof(struct kt_signal_sent));
	kt_asm_move_value(a, LOG, map);
	kt_emit_path(&x, &exprs[PID]->path, BPF_REG_1);
	kt_asm_alu_imm(a, BPF_LSH, BPF_REG_1, 32);
	kt_asm_alu_imm(a, BPF_RSH, BPF_REG_1, 32);
	kt_asm_place(a, first);
	log_for_target(a, 0, second);
	kt_asm_jump(a, found);
	kt_asm_place(a, second);
	log_for_target(a, 1, done);
	kt_asm_place(a, found);
	kt_asm_alu(a, BPF_ADD, SLOT, LOG);
	store_sent(a);
	kt_asm_place(a, done);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
}
