/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processes a session looks at: a bit for each that there can be, in a map, and for each of
 * their threads. The program at sched_process_fork hands a process's bit down to its children and
 * threads, before these run.
 *
 *	int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "kt_followed", sizeof(uint32_t),
 *				 sizeof(uint64_t), KT_FOLLOW_WORDS, NULL);
 *
 *	kt_emit_process(a);			// in a program
 *	kt_asm_move(a, BPF_REG_6, BPF_REG_0);
 *	kt_asm_move_map(a, BPF_REG_1, map);
 *	kt_emit_followed(a, BPF_REG_6, other);	// the rest is for followed ones alone
 *	...
 *	kt_asm_place(a, other);
 *
 * The bit of p is bit p % 64 of element p / 64. Numbers are the kernel's own, those of the first
 * pid namespace (doc/probe.md); a process has that of its first thread, the tgid.
 */
#ifndef KT_GENERATE_FORK_TRACKING_H
#define KT_GENERATE_FORK_TRACKING_H

#include "base/pids.h"

struct kt_asm;
struct kt_event;

enum { KT_FOLLOW_WORDS = KT_PIDS_MAX / 64 };

/*
 * Goes to the label other where the process or thread that has the number in a register, one of r6
 * to r9, is not followed, by the map in r1. r0 to r5 and a u32 at r10 - 8 are lost. Costs an
 * inlined lookup.
 */
void kt_emit_followed(struct kt_asm *a, int task, int other);

/*
 * The same of the thread that is the event's target (events/event_target.h), by the map in r8 or
 * r9. r6 is the context, and lost, too, as r7 and a u32 at r10 - 4 are.
 */
void kt_emit_target(struct kt_asm *a, int map, const struct kt_event *event, int other);

/*
 * The program at fork: what is new is followed as its parent is. The event is
 * sched:sched_process_fork, curated or not; of its fields child_pid must be there.
 */
void kt_emit_fork(struct kt_asm *a, int map, const struct kt_event *fork);

/* r0 = the number of the process that runs, and that of its thread. */
void kt_emit_process(struct kt_asm *a);
void kt_emit_thread(struct kt_asm *a);

#endif
