// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/copy_bytes.h"

#include "bpf/asm.h"

enum { CONTEXT = BPF_REG_6, STACK = BPF_REG_10 };

void kt_emit_copy_bytes(struct kt_asm *a, int to, int dst, int from, int src, unsigned int n)
{
	unsigned int odd, bytes;

	for (; n; dst += bytes, src += bytes, n -= bytes) {
		odd = (from == CONTEXT ? src : 0) | (to == STACK ? dst : 0);
		for (bytes = 8; bytes > n || odd % bytes; bytes /= 2)
			;
		kt_asm_load(a, kt_asm_size(bytes), BPF_REG_1, from, src);
		kt_asm_store(a, kt_asm_size(bytes), to, dst, BPF_REG_1);
	}
}
