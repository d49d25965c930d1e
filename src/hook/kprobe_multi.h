/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links of one program to many functions of the kernel (kprobe.multi, since Linux 5.18); or to
 * their entries and returns (kprobe.session, since 6.10).
 *
 *	struct kt_kprobe_sites sites = {.n = 1, .names = &name};
 *	struct kt_program_kind kind = {
 *		.type = BPF_PROG_TYPE_KPROBE, .in_kernel = true,
 *		.attach_type = KT_TRACE_KPROBE_MULTI,
 *	};
 *	...
 *	link = kt_kprobe_multi_attach(program, kind.attach_type, sites);
 *
 * The kernel changes all functions at once, by ftrace: 60 functions take about as long as one. A
 * program is not preempted. It gets the registers, like that of a kprobe.
 */
#ifndef KT_HOOK_KPROBE_MULTI_H
#define KT_HOOK_KPROBE_MULTI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Places of functions, n of each that is not NULL: addresses, or else names. */
struct kt_kprobe_sites {
	size_t n;
	const uint64_t *addresses;
	const char *const *names;
	const uint64_t *cookies; /* which the program gets by bpf_get_attach_cookie(); or NULL */
};

/*
 * Attaches a program of that type, KT_TRACE_KPROBE_MULTI or KT_TRACE_KPROBE_SESSION
 * (hook/program.h). Returns a link, which the caller closes, or -errno: -ESRCH if the kernel has no
 * such function, -ENOENT or -EINVAL if one cannot be traced.
 */
int kt_kprobe_multi_attach(int program, uint32_t attach_type, struct kt_kprobe_sites sites);

/* Returns whether the kernel has such links, and we may make them; tried once in a process. */
bool kt_kprobe_multi_is_supported(uint32_t attach_type);

#endif
