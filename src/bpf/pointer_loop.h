/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loop over pointers that lie one behind the other in the memory of the process that runs, as
 * those to a program's arguments.
 *
 *	struct kt_emit_pointer_loop p = {.a = a, .at = BPF_REG_9, .stack = at, .most = 32};
 *
 *	kt_asm_move(a, p.at, BPF_REG_1);		// where the first one is
 *	kt_emit_pointer_loop_begin(&p);
 *	kt_emit_pointer_loop_read(&p, BPF_REG_1, unread);
 *	...						// with r1, the pointer
 *	kt_emit_pointer_loop_next(&p);			// again, up to 32 times
 *
 * The verifier follows the way that does not jump first: let that one leave the loop, and none of
 * its turns waits for the next.
 */
#ifndef KT_BPF_POINTER_LOOP_H
#define KT_BPF_POINTER_LOOP_H

#include <stdint.h>

struct kt_asm;

/* For how many they were, and the one that is read. */
enum { KT_EMIT_POINTER_LOOP_STACK = 16 };

struct kt_emit_pointer_loop {
	struct kt_asm *a;
	int at;        /* a register of r6 to r9, which is theirs up to the loop's end */
	int16_t stack; /* so are KT_EMIT_POINTER_LOOP_STACK bytes of it */
	int32_t most;  /* at least 1 */
	int again;     /* label, left by begin */
};

/* r1 is lost. */
void kt_emit_pointer_loop_begin(struct kt_emit_pointer_loop *p);

/* dst = the next one, or goes to the label where it cannot be read. r0 to r5 are lost. */
void kt_emit_pointer_loop_read(const struct kt_emit_pointer_loop *p, int dst, int unread);

/* dst = how many there were before this one */
void kt_emit_pointer_loop_count(const struct kt_emit_pointer_loop *p, int dst);

/* Ends the loop. r1 is lost. */
void kt_emit_pointer_loop_next(const struct kt_emit_pointer_loop *p);

#endif
