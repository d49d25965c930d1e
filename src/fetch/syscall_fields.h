/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of the two events that the kernel describes for each system call (doc/syscalls.md):
 * what they are, and the expressions that fetch them.
 *
 *	kt_syscall_fit(event, btf);
 *	fields = kt_syscall_fields(event, btf);	// "__syscall_nr=id;dfd=regs->di;filename=regs->si"
 *
 * The registers that have the arguments still do when the call returns.
 */
#ifndef KT_FETCH_SYSCALL_FIELDS_H
#define KT_FETCH_SYSCALL_FIELDS_H

#include "events/syscall_names.h"

struct kt_btf;
struct kt_event;

/* How the number of a call comes from what that is called with, as ctypes/recipe_expr.h has it. */
const char *kt_syscall_number(enum kt_side side);

/*
 * Of an event of one, and of no other: makes its fields as large as their types are, where these
 * are known, gives them labels (fetch/argument_labels.h), and leaves out what the kernel puts
 * behind them for its own record alone.
 */
void kt_syscall_fit(struct kt_event *event, struct kt_btf *btf);

/*
 * Where such an event's fields come from, the copies of what its arguments point to among them, for
 * kt_curate_as (events/curated.h). The caller frees it. On lack of memory NULL.
 */
char *kt_syscall_fields(const struct kt_event *event, struct kt_btf *btf);

/*
 * An expression of the same kind, which is not 0 where what is called is none of these calls,
 * though it has the number of one: a 32-bit call on a 64-bit kernel.
 */
extern const char kt_syscall_foreign[];

#endif
