/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program that records an event: every field, as its format file says that it lies; or, for a
 * curated one, from where the kernel itself takes it (generate/curated_fields.h). Where
 * event->filter says so, or neither what runs is followed, or in the focus, nor the task that the
 * event is about, a hit is counted as filtered instead, before anything is written.
 *
 *	struct kt_reserve r = {
 *		.ledger = kt_counter_map_fd(ledger), .rings = kt_rings_fd(rings, KT_MAIN), .gate =
 *-1, .followed = -1, .focus = -1, .geometry = geometry, .event = 0,
 *	};
 *
 *	kt_emit_record(a, r, event);
 *	program = kt_program_load(BPF_PROG_TYPE_TRACEPOINT, "sched:sched_switch", a, &err);
 *
 * Beyond generate/reserve.h a hit costs a load and a store for every 8 bytes of fields, or less
 * where they do not lie at a multiple of it; and where fields vary in length, one call of the
 * kernel for all their data, in a curated one two.
 */
#ifndef KT_HANDLERS_RECORD_PROG_H
#define KT_HANDLERS_RECORD_PROG_H

#include "generate/reserve.h"

struct kt_asm;
struct kt_event;

/*
 * The record is kt_event_record_size(event) long, and as much longer as fields that vary need. A
 * hit is unfit where that is more than kt_record_data_max, or where their data do not follow each
 * other in the order of the fields, as they do in every event that the kernel's macros make; that
 * of a curated one where its text is longer than text_max. kt_event_record_max fits the geometry.
 * r.size, r.varies and r.filters are not looked at.
 */
void kt_emit_record(struct kt_asm *a, struct kt_reserve r, const struct kt_event *event);

#endif
