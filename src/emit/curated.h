/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of a record, from what the tracepoint is called with.
 *
 *	kt_emit_reserve(a, &r);
 *	kt_emit_curated(a, event);		// event->curated says how to get each one
 *	kt_emit_commit(a, &r);
 *
 * The program is one of BPF_TRACE_RAW_TP for event->curated->btf_id (emit/expr.h).
 */
#ifndef KT_EMIT_CURATED_H
#define KT_EMIT_CURATED_H

struct kt_asm;
struct kt_event;

/*
 * r6 is the context, r8 the record (emit/reserve.h). r0 to r5 and r7 are lost, and 8 bytes of the
 * stack below KT_STACK_RESERVE.
 */
void kt_emit_curated(struct kt_asm *a, const struct kt_event *event);

#endif
