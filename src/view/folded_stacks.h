/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts equal stacks, for flame graphs: a line has a task's name, the functions from the outermost
 * to the innermost, those in user space first, and the number of hits (doc/stacks.md).
 *
 *	struct kt_folded_stacks *f = kt_folded_stacks_new();
 *
 *	kt_folded_stacks_add(f, &hit);			// of every hit
 *	kt_folded_stacks_print(f, &text);
 *	kt_folded_stacks_free(f);
 *
 *	make;main;read;entry_SYSCALL_64_after_hwframe;do_syscall_64;ksys_read;vfs_read 12
 *
 * Takes about 1 us per hit, and the memory of the lines.
 */
#ifndef KT_VIEW_FOLDED_STACKS_H
#define KT_VIEW_FOLDED_STACKS_H

#include <stdbool.h>

struct kt_folded_stacks;
struct kt_hit;
struct kt_text;

/* Returns NULL without memory. */
struct kt_folded_stacks *kt_folded_stacks_new(void);
void kt_folded_stacks_free(struct kt_folded_stacks *f);

/* Adds a hit, if its event has stacks. Returns 0 or -ENOMEM. */
int kt_folded_stacks_add(struct kt_folded_stacks *f, const struct kt_hit *hit);

/* Returns whether a hit was added. */
bool kt_folded_stacks_has_any(const struct kt_folded_stacks *f);

/* Prints the lines in alphabetical order. */
void kt_folded_stacks_print(const struct kt_folded_stacks *f, struct kt_text *to);

#endif
