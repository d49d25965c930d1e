/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the path of an open file, by its descriptor in the current process, as /proc/PID/fd shows
 * it.
 *
 *	struct kt_emit_fd_path f = {.a = a, .at = &files, .area = BPF_REG_9, .stack = slots,
 *				 .max = 4096, .none = none};
 *
 *	kt_emit_value(x, number, BPF_REG_1);
 *	kt_emit_fd_path(&f);			// r3 = the path, r2 = its bytes with the NUL
 *
 * The program walks from the file to the root, and puts each name in front. A path that is too
 * long, or deeper than KT_EMIT_FD_PATH_DEPTH, starts with "...": ".../lib/libc.so". Files without a
 * path have the kernel's names: "pipe:[4711]", "anon_inode:[eventpoll]". A removed file ends in "
 * (deleted)".
 *
 * The program takes no lock. If a name changes while it is read, or the descriptor is closed, there
 * is no path. A directory that is moved meanwhile may appear in either place.
 */
#ifndef KT_GENERATE_FD_PATH_H
#define KT_GENERATE_FD_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_asm;
struct kt_fdtable_offsets;

/* Maximum number of names and mounts. */
enum { KT_EMIT_FD_PATH_DEPTH = 40 };

/* Bytes needed on the stack; and in a map's element, where the path is made. */
enum { KT_EMIT_FD_PATH_STACK = 120, KT_EMIT_FD_PATH_AREA = 8192 + 512 };

struct kt_emit_fd_path {
	struct kt_asm *a;
	const struct kt_fdtable_offsets *at;
	bool starts;   /* AT_FDCWD means the working directory */
	int area;      /* a register of r7 to r9 with the address of that memory */
	int16_t stack; /* offset of the stack bytes, a multiple of 8 */
	size_t max;    /* bytes of a path without its NUL, 4 to 4096 */
	int none;      /* label to jump to if there is no path */
	int cut;       /* label, set by the function */
};

/*
 * Finds the path of the descriptor in r1, a sign-extended int. Sets r3 and r2, which is at most
 * f->max + 1. Clobbers r0, r1 and r4 to r6.
 */
void kt_emit_fd_path(struct kt_emit_fd_path *f);

/*
 * Finds the kind of socket that the descriptor in r1 is: r0 = its family, shifted by
 * KT_EXPR_SOCKET_SHIFT, and its protocol (ctypes/recipe_expr.h); jumps to f->none if it is none.
 * Uses neither f->area nor f->max. Clobbers r1 to r5.
 */
void kt_emit_fd_socket(const struct kt_emit_fd_path *f);

#endif
