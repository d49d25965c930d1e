/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits a loop by the helper bpf_loop(), whose body is a function.
 *
 *	struct kt_asm *body = kt_asm_function(a, "buffers");
 *	int stop = kt_asm_label(body, "stop");
 *
 *	...	// r1 = number of the iteration, from 0; r2 = the program's r10
 *	kt_emit_loop_body_end(body, stop);
 *	kt_emit_loop(a, body, 32);
 *
 * The verifier follows the body once or twice, not once per iteration. Kernels before 6.7 follow it
 * only once: what they know about a number after the first iteration, they take for true after each
 * one. So the body must keep its numbers where the verifier knows nothing about them: in the memory
 * of a map, or as a sum of unknown numbers.
 */
#ifndef KT_BPF_LOOP_H
#define KT_BPF_LOOP_H

#include <stdint.h>

struct kt_asm;

/* Ends the body: another iteration follows; but none after a jump to `stop`, which is placed. */
void kt_emit_loop_body_end(struct kt_asm *body, int stop);

/* Runs the loop, `most` times unless it is stopped. Clobbers r0 to r5. */
void kt_emit_loop(struct kt_asm *a, const struct kt_asm *body, int32_t most);

#endif
