/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the fields of a record, from the tracepoint's arguments.
 *
 *	kt_emit_begin(a, &r);
 *	kt_emit_curated_own(a, &r, event);
 *	kt_emit_curated_globals(a, event);	// event->curated says how to get each field
 *	kt_emit_enter(a, &r);
 *	kt_emit_curated_text(a, &r, event);	// or kt_emit_pointed_data()
 *	...
 *	kt_emit_reserve(a, &r);
 *	kt_emit_curated(a, event);
 *	kt_emit_commit(a, &r);
 *
 * The program is a BPF_TRACE_RAW_TP for event->curated->btf_id (generate/expr_value.h).
 */
#ifndef KT_GENERATE_CURATED_FIELDS_H
#define KT_GENERATE_CURATED_FIELDS_H

#include "events/curated.h"
#include "generate/expr_value.h"
#include "generate/reserve.h"

/* Stack offset below the room that expressions need. */
enum { KT_STACK_EXPR = KT_STACK_RESERVE - KT_EMIT_EXPR_STACK };

/*
 * Jumps to r->done if the hit belongs to a call of another kind (event->curated->foreign). Clobbers
 * r0 to r5 and r7.
 */
void kt_emit_curated_own(struct kt_asm *a, const struct kt_reserve *r,
			 const struct kt_event *event);

/*
 * Stores the globals that the fields need at KT_STACK_EXPR, except the registers
 * (generate/event_index.h) and the duration (handlers/call_duration.h). Clobbers r0 to r5.
 */
void kt_emit_curated_globals(struct kt_asm *a, const struct kt_event *event);

/*
 * Copies the field of varying length to KT_STACK_TEXT (generate/text_copy.h). r2 becomes its length
 * with the NUL, at most event->curated->text_max; jumps to r->unfit if the text is longer or
 * unreadable. Preserves r7.
 */
void kt_emit_curated_text(struct kt_asm *a, const struct kt_reserve *r,
			  const struct kt_event *event);

/*
 * Stores all fields, except the text itself, whose length is at KT_STACK_DATA, and pointed-to data.
 * r6 is the context, r8 the record (generate/reserve.h). Clobbers r0 to r5 and r7.
 */
void kt_emit_curated(struct kt_asm *a, const struct kt_event *event);

#endif
