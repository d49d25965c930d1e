/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program that hands each hit of a tracepoint of all system calls over to another one, by the
 * call's number.
 *
 *	struct kt_dispatch d = {
 *		.number = number, .foreign = foreign, .side = KT_EXIT, .table = fd, .states = map,
 *	};
 *
 *	kt_emit_syscall_dispatch(a, &d);
 *
 * is a whole program; with counts.map it also counts the calls that no event is of. Where nothing
 * stands in the table it has cost a look there. A return of an exec goes to the call that was
 * entered, whatever its number is by then (generate/task_state.h), and one whose entry was not seen
 * goes nowhere.
 */
#ifndef KT_HANDLERS_SYSCALL_DISPATCH_PROG_H
#define KT_HANDLERS_SYSCALL_DISPATCH_PROG_H

#include <stdbool.h>
#include <stdint.h>

#include "events/syscall_names.h"

struct kt_asm;
struct kt_expr;

/* Entries of calls that no event is of: the value of a map with one element. */
struct kt_untraced {
	uint64_t compat;  /* made in 32-bit mode: these have numbers and arguments of their own */
	uint64_t unnamed; /* of a number that the table has no program for */
};

/* How they are counted. */
struct kt_untraced_counts {
	int map;      /* or -1: they are not */
	int followed; /* map (generate/fork_tracking.h) of the processes whose calls count, or -1:
			 all do */
	bool unnamed; /* count these too: all calls that have a name have a program */
};

struct kt_dispatch {
	/* Over what the tracepoint is called with: the call's number, without globals, and
	 * kt_syscall_foreign. */
	const struct kt_expr *number, *foreign;
	enum kt_side side;
	int table;                        /* a BPF_MAP_TYPE_PROG_ARRAY */
	unsigned int index;               /* of it, among those of its side */
	int states;                       /* map */
	struct kt_untraced_counts counts; /* where entries are handed over */
};

void kt_emit_syscall_dispatch(struct kt_asm *a, const struct kt_dispatch *d);

#endif
