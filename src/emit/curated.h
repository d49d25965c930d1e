/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of a record, from what the tracepoint is called with.
 *
 *	kt_emit_reserve(a, &r);
 *	kt_emit_curated(a, event);		// event->curated says where each one is
 *	kt_emit_commit(a, &r);
 *
 * The program is one of BPF_TRACE_RAW_TP for event->curated->btf_id, in which the kernel lets it
 * load through pointers. Such a load costs what it costs the kernel; where a pointer leads nowhere
 * it gives 0.
 */
#ifndef KT_EMIT_CURATED_H
#define KT_EMIT_CURATED_H

struct kt_asm;
struct kt_event;

/* r6 is the context, r8 the record (emit/reserve.h). r1 and r7 are lost. */
void kt_emit_curated(struct kt_asm *a, const struct kt_event *event);

#endif
