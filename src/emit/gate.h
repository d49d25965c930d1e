/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A gate: one word that all programs of a session look at before anything else, so that they begin
 * and end at one moment, however long it takes to attach them. A map has it, of one u64; where that
 * is 0 the gate is shut.
 */
#ifndef KT_EMIT_GATE_H
#define KT_EMIT_GATE_H

struct kt_asm;

/*
 * Goes to the label shut where it is. r2 is lost. Costs a load from a cache line that every CPU
 * keeps, as nobody writes to it, and a branch.
 */
void kt_emit_gate(struct kt_asm *a, int map, int shut);

#endif
