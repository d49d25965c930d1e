/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the counting of hits: a whole program, and a part of every larger one.
 *
 *	struct kt_asm *a = kt_asm_new();
 *
 *	kt_emit_count(a, counters_fd, 0);
 *	program = kt_program_load(BPF_PROG_TYPE_TRACEPOINT, "sched:sched_switch", a, &err);
 *
 * A hit costs the kernel's call, two inlined lookups, and one atomic addition to a cache line that
 * only this CPU writes to.
 */
#ifndef KT_GENERATE_COUNT_HITS_H
#define KT_GENERATE_COUNT_HITS_H

#include <stddef.h>

#include "generate/event_index.h"

struct kt_asm;

/* Emits a program that adds 1 to the event's `hits` on the current CPU. */
void kt_emit_count(struct kt_asm *a, int counters_fd, size_t event);

/*
 * Emits the same as a part of a program, after the enable check (generate/enable_check.h). r0
 * becomes the address of the counters; jumps to `done` if there are none.
 */
void kt_emit_hit(struct kt_asm *a, int counters_fd, struct kt_event_index event, int done);

/* Emits the same for a hit that was filtered: adds 1 to `filtered`. */
void kt_emit_filtered(struct kt_asm *a, int counters_fd, struct kt_event_index event, int done);

#endif
