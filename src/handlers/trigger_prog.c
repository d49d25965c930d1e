// SPDX-License-Identifier: GPL-2.0-or-later
#include "handlers/trigger_prog.h"

#include "bpf/asm.h"
#include "events/event.h"
#include "generate/curated_fields.h"
#include "generate/filter_check.h"
#include "handlers/call_duration.h"
#include "handlers/computed_values.h"

enum { OUTPUT = KT_STACK_ROW - 4 }; /* stack slot of a u64 with any value */

static void wake_waiters(struct kt_asm *a, int wakeup)
{
	kt_asm_note(a, "wake the waiting process");
	kt_asm_store_imm(a, BPF_DW, BPF_REG_10, OUTPUT, 0);
	kt_asm_move_map(a, BPF_REG_1, wakeup);
	kt_asm_move(a, BPF_REG_2, BPF_REG_10);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_2, OUTPUT);
	kt_asm_move_imm(a, BPF_REG_3, sizeof(uint64_t));
	kt_asm_move_imm(a, BPF_REG_4, BPF_RB_FORCE_WAKEUP);
	kt_asm_call(a, BPF_FUNC_ringbuf_output);
}

void kt_emit_trigger_prog(struct kt_asm *a, struct kt_reserve r, int wakeup,
			  const struct kt_event *event)
{
	r.number = 0;
	r.shared = NULL;
	r.call = event->curated;
	r.nested.role = KT_NESTED_NONE;
	r.varies = r.some_cpus = r.filters = false;
	kt_emit_begin(a, &r);
	if (event->curated) {
		kt_emit_curated_own(a, &r, event);
		kt_emit_curated_globals(a, event);
		kt_emit_call_duration(a, &r, event);
		kt_emit_computed(a, event, r.done);
	}
	kt_emit_trigger(a, &r, event, r.done);
	wake_waiters(a, wakeup);
	kt_emit_end(a, &r);
}
