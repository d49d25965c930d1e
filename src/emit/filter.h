/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instructions that find out whether a hit is one of those that a filter (catalog/filter.h)
 * means.
 *
 *	kt_emit_begin(a, &r);
 *	kt_emit_curated_globals(a, event);	// if it is curated
 *	kt_emit_filter(a, event, r.other);	// event->filter says which
 *	kt_emit_enter(a, &r);
 *
 * Each test costs the load of a field, as recording it does, and a jump or two; what '&&' and '||'
 * need not know is not looked at, as in C.
 */
#ifndef KT_EMIT_FILTER_H
#define KT_EMIT_FILTER_H

struct kt_asm;
struct kt_event;

/* Goes to the label unless it is. All registers are lost. */
void kt_emit_filter(struct kt_asm *a, const struct kt_event *event, int other);

#endif
