/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits process tracking: a map has a bit for each process and thread that is followed. The program
 * at sched_process_fork passes a process's bit on to its children and threads, before they run.
 *
 *	int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "kt_followed", sizeof(uint32_t),
 *				 sizeof(uint64_t), KT_FOLLOW_WORDS, NULL);
 *
 *	kt_emit_process(a);			// in a program
 *	kt_asm_move(a, BPF_REG_6, BPF_REG_0);
 *	kt_asm_move_map(a, BPF_REG_1, map);
 *	kt_emit_followed(a, BPF_REG_6, other);	// the rest runs only for followed processes
 *	...
 *	kt_asm_place(a, other);
 *
 * The bit of p is bit p % 64 of element p / 64. Numbers are those of the initial PID namespace
 * (doc/probe.md); a process has its first thread's number, the tgid.
 */
#ifndef KT_GENERATE_FORK_TRACKING_H
#define KT_GENERATE_FORK_TRACKING_H

#include "base/pids.h"

struct kt_asm;
struct kt_event;

enum { KT_FOLLOW_WORDS = KT_PIDS_MAX / 64 };

/*
 * Jumps to `other` unless the process or thread whose number is in register `task` (r6 to r9) is
 * followed; the map is in r1. Clobbers r0 to r5 and the u32 at r10 - 8. Costs an inlined lookup.
 */
void kt_emit_followed(struct kt_asm *a, int task, int other);

/*
 * The same for the thread that the event is about (events/event_target.h); the map is in r8 or r9.
 * r6 is the context. Clobbers r6 and r7, and the u32 at r10 - 4, too.
 */
void kt_emit_target(struct kt_asm *a, int map, const struct kt_event *event, int other);

/*
 * Emits the program at fork: a new task is followed if its parent is. The event is
 * sched:sched_process_fork, curated or not, with the field child_pid.
 */
void kt_emit_fork(struct kt_asm *a, int map, const struct kt_event *fork);

/* Emit r0 = number of the current process; and of the current thread. */
void kt_emit_process(struct kt_asm *a);
void kt_emit_thread(struct kt_asm *a);

#endif
