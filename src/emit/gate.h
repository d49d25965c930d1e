/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A gate: one word that all programs of a session look at before anything else, so that they begin
 * and end at one moment, however long it takes to attach them, and that tells them which bank they
 * write to (doc/ring.md), so that they all go over to the other one at one moment too. A map has
 * it, of one u64: below 0 where the gate is shut; else the row of CPU 0.
 *
 *	kt_emit_gate(a, map, shut);
 *	...
 *	kt_asm_move_map(a, BPF_REG_1, rings);
 *	kt_emit_lookup(a, KT_STACK_ROW, no_ring);
 */
#ifndef KT_EMIT_GATE_H
#define KT_EMIT_GATE_H

struct kt_asm;

/*
 * Goes to the label shut where it is; else this CPU's row of the session's maps stands on the
 * stack, a u32 at r10 + KT_STACK_ROW. Without a map, -1, the gate is open and its rows are the
 * first. r0 to r6 are lost. Costs a load from a cache line that every CPU keeps, as nobody writes
 * to it, and a branch.
 */
void kt_emit_gate(struct kt_asm *a, int map, int shut);

enum { KT_STACK_ROW = -4 };

#endif
