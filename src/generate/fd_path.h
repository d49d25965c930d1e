/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The path of the file that a descriptor of the process that runs leads to, as /proc/PID/fd has it.
 *
 *	struct kt_emit_fd_path f = {.a = a, .at = &files, .area = BPF_REG_9, .stack = slots,
 *				 .max = 4096, .none = none};
 *
 *	kt_emit_value(x, number, BPF_REG_1);
 *	kt_emit_fd_path(&f);			// r3 = the path, r2 = its bytes with a 0
 *
 * It is gone from the file up to where the mounts end, and what each is called put in front of it.
 * A path that is longer, or deeper than KT_EMIT_FD_PATH_DEPTH, begins with "..." in place of its
 * first names: ".../lib/libc.so". What has no path is called as the kernel calls it:
 * "pipe:[4711]", "anon_inode:[eventpoll]". Behind that of a file that has been removed there is
 * " (deleted)".
 *
 * The kernel's locks are not taken. A name that is changed while it is read, or a descriptor that
 * is closed meanwhile, leads to none; a directory above that is moved meanwhile may be in either
 * place.
 */
#ifndef KT_GENERATE_FD_PATH_H
#define KT_GENERATE_FD_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_asm;
struct kt_fdtable_offsets;

/* Names and mounts. */
enum { KT_EMIT_FD_PATH_DEPTH = 40 };

/* Of the stack; and of memory in a map's element, where the path is made. */
enum { KT_EMIT_FD_PATH_STACK = 120, KT_EMIT_FD_PATH_AREA = 8192 + 512 };

struct kt_emit_fd_path {
	struct kt_asm *a;
	const struct kt_fdtable_offsets *at;
	bool starts;   /* AT_FDCWD is one: of the working directory */
	int area;      /* a register of r7 to r9, which has that memory */
	int16_t stack; /* where those bytes of it are, a multiple of 8 */
	size_t max;    /* bytes of a path, without its 0: at least 4, at most 4096 */
	int none;      /* label, for where there is none */
	int cut;       /* its own */
};

/*
 * Of the descriptor in r1, an int widened by its sign. Leaves r2, at most f->max + 1, and r3; r0,
 * r1 and r4 to r6 are lost.
 */
void kt_emit_fd_path(struct kt_emit_fd_path *f);

#endif
