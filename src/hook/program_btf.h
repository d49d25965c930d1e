/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes the functions of a program to the kernel, which requires that of functions that helpers
 * call.
 *
 *	struct kt_program_btf b;
 *
 *	kt_program_btf_make(&b, code, &err);
 *	...
 *	kt_program_btf_free(&b);
 */
#ifndef KT_HOOK_PROGRAM_BTF_H
#define KT_HOOK_PROGRAM_BTF_H

#include <linux/bpf.h>
#include <stdint.h>

struct kt_asm;
struct kt_error;

struct kt_program_btf {
	int fd;                          /* of BTF in the kernel; 0: none */
	struct bpf_func_info *functions; /* the program and its functions; or NULL */
	uint32_t n;
};

/*
 * Loads BTF with a function for the program and each of its functions: long NAME(u32 index, void
 * *). An empty description if it has none. Returns 0, or -errno with nothing to free.
 */
int kt_program_btf_make(struct kt_program_btf *b, const struct kt_asm *linked,
			struct kt_error *err);
void kt_program_btf_free(struct kt_program_btf *b);

#endif
