/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the program that records an event: all its fields, from the tracepoint's record by the
 * format file, or for a curated event from the tracepoint's arguments (generate/curated_fields.h).
 * A hit counts as filtered, before anything is written, if event->filter rejects it, or neither the
 * current task nor the one that the event is about is followed, or passes the PID filter.
 *
 *	struct kt_reserve r = {
 *		.counters = kt_counter_map_fd(counters), .rings = kt_rings_fd(rings, KT_MAIN),
 *		.enable = -1, .followed = -1, .pid_filter = -1, .geometry = geometry, .event = 0,
 *	};
 *
 *	kt_emit_record(a, r, event);
 *	program = kt_program_load(BPF_PROG_TYPE_TRACEPOINT, "sched:sched_switch", a, &err);
 *
 * In addition to generate/reserve.h a hit costs a load and a store per 8 bytes of fields, more if
 * they are not aligned; varying data cost one helper call for all, two in a curated event.
 */
#ifndef KT_HANDLERS_RECORD_PROG_H
#define KT_HANDLERS_RECORD_PROG_H

#include "generate/reserve.h"

struct kt_asm;
struct kt_event;

/*
 * A record has kt_event_record_size(event) bytes plus varying data. A hit is unfit if the data
 * exceed kt_record_data_max(), or do not follow each other in the order of the fields, as the
 * kernel's macros guarantee; for a curated event, if its text exceeds text_max.
 * kt_event_record_max() must fit the geometry. r.size, r.varies and r.filters are ignored.
 */
void kt_emit_record(struct kt_asm *a, struct kt_reserve r, const struct kt_event *event);

#endif
