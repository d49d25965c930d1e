/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the program that counts the calls of a function whose return the kernel will not pass on:
 * it runs at the function's entry (events/point.h).
 *
 *	kt_emit_record(a, r, event);		// at the return
 *	kt_emit_missed_return(b, r, event);	// at the entry
 *
 * A thread awaits at most KT_RETURNS_MAX probed returns, of all functions and tracers together. A
 * call beyond that is not probed for its return, and the kernel counts it nowhere.
 */
#ifndef KT_HANDLERS_MISSED_RETURN_PROG_H
#define KT_HANDLERS_MISSED_RETURN_PROG_H

#include "generate/reserve.h"

struct kt_asm;
struct kt_event;

/* The kernel's MAX_URETPROBE_DEPTH, since uprobes have returns. */
enum { KT_RETURNS_MAX = 64 };

/*
 * The event must be a return with event->curated->awaited. Its filter may test what the function
 * would return, so it is not applied: a call counts as missed if it may have been recorded. Costs
 * two reads of kernel memory per call.
 */
void kt_emit_missed_return(struct kt_asm *a, struct kt_reserve r, const struct kt_event *event);

#endif
