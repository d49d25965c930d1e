/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a tracepoint's record has the data of a field that varies: text, or an array. r6 is the
 * context, which is the record.
 *
 *	kt_emit_data_place(a, BPF_REG_3, field);
 *	kt_asm_alu(a, BPF_ADD, BPF_REG_3, BPF_REG_6);	// their address
 */
#ifndef KT_GENERATE_DATA_LOC_H
#define KT_GENERATE_DATA_LOC_H

struct kt_asm;
struct kt_field;

/* dst = where they begin in the context */
void kt_emit_data_place(struct kt_asm *a, int dst, const struct kt_field *f);

/* dst = how many bytes they are, at most 65535 */
void kt_emit_data_length(struct kt_asm *a, int dst, const struct kt_field *f);

#endif
