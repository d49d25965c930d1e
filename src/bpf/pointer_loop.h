/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits a loop over an array of pointers in the memory of the current process, such as a program's
 * arguments. It ends at NULL, at a pointer that cannot be read, or after a maximum.
 *
 *	struct kt_emit_pointer_loop p = {.a = a, .stack = at, .most = 32};
 *
 *	kt_emit_pointer_loop_begin(&p, BPF_REG_1, "texts");	// r1 = address of the first pointer
 *	...						// into p.body: uses the pointer in r3
 *	kt_emit_pointer_loop_end(&p);			// runs the loop
 *	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, at + KT_POINTER_LOOP_READ);
 *						// r1 = 0: it ended at NULL
 *
 * The body is that of a bpf/loop.h.
 */
#ifndef KT_BPF_POINTER_LOOP_H
#define KT_BPF_POINTER_LOOP_H

#include <stdint.h>

struct kt_asm;

/* Stack slots of the loop: address of the next pointer; the last one read, or 1 if unreadable. */
enum { KT_POINTER_LOOP_AT = 0, KT_POINTER_LOOP_READ = 8, KT_EMIT_POINTER_LOOP_STACK = 16 };

struct kt_emit_pointer_loop {
	struct kt_asm *a;
	int16_t stack;       /* offset of KT_EMIT_POINTER_LOOP_STACK bytes; the loop owns them */
	int32_t most;        /* the maximum number of pointers, at least 1 */
	struct kt_asm *body; /* set by begin: a function with r6 = stack frame of the program */
	int stop;            /* set by begin: a label of the body; ends the loop */
};

/*
 * Starts the loop and its body, which has that name. `first` is a register with the first pointer's
 * address. In the body r3 is the pointer.
 */
void kt_emit_pointer_loop_begin(struct kt_emit_pointer_loop *p, int first, const char *name);

/* Ends the body and runs the loop. Clobbers r0 to r5. */
void kt_emit_pointer_loop_end(struct kt_emit_pointer_loop *p);

#endif
