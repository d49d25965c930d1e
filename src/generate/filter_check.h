/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instructions that find out whether a hit is one of those that a filter (events/filter.h)
 * means.
 *
 *	kt_emit_begin(a, &r);			// r.filters
 *	kt_emit_curated_globals(a, event);	// if it is curated
 *	kt_emit_filter_check(a, &r, event);		// event->filter says which
 *	kt_emit_enter(a, &r);
 *
 * Each test costs the load of a field, as recording it does, and a jump or two, a text one for each
 * 8 bytes, or a pattern's step for each byte; what '&&' and '||' need not know is not looked at, as
 * in C.
 */
#ifndef KT_GENERATE_FILTER_CHECK_H
#define KT_GENERATE_FILTER_CHECK_H

struct kt_asm;
struct kt_event;
struct kt_reserve;

/*
 * Goes to r->other unless it is. Where it has patterns (kt_filter_globs), r->globs is a map whose
 * first element has them all, in their order. r0 to r5, r7 and the stack below KT_STACK_EXPR are
 * lost.
 */
void kt_emit_filter_check(struct kt_asm *a, const struct kt_reserve *r,
			  const struct kt_event *event);

/*
 * Before that, of an event that freezes: where it is the first hit of the trigger, event->trigger
 * or any, says so in the gate (generate/enable_check.h), and goes on; else to the label. Its
 * patterns stand behind those of the filter.
 */
void kt_emit_trigger(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *event,
		     int no_trigger);

#endif
