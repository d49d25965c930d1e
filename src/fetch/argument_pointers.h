/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arguments that are pointers only for some values of another argument: fcntl's arg is a struct
 * flock for some values of cmd.
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
	const char *by;             /* the deciding argument, which has labels */
	const char *when[KT_SIDES]; /* by side: labels for which it is a pointer there, separated by
				       blanks; NULL: never */
	const char *type;           /* type of the pointer; "char *" points to text up to a NUL */
	const char *name, *of;      /* the argument, and its calls */
};

/* Returns the description of an argument; NULL if its own type says what it is. */
const struct kt_argument_pointer *kt_argument_pointer_of(const char *call, const char *argument);

#endif
