/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A gate: one word that all programs of a session look at before anything else, so that they begin
 * and end at one moment, however long it takes to attach them, and that tells them which bank they
 * write to (doc/ring.md), so that they all go over to the other one at one moment too. A map begins
 * with it, a u64: below 0 where the gate is shut; else the row of CPU 0 in its lower half.
 *
 * At KT_ENABLE_SWITCHES in it is a switch for each event of the session, a u32: it has two numbers,
 * and the word says which one holds, so that any of them are switched at one moment. That is the
 * number of the event's program that is to record; 0 where none is.
 *
 * At KT_ENABLE_HIT stands for each bank, a u64, when a trigger was hit first while it was written;
 * 0: none was. From some time after that on it is frozen: no program writes to it any more. At
 * KT_ENABLE_BY stands by which event, plus 1.
 *
 * A program that comes in the place of one that may still run *succeeds* it. Where it has its
 * number from the store on by which the other one loses it, both would record a hit that was under
 * way just then. So until those are done, the word says that events are handed over, and who
 * succeeds records nothing before the time that stands at KT_ENABLE_HANDED, a u64 of
 * CLOCK_MONOTONIC.
 *
 * At KT_ENABLE_MARK stands what calls are marked with that a filter chooses
 * (generate/syscall_filter_marks.h), a u64, 1 to KT_MARK_MAX: another one from each time on before
 * which programs may not have seen some.
 *
 *	kt_emit_enable_check(a, map, (struct kt_switch){.event = 5, .number = 1}, shut);
 *	...
 *	kt_asm_move_map(a, BPF_REG_1, rings);
 *	kt_emit_map_lookup(a, KT_STACK_ROW, no_ring);
 */
#ifndef KT_GENERATE_ENABLE_CHECK_H
#define KT_GENERATE_ENABLE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/ring_layout.h"

struct kt_asm;

/* What a program looks for in the map: that the switch of its event has its own number. */
struct kt_switch {
	size_t event;
	unsigned int number; /* 1 to KT_NUMBER_MAX; 0: it records whatever the switch says */
	bool succeeds;       /* it has it from another one, and waits */
};

/* Whether a bank in which a trigger is hit is frozen, and how many ns after that. */
struct kt_freezing {
	bool can;
	uint64_t after;
};

/*
 * Goes to the label shut where it is, or the switch, or where the bank is frozen; else this CPU's
 * row of the session's maps stands on the stack, a u32 at r10 + KT_STACK_ROW. Without a map, -1,
 * the gate is open, its rows are the first, it has no switches and freezes nothing. r0 to r5 and r7
 * are lost. Costs a load and a branch, and for the switch as much again, and for the bank, from
 * cache lines that every CPU keeps, as nobody writes to them; from a hit on a reading of the clock,
 * if the bank is not frozen by it at once; and who succeeds a branch, and the clock while he waits.
 * r6 is the gate's word then, where there is one.
 */
void kt_emit_enable_check(struct kt_asm *a, int map, struct kt_switch s, struct kt_freezing f,
			  int shut);

/*
 * Behind that, where f.can: goes to the label hit where a trigger of the bank has been hit already;
 * and says that it is hit now, by this event, and goes on, or to that label if another has been
 * faster. r0 to r6 are lost; on the stack a u64 at r10 + KT_STACK_ENABLE must have been left alone.
 */
void kt_emit_armed(struct kt_asm *a, int map, int hit);
void kt_emit_freeze(struct kt_asm *a, int map, size_t event, int hit);

enum { KT_STACK_ROW = -4, KT_STACK_ENABLE = -24 };

#endif
