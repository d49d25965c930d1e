/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits what measures a call of a function of the kernel (events/point.h), from its entry to its
 * return: KT_BTF_DURATION, in ns.
 *
 *	kt_emit_record(a, r, event);		// at the return: calls kt_emit_call_duration()
 *	kt_emit_call_start(b, r, event);	// at the entry
 *	kt_emit_call_session(b, r, event);	// or at both, before the first
 *
 * A call is known by its frame, an address on its thread's stack: that is another one for each call
 * under way, also in a recursion, and stays the same wherever the thread runs. A table (r.calls,
 * one element of KT_CALLS_SIZE bytes) has the frames and times of entry. A frame has KT_CALL_SLOTS
 * places in it, by a hash; a call that finds them all taken takes one from another call, and
 * that one's duration is unknown: -1. So is that of calls that began before the entry was probed.
 *
 * If the kernel misses a return, a frame stays in the table. The next call with that frame takes
 * its place, unless the kernel misses that entry, too: then its return would find the old time. So
 * where the kernel can (fsession), one program runs at both ends of a call, and keeps the time
 * itself. At the end it hands the time on by the table, with the thread's turn on a CPU. If the
 * other program finds the same turn there, it runs in the same call: for it to miss a return and
 * not the next one, another thread must have run between.
 */
#ifndef KT_HANDLERS_CALL_DURATION_H
#define KT_HANDLERS_CALL_DURATION_H

#include "generate/reserve.h"

struct kt_asm;
struct kt_event;

/* A call under way; in a table of sets, of KT_CALL_SLOTS each. */
struct kt_call {
	uint64_t frame; /* KT_CALL_FREE, KT_CALL_CLAIMED, or an address */
	uint64_t start;
	uint64_t turn; /* of the thread when the call returned; or KT_CALL_AT_ENTRY */
	uint64_t unused;
};

#define KT_CALL_AT_ENTRY UINT64_MAX

enum { KT_CALL_FREE, KT_CALL_CLAIMED };

enum {
	KT_CALL_SETS_SHIFT = 10,
	KT_CALL_SLOTS = 4,
	KT_CALLS_SIZE = (KT_CALL_SLOTS * sizeof(struct kt_call)) << KT_CALL_SETS_SHIFT,
};

/*
 * Emits the program at the entry, which runs whether recording is on or not, and of all processes
 * that may be followed, so that what it leaves is never older than the last call. r is that of the
 * program at the return. Costs a reading of the
 * clock, two atomic operations, and a cache line.
 */
void kt_emit_call_start(struct kt_asm *a, struct kt_reserve r, const struct kt_event *event);

/*
 * Emits the program at both ends. event->curated->timing must have its functions. Costs two calls
 * of kernel functions, and at the return the same as the other.
 */
void kt_emit_call_session(struct kt_asm *a, struct kt_reserve r, const struct kt_event *event);

/*
 * Emits the beginning of a kprobe.session program (hook/kprobe_multi.h): at the entry it keeps the
 * time, if the event uses the duration, and ends; at the return it goes on, and r1 is the context.
 * The kernel keeps the time with the call, and runs the program at the return only of calls whose
 * entry it ran for. So there is no table, and a call that it misses is missed once. Costs three
 * calls of kernel functions.
 */
void kt_emit_call_entry(struct kt_asm *a, const struct kt_event *event);

/*
 * Stores the duration where expressions find that global (KT_STACK_EXPR), if the event uses it.
 * Clobbers r0 to r2 and r7 to r9. Costs a reading of the clock and an atomic operation.
 */
void kt_emit_call_duration(struct kt_asm *a, const struct kt_reserve *r,
			   const struct kt_event *event);

#endif
