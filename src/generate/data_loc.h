/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits access to a field of varying length in a tracepoint's record, which is the context (r6).
 *
 *	kt_emit_data_place(a, BPF_REG_3, field);
 *	kt_asm_alu(a, BPF_ADD, BPF_REG_3, BPF_REG_6);	// address of the data
 */
#ifndef KT_GENERATE_DATA_LOC_H
#define KT_GENERATE_DATA_LOC_H

struct kt_asm;
struct kt_field;

/* Emits dst = offset of the data in the context. */
void kt_emit_data_place(struct kt_asm *a, int dst, const struct kt_field *f);

/* Emits dst = length of the data in bytes, at most 65535. */
void kt_emit_data_length(struct kt_asm *a, int dst, const struct kt_field *f);

#endif
