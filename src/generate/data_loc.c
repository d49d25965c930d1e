// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/data_loc.h"

#include "bpf/asm.h"
#include "events/event.h"

enum { CONTEXT = BPF_REG_6 };

void kt_emit_data_place(struct kt_asm *a, int dst, const struct kt_field *f)
{
	kt_asm_load(a, BPF_H, dst, CONTEXT, f->offset);
	if (f->flags & KT_FIELD_REL_LOC)
		kt_asm_alu_imm(a, BPF_ADD, dst, f->offset + f->size);
}

void kt_emit_data_length(struct kt_asm *a, int dst, const struct kt_field *f)
{
	kt_asm_load(a, BPF_H, dst, CONTEXT, f->offset + 2);
}
