// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/pointer_chase.h"

#include "bpf/asm.h"
#include "ctypes/member_path.h"

/* Index of fd[0] among the path's offsets, after task, files and fdt. */
enum { FILES = 3 };

void kt_emit_step(struct kt_asm *a, unsigned int offset, int16_t stack)
{
	kt_asm_move(a, BPF_REG_3, BPF_REG_0);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_3, offset);
	kt_asm_move_imm(a, BPF_REG_2, sizeof(uint64_t));
	kt_asm_move(a, BPF_REG_1, BPF_REG_10);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_1, stack);
	kt_asm_call(a, BPF_FUNC_probe_read_kernel);
	kt_asm_load(a, BPF_DW, BPF_REG_0, BPF_REG_10, stack);
}

void kt_emit_pointer_chase(struct kt_asm *a, const struct kt_member_path *path, int fd,
			   int16_t stack)
{
	unsigned int i;

	kt_asm_note(a, "from the running task, through its file descriptor %d", fd);
	kt_asm_call(a, BPF_FUNC_get_current_task);
	for (i = 0; i < path->n; i++)
		kt_emit_step(a, path->offsets[i] + (i == FILES ? fd * sizeof(uint64_t) : 0), stack);
}
