/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of tasks in a BPF map: a bit for each possible number (generate/fork_tracking.h).
 *
 *	struct kt_tid_bitmap t;
 *
 *	kt_tid_bitmap_make(&t, "kt_followed", &err);
 *	kt_tid_bitmap_add(&t, tid);
 *	for (tid = 0; (tid = kt_tid_bitmap_next(&t, tid)) < KT_PIDS_MAX; tid++)
 *		printf("%u\n", tid);
 *	kt_tid_bitmap_free(&t);
 *
 * Takes half a MiB. Changes are visible at once to programs and to other processes.
 */
#ifndef KT_SESSION_TID_BITMAP_H
#define KT_SESSION_TID_BITMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pids.h"
#include "hook/map.h"

struct kt_error;

struct kt_tid_bitmap {
	struct kt_map map; /* all zeros: no set, nothing to free */
};

/*
 * Create an empty set, in a map of that name; or open a set by its map, taking ownership of fd.
 * Return 0 or -errno.
 */
int kt_tid_bitmap_make(struct kt_tid_bitmap *t, const char *name, struct kt_error *err);
int kt_tid_bitmap_from(struct kt_tid_bitmap *t, int fd, struct kt_error *err);
void kt_tid_bitmap_free(struct kt_tid_bitmap *t);

/* Add and remove a number below KT_PIDS_MAX. */
void kt_tid_bitmap_add(struct kt_tid_bitmap *t, uint32_t tid);
void kt_tid_bitmap_remove(struct kt_tid_bitmap *t, uint32_t tid);

/* Returns whether the set contains the number, which may be any; false without a map. */
bool kt_tid_bitmap_has(const struct kt_tid_bitmap *t, uint32_t tid);

/* Returns the first number in the set from tid on; KT_PIDS_MAX if there is none, or no map. */
uint32_t kt_tid_bitmap_next(const struct kt_tid_bitmap *t, uint32_t tid);

/* Adds all numbers of the other set, if it has a map. */
void kt_tid_bitmap_add_all(struct kt_tid_bitmap *t, const struct kt_tid_bitmap *other);

#endif
