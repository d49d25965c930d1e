/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the dispatcher: a program at a tracepoint of all system calls that passes each hit on to
 * another program, by the call's number.
 *
 *	struct kt_dispatch d = {
 *		.number = number, .foreign = foreign, .side = KT_EXIT, .table = fd, .states = map,
 *	};
 *
 *	kt_emit_syscall_dispatch(a, &d);
 *
 * is a whole program; with counts.map it also counts calls without an event. A call that is not
 * recorded costs one lookup in the table. The return of an exec is passed on by the call that was
 * entered, whatever its number is then (generate/task_state.h); if the entry was not seen, it is
 * ignored.
 */
#ifndef KT_HANDLERS_SYSCALL_DISPATCH_PROG_H
#define KT_HANDLERS_SYSCALL_DISPATCH_PROG_H

#include <stdbool.h>
#include <stdint.h>

#include "ctypes/btf.h"
#include "events/syscall_names.h"

struct kt_asm;
struct kt_expr;

/* Counters of calls without an event: the value of a map with one element. */
struct kt_untraced {
	uint64_t compat;  /* 32-bit calls, which have numbers and arguments of their own */
	uint64_t unnamed; /* calls whose number has no program in the table */
};

/* How calls without an event are counted. */
struct kt_untraced_counts {
	int map;      /* -1: not counted */
	int followed; /* map (generate/fork_tracking.h) of the processes whose calls count; -1: all
		       */
	bool unnamed; /* count unnamed calls, too: every call with a name has a program */
};

struct kt_dispatch {
	/* The call's number, which may use the registers, and kt_syscall_foreign. */
	const struct kt_expr *number, *foreign;
	struct kt_btf_cast regs; /* .to = 0: the argument can be followed */
	enum kt_side side;
	int table;                        /* a BPF_MAP_TYPE_PROG_ARRAY */
	unsigned int index;               /* index of the table among those of its side */
	int states;                       /* map of task states */
	struct kt_untraced_counts counts; /* for entries */
	uint32_t excluded;                /* process whose calls are ignored; 0: none */
};

void kt_emit_syscall_dispatch(struct kt_asm *a, const struct kt_dispatch *d);

#endif
