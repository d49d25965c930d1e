/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A generated program, loaded into the kernel: the verifier has accepted it, and nothing runs it
 * yet.
 *
 *	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_TRACEPOINT};
 *	int fd = kt_program_load(kind, "sched:sched_switch", a, &err);
 *
 *	// if the verifier refuses it:
 *	// cannot load the program of sched:sched_switch: verifier: R0 !read_ok
 *
 * Loading takes about 1 ms. `bpftool prog` shows the program as "kt_sched_sched_".
 */
#ifndef KT_HOOK_PROGRAM_H
#define KT_HOOK_PROGRAM_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct kt_asm;
struct kt_error;

/*
 * Types that our headers may lack. A program of BPF_TRACE_KPROBE_SESSION, since Linux 6.10, or
 * BPF_TRACE_FSESSION, since 7.0, runs at a function's entry and return.
 */
enum { KT_TRACE_KPROBE_MULTI = 42, KT_TRACE_KPROBE_SESSION = 56, KT_TRACE_FSESSION = 58 };

struct kt_program_kind {
	enum bpf_prog_type type;
	uint32_t btf_id; /* for BPF_PROG_TYPE_TRACING: id of a btf_trace_* type or of a function
			    of the kernel; else 0 */
	uint32_t attach_type; /* for that type BPF_TRACE_RAW_TP, BPF_TRACE_FENTRY or _FEXIT, or
				 KT_TRACE_FSESSION; for BPF_PROG_TYPE_KPROBE see hook/uprobe.h and
				 hook/kprobe_multi.h; else 0 */
	bool in_kernel;       /* BPF_PROG_TYPE_KPROBE: a kprobe, not a uprobe */
	bool is_return;       /* without attach_type a kretprobe */
	bool sleeps;          /* it may wait for user memory: of a uprobe, since Linux 6.0 */
};

/*
 * Returns libbpf's name of the kind: "tracepoint", "raw_tp", "tp_btf", "fentry", "fexit",
 * "fsession", "kprobe", "kretprobe", "kprobe.multi", "kprobe.session", "uprobe", "uprobe.multi".
 */
const char *kt_program_kind_name(struct kt_program_kind kind);

/*
 * Links and loads the code, which remains the caller's. Returns a descriptor that the caller
 * closes, or -errno.
 */
int kt_program_load(struct kt_program_kind kind, const char *event, struct kt_asm *code,
		    struct kt_error *err);

/*
 * From here on writes every program that this process loads to out, as kt_asm_print() does: its
 * name, kind and size first, an empty line last; and for a program that the verifier refuses
 * its whole log as comments, which costs some more loads. A program that is shown is not attached
 * (hook/probe.h). NULL ends this. The file remains the caller's.
 *
 *	; sched:sched_switch: tp_btf, 187 instructions
 *	   0: *(u64 *)(r10 -16) = r1
 *	...
 */
void kt_program_show(FILE *out);
bool kt_program_is_shown(void);

/*
 * Runs a BPF_PROG_TYPE_RAW_TRACEPOINT program once, in the calling process and without a context.
 * Stores what it returned in *result. Returns 0 or -errno.
 */
int kt_program_run(int program, uint32_t *result, struct kt_error *err);

/*
 * Returns the hits that the kernel did not pass to the program, because another program was running
 * on that CPU; 0 if the kernel does not count them.
 */
uint64_t kt_program_missed(int program);

/*
 * Returns whether the kernel counts them, for tracepoint programs too: since Linux 6.7, by its
 * release.
 */
bool kt_program_counts_missed(void);

#endif
