/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program that hands each hit of a tracepoint of all system calls over to another one, by the
 * call's number.
 *
 *	struct kt_dispatch d = {
 *		.number = number, .foreign = foreign, .side = KT_EXIT, .table = fd, .states = map,
 *	};
 *
 *	kt_emit_dispatch(a, &d);
 *
 * is a whole program. Where nothing stands in the table it has cost a look there. A return of an
 * exec goes to the call that was entered, whatever its number is by then (emit/task_state.h), and
 *one whose entry was not seen goes nowhere.
 */
#ifndef KT_EMIT_DISPATCH_H
#define KT_EMIT_DISPATCH_H

#include "catalog/syscall.h"

struct kt_asm;
struct kt_expr;

struct kt_dispatch {
	/* Over what the tracepoint is called with: the call's number, without globals, and
	 * kt_syscall_foreign. */
	const struct kt_expr *number, *foreign;
	enum kt_side side;
	int table;          /* a BPF_MAP_TYPE_PROG_ARRAY */
	unsigned int index; /* of it, among those of its side */
	int states;         /* map */
};

void kt_emit_dispatch(struct kt_asm *a, const struct kt_dispatch *d);

#endif
