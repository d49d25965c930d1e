/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of a record, from what the tracepoint is called with.
 *
 *	kt_emit_begin(a, &r);
 *	kt_emit_curated_own(a, &r, event);
 *	kt_emit_curated_globals(a, event);	// event->curated says how to get each one
 *	kt_emit_enter(a, &r);
 *	kt_emit_curated_text(a, &r, event);	// if it has one, and no pointees
 * (generate/pointed_data_copy.h)
 *	...
 *	kt_emit_reserve(a, &r);
 *	kt_emit_curated(a, event);
 *	kt_emit_commit(a, &r);
 *
 * The program is one of BPF_TRACE_RAW_TP for event->curated->btf_id (generate/expr_value.h).
 */
#ifndef KT_GENERATE_CURATED_FIELDS_H
#define KT_GENERATE_CURATED_FIELDS_H

#include "events/curated.h"
#include "generate/expr_value.h"
#include "generate/reserve.h"

/* What its expressions need of the stack. */
enum { KT_STACK_EXPR = KT_STACK_RESERVE - KT_EMIT_EXPR_STACK };

/*
 * Goes to r->done where the hit is none of the event's (event->curated->foreign). r0 to r5 and r7
 * are lost.
 */
void kt_emit_curated_own(struct kt_asm *a, const struct kt_reserve *r,
			 const struct kt_event *event);

/* Keeps at KT_STACK_EXPR what its fields need of them. r0 to r5 are lost. */
void kt_emit_curated_globals(struct kt_asm *a, const struct kt_event *event);

/*
 * The field that varies: it stands at KT_STACK_TEXT (generate/text_copy.h) then, and r2 is its
 * length with the 0 at its end, at most event->curated->text_max; what is longer or cannot be read
 * goes to r->unfit. r7 is left alone.
 */
void kt_emit_curated_text(struct kt_asm *a, const struct kt_reserve *r,
			  const struct kt_event *event);

/*
 * All fields, up to the text itself, whose length is at KT_STACK_DATA, or the pointees. r6 is the
 * context, r8 the record (generate/reserve.h). r0 to r5 and r7 are lost.
 */
void kt_emit_curated(struct kt_asm *a, const struct kt_event *event);

#endif
