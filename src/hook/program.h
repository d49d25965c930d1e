/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A generated program, loaded: the verifier has read it, nothing runs it yet.
 *
 *	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_TRACEPOINT};
 *	int fd = kt_program_load(kind, "sched:sched_switch", a, &err);
 *
 *	// where the verifier refuses it:
 *	// cannot load the program of sched:sched_switch: the verifier says: R0 !read_ok
 *
 * Takes about 1 ms. `bpftool prog` shows it as "kt_sched_sched_".
 */
#ifndef KT_HOOK_PROGRAM_H
#define KT_HOOK_PROGRAM_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct kt_asm;
struct kt_error;

struct kt_program_kind {
	enum bpf_prog_type type;
	uint32_t btf_id; /* of BPF_PROG_TYPE_TRACING: which btf_trace_* of the kernel; else 0 */
};

/* As libbpf calls it: "tracepoint", "raw_tp" or "tp_btf". */
const char *kt_program_kind_name(struct kt_program_kind kind);

/* A descriptor that the caller closes, or -errno. Links the code; it remains the caller's. */
int kt_program_load(struct kt_program_kind kind, const char *event, struct kt_asm *code,
		    struct kt_error *err);

/*
 * Writes every program that this process loads from here on to out, for whoever wants to see them,
 * as kt_asm_print does, with its name, kind and size before it and an empty line behind it; and
 * where the verifier refuses one, all that it says of the way there, as comments. Costs refused
 * programs some loads more. A program that is shown is not attached (hook/probe.h). NULL: none any
 * more. The file remains the caller's.
 *
 *	; sched:sched_switch: tp_btf, 187 instructions
 *	   0: *(u64 *)(r10 -16) = r1
 *	...
 */
void kt_program_show(FILE *out);
bool kt_program_is_shown(void);

/*
 * Runs it once, here and now, with the calling process as the current one; it is a
 * BPF_PROG_TYPE_RAW_TRACEPOINT and has no context. What it returned is in *result. 0 or -errno.
 */
int kt_program_run(int program, uint32_t *result, struct kt_error *err);

/*
 * Hits that the kernel did not give to it, because another program ran on that CPU. 0 where the
 * kernel does not count them.
 */
uint64_t kt_program_missed(int program);

/* Whether it does, those of tracepoint programs too, by its release: since 6.7. */
bool kt_program_counts_missed(void);

#endif
