// SPDX-License-Identifier: GPL-2.0-or-later
#include "emit/count.h"

#include "base/tally.h"
#include "emit/asm.h"

enum { KEY = -4 }; /* on the stack: a CPU's number */

void kt_emit_count(struct kt_asm *a, int ledger_fd, size_t event)
{
	int done = kt_asm_label(a, "done");

	kt_asm_note(a, "r0 = this CPU's tallies");
	kt_asm_call(a, BPF_FUNC_get_smp_processor_id);
	kt_asm_store(a, BPF_W, BPF_REG_10, KEY, BPF_REG_0);
	kt_asm_move(a, BPF_REG_2, BPF_REG_10);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_2, KEY);
	kt_asm_move_map(a, BPF_REG_1, ledger_fd);
	kt_asm_call(a, BPF_FUNC_map_lookup_elem);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, done);

	kt_asm_note(a, "event %zu: hits += 1", event);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_0, event * sizeof(struct kt_tally));
	kt_asm_move_imm(a, BPF_REG_1, 1);
	kt_asm_atomic(a, BPF_DW, BPF_ADD, BPF_REG_0, offsetof(struct kt_tally, hits), BPF_REG_1);

	kt_asm_place(a, done);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
}
