/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes from one place to another, as many at a time as the kernel lets a program load and store
 * there.
 *
 *	kt_emit_copy_bytes(a, BPF_REG_8, 12, BPF_REG_6, 8, 16);	// to r8 + 12, from r6 + 8
 *
 * A context, in r6 as everywhere here, is read, and the stack written, only at multiples of the
 * size; other memory anywhere.
 */
#ifndef KT_BPF_COPY_BYTES_H
#define KT_BPF_COPY_BYTES_H

struct kt_asm;

/* r1 is lost. */
void kt_emit_copy_bytes(struct kt_asm *a, int to, int dst, int from, int src, unsigned int n);

#endif
