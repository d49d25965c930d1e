/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an argument of a system call points to where another one decides that it is a pointer:
 * fcntl's arg, by its cmd, a struct flock.
 *
 *	const struct kt_argument_pointer *p = kt_argument_pointer_of("fcntl", "arg");
 *
 *	p->by, p->when[KT_ENTER];		// "cmd", "F_SETLK F_SETLKW …": given then
 *	p->type;				// "struct flock *"
 */
#ifndef KT_FETCH_ARGUMENT_POINTERS_H
#define KT_FETCH_ARGUMENT_POINTERS_H

#include "events/syscall_names.h"

struct kt_argument_pointer {
	const char *by;             /* the argument that decides, which has labels */
	const char *when[KT_SIDES]; /* it has one of these, a blank between two; NULL: never */
	const char *type;           /* the pointer's; "char *" is one to text up to a 0 */
	const char *name, *of;      /* the argument, of these calls */
};

/* NULL: nothing but its own type says what it is. */
const struct kt_argument_pointer *kt_argument_pointer_of(const char *call, const char *argument);

#endif
