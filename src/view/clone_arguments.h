/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the arguments of clone as strace does, with their names and only those that its flags use:
 * child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0x7f575e9dca10
 */
#ifndef KT_VIEW_CLONE_ARGUMENTS_H
#define KT_VIEW_CLONE_ARGUMENTS_H

#include <stdbool.h>

struct kt_call;
struct kt_hit;
struct kt_text;

/* Returns whether the entry is known, and has the members that are printed. */
bool kt_clone_arguments_are(const struct kt_call *call);

/* Prints the stack and flags, if first; and the others, if the exit is not NULL. */
void kt_clone_arguments_put(struct kt_text *t, const struct kt_call *call,
			    const struct kt_hit *exit, bool first);

/* Prints what clone3 stored through its struct, if anything: " => {parent_tid=[7]}" */
void kt_clone_arguments_put_stored(struct kt_text *t, const struct kt_call *call,
				   const struct kt_hit *exit);

#endif
