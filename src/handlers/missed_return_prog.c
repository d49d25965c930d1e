// SPDX-License-Identifier: GPL-2.0-or-later
#include "handlers/missed_return_prog.h"

#include "bpf/asm.h"
#include "events/curated.h"
#include "events/event.h"
#include "generate/pointer_chase.h"
#include "handlers/process_check.h"

enum { READ = KT_STACK_RESERVE - 8 }; /* stack slot of what is read */

/* Jumps to r->done if the kernel has room for one more return of this thread. */
static void check_room(struct kt_asm *a, const struct kt_reserve *r, const struct kt_awaited *of)
{
	kt_asm_note(a, "how many returns does this thread await?");
	kt_asm_call(a, BPF_FUNC_get_current_task);
	kt_emit_step(a, of->utask, READ);
	kt_emit_step(a, of->depth, READ);
	kt_asm_load(a, BPF_W, BPF_REG_0, BPF_REG_10, READ);
	kt_asm_jump_imm(a, BPF_JLT, BPF_REG_0, KT_RETURNS_MAX, r->done);
}

void kt_emit_missed_return(struct kt_asm *a, struct kt_reserve r, const struct kt_event *event)
{
	r.call = event->curated;
	r.varies = false;
	r.filters = kt_reserve_checks_process(&r);
	kt_emit_begin(a, &r);
	check_room(a, &r, &event->curated->awaited);
	kt_emit_process_check(a, &r, event);
	kt_emit_enter(a, &r);
	kt_emit_lose_missed(a, &r);
}
