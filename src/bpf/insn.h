/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats a BPF instruction, close to the notation of LLVM and the kernel's verifier.
 *
 *	kt_insn_text(&insns[i], NULL, text, sizeof(text));
 *
 *	// r1 = *(u32 *)(r2 +8)
 *	// if r1 s> -1 goto +3
 *	// lock *(u64 *)(r0 +16) += r1
 *	// call ktime_get_ns
 *
 * It knows only what kt_asm_* can emit.
 */
#ifndef KT_BPF_INSN_H
#define KT_BPF_INSN_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns whether the instruction takes two slots. */
bool kt_insn_is_wide(const struct bpf_insn *insn);

/*
 * Writes the text, cut to size bytes. target names a jump's label, or a function; NULL: the
 * distance is shown.
 */
void kt_insn_text(const struct bpf_insn *insn, const char *target, char *text, size_t size);

#endif
