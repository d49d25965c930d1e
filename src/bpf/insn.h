/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A BPF instruction as text, close to the notation of LLVM and of the kernel's verifier.
 *
 *	kt_insn_text(&insns[i], NULL, text, sizeof(text));
 *
 *	// r1 = *(u32 *)(r2 +8)
 *	// if r1 s> -1 goto +3
 *	// lock *(u64 *)(r0 +16) += r1
 *	// call ktime_get_ns
 *
 * It reads what kt_asm_* can make, and nothing else.
 */
#ifndef KT_BPF_INSN_H
#define KT_BPF_INSN_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

/* Does the instruction take two slots? */
bool kt_insn_is_wide(const struct bpf_insn *insn);

/* The text, cut where longer than size. target is a jump's label; NULL: its distance is said. */
void kt_insn_text(const struct bpf_insn *insn, const char *target, char *text, size_t size);

#endif
