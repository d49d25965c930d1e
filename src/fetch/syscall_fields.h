/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of a system call's two events (doc/syscalls.md): their types, and the expressions that
 * fetch them.
 *
 *	kt_syscall_fit(event, btf);
 *	fields = kt_syscall_fields(event, btf);	// "__syscall_nr=id;dfd=regs->di;filename=regs->si"
 *
 * The registers still hold the arguments when the call returns.
 */
#ifndef KT_FETCH_SYSCALL_FIELDS_H
#define KT_FETCH_SYSCALL_FIELDS_H

#include "events/syscall_names.h"

struct kt_btf;
struct kt_event;

/* Returns the expression (ctypes/recipe_expr.h) for a call's number. */
const char *kt_syscall_number(enum kt_side side);

/*
 * Gives the fields of a system call's event the sizes of their types, if known, and labels
 * (fetch/argument_labels.h); removes those that only the kernel's own record has. Leaves other
 * events alone.
 */
void kt_syscall_fit(struct kt_event *event, struct kt_btf *btf);

/*
 * Returns the recipe of such an event, pointed-to data included, for kt_curate_as()
 * (fetch/curate.h). The caller frees it. Returns NULL without memory.
 */
char *kt_syscall_fields(const struct kt_event *event, struct kt_btf *btf);

/*
 * An expression that is not 0 if a hit belongs to a call of another kind that has the same number:
 * a 32-bit call on a 64-bit kernel.
 */
extern const char kt_syscall_foreign[];

#endif
