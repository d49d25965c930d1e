/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits a loop over an array of pointers in the memory of the current process, such as a program's
 * arguments.
 *
 *	struct kt_emit_pointer_loop p = {.a = a, .at = BPF_REG_9, .stack = at, .most = 32};
 *
 *	kt_asm_move(a, p.at, BPF_REG_1);		// address of the first pointer
 *	kt_emit_pointer_loop_begin(&p);
 *	kt_emit_pointer_loop_read(&p, BPF_REG_1, unread);
 *	...						// uses the pointer in r1
 *	kt_emit_pointer_loop_next(&p);			// repeats, at most 32 times
 *
 * The verifier follows the path that does not jump first. Let that path leave the loop, so that no
 * iteration keeps states pending while the next one is verified.
 */
#ifndef KT_BPF_POINTER_LOOP_H
#define KT_BPF_POINTER_LOOP_H

#include <stdint.h>

struct kt_asm;

/* Stack bytes that the loop uses: the count, and the pointer just read. */
enum { KT_EMIT_POINTER_LOOP_STACK = 16 };

struct kt_emit_pointer_loop {
	struct kt_asm *a;
	int at;        /* a register of r6 to r9; the loop owns it until its end */
	int16_t stack; /* offset of KT_EMIT_POINTER_LOOP_STACK bytes; the loop owns them */
	int32_t most;  /* the maximum number of pointers, at least 1 */
	int again;     /* the loop's label, set by begin */
};

/* Emits the start of the loop. Clobbers r1. */
void kt_emit_pointer_loop_begin(struct kt_emit_pointer_loop *p);

/* Emits dst = the next pointer; jumps to `unread` if it cannot be read. Clobbers r0 to r5. */
void kt_emit_pointer_loop_read(const struct kt_emit_pointer_loop *p, int dst, int unread);

/* Emits dst = how many pointers were read before this one. */
void kt_emit_pointer_loop_count(const struct kt_emit_pointer_loop *p, int dst);

/* Emits the end of the loop. Clobbers r1. */
void kt_emit_pointer_loop_next(const struct kt_emit_pointer_loop *p);

#endif
