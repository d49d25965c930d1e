/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The enable word: every program of a session checks it first. All events start, stop and go to the
 * other buffer set (doc/ring.md) at one moment, however long attaching takes. It is a u64 at the
 * start of a map: negative while recording is off; otherwise its lower half is the row of CPU 0.
 * After it:
 *
 * - KT_ENABLE_SWITCHES: a u32 for each event, with two enable numbers. The word says which of the
 *   two is valid, so that any set of events changes at one moment. The program with the event's
 *   valid number records; 0 means no program does.
 * - KT_ENABLE_HIT: for each buffer set, a u64: when a trigger was first hit while it was written, 0
 *   if none was. After a given time the set is frozen: no program writes to it. KT_ENABLE_BY: by
 *   which event, plus 1.
 * - KT_ENABLE_HANDED, a u64. A program that succeeds another one would record a hit that the other
 *   is still recording, if it started at the store that takes the number away. Until such hits are
 *   done, the word says that a handover is in progress, and the successor records nothing before
 *   this time.
 * - KT_ENABLE_MARK: the mark of calls that filters chose (generate/syscall_filter_marks.h), a u64
 *   from 1 to KT_MARK_MAX. It changes whenever programs may have missed calls.
 *
 *	kt_emit_enable_check(a, map, (struct kt_enable_number){.event = 5, .number = 1}, shut);
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
#include "generate/event_index.h"

struct kt_asm;

/* What a program checks: that its event's valid enable number is its own. */
struct kt_enable_number {
	size_t event;
	unsigned int number; /* 1 to KT_NUMBER_MAX; 0: it records whatever the number */
	bool succeeds;       /* the program succeeds another one, and waits for the handover */
	const struct kt_event_indices *shared; /* instead of `event`; or NULL */
};

/* Whether a hit of a trigger freezes the buffer set, and after how many ns. */
struct kt_freezing {
	bool can;
	uint64_t after;
};

/*
 * Jumps to `shut` unless recording is on, the event is enabled, and the buffer set is not frozen.
 * Then this CPU's row of the session's maps is a u32 at r10 + KT_STACK_ROW, and r6 is the enable
 * word. Without a map (-1) recording is always on, rows are those of the first set, and nothing
 * freezes. Clobbers r0 to r5 and r7.
 *
 * Costs a load and a branch; another pair each for the enable number and the freezing, all from
 * cache lines that are never written while recording. After a trigger's hit it reads the clock,
 * unless the set is frozen at once; a successor reads it during a handover.
 */
void kt_emit_enable_check(struct kt_asm *a, int map, struct kt_enable_number s,
			  struct kt_freezing f, int shut);

/*
 * Emit after the check, if f.can: jumps to `hit` if a trigger of the set was already hit; and
 * records that it is hit now, by this event, or jumps to `hit` if another was faster. Clobber r0 to
 * r6. The u64 at r10 + KT_STACK_ENABLE must be unchanged since the check.
 */
void kt_emit_armed(struct kt_asm *a, int map, int hit);
void kt_emit_freeze(struct kt_asm *a, int map, struct kt_event_index event, int hit);

enum { KT_STACK_ROW = -4, KT_STACK_ENABLE = -24 };

#endif
