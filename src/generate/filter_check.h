/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the check of a filter (events/filter.h).
 *
 *	kt_emit_begin(a, &r);				// r.filters is set
 *	kt_emit_curated_globals(a, event);		// if it is curated
 *	kt_emit_filter_check(a, &r, event);		// checks event->filter
 *	kt_emit_enter(a, &r);
 *
 * A test costs the load of a field, as recording it does, and one or two jumps; a text one per 8
 * bytes, a glob one step per byte. '&&' and '||' short-circuit as in C.
 */
#ifndef KT_GENERATE_FILTER_CHECK_H
#define KT_GENERATE_FILTER_CHECK_H

struct kt_asm;
struct kt_event;
struct kt_reserve;

/*
 * Jumps to r->other unless the filter matches. If it has globs (kt_filter_globs), the first element
 * of the map r->globs holds all of them in order. Clobbers r0 to r5, r7 and the stack below
 * KT_STACK_EXPR.
 */
void kt_emit_filter_check(struct kt_asm *a, const struct kt_reserve *r,
			  const struct kt_event *event);

/*
 * Emitted before it, for an event with a trigger: if the hit matches event->trigger (NULL: always)
 * and is the first, notes that in the enable word's map (generate/enable_check.h); otherwise jumps
 * to the label. The trigger's globs follow those of the filter.
 */
void kt_emit_trigger(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *event,
		     int no_trigger);

#endif
