/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits code that copies bytes, in the largest pieces that the kernel allows.
 *
 *	kt_emit_copy_bytes(a, BPF_REG_8, 12, BPF_REG_6, 8, 16);	// to r8 + 12, from r6 + 8
 *
 * The context (r6, as in all our programs) may be read, and the stack written, only at multiples of
 * the access size; other memory anywhere.
 */
#ifndef KT_BPF_COPY_BYTES_H
#define KT_BPF_COPY_BYTES_H

struct kt_asm;

/* Emits a copy of n bytes from register `from` + src to register `to` + dst. Clobbers r1. */
void kt_emit_copy_bytes(struct kt_asm *a, int to, int dst, int from, int src, unsigned int n);

#endif
