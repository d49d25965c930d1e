/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks by their numbers, in a BPF map: a bit for each that there can be
 * (generate/fork_tracking.h).
 *
 *	struct kt_tid_bitmap t;
 *
 *	kt_tid_bitmap_make(&t, "kt_followed", &err);
 *	kt_tid_bitmap_add(&t, tid);
 *	for (tid = 0; (tid = kt_tid_bitmap_next(&t, tid)) < KT_PIDS_MAX; tid++)
 *		printf("%u\n", tid);
 *	kt_tid_bitmap_free(&t);
 *
 * Half a MiB. What is added and removed is so for programs at once, and for whoever else has it.
 */
#ifndef KT_SESSION_TID_BITMAP_H
#define KT_SESSION_TID_BITMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pids.h"
#include "hook/map.h"

struct kt_error;

struct kt_tid_bitmap {
	struct kt_map map; /* zero: there are none, and nothing to free */
};

/* None yet, in a map of that name; or those of one made so, whose descriptor it takes. 0 or -errno.
 */
int kt_tid_bitmap_make(struct kt_tid_bitmap *t, const char *name, struct kt_error *err);
int kt_tid_bitmap_from(struct kt_tid_bitmap *t, int fd, struct kt_error *err);
void kt_tid_bitmap_free(struct kt_tid_bitmap *t);

/* A number below KT_PIDS_MAX. */
void kt_tid_bitmap_add(struct kt_tid_bitmap *t, uint32_t tid);
void kt_tid_bitmap_remove(struct kt_tid_bitmap *t, uint32_t tid);

/* Any number, also in none. */
bool kt_tid_bitmap_has(const struct kt_tid_bitmap *t, uint32_t tid);

/* The first from that number on; KT_PIDS_MAX: there is none, or no map. */
uint32_t kt_tid_bitmap_next(const struct kt_tid_bitmap *t, uint32_t tid);

/* All of the other's besides, if it has any. */
void kt_tid_bitmap_add_all(struct kt_tid_bitmap *t, const struct kt_tid_bitmap *other);

#endif
