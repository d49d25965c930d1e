/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Something for each task, by its number.
 *
 *	struct kt_slots s = {.size = sizeof(struct thing)};
 *
 *	thing = kt_slots_make(&s, tid);		// zeros, if nothing was there
 *	thing = kt_slots_find(&s, tid);		// NULL: nothing is
 *	kt_slots_clear(&s, NULL);
 *
 * 32 KiB, and pages of 1024 each for the numbers that are used.
 */
#ifndef KT_BASE_SLOTS_H
#define KT_BASE_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/pids.h"

enum { KT_SLOTS_PAGE = 1024 };

struct kt_slots {
	size_t size; /* of each */
	char *pages[KT_PIDS_MAX / KT_SLOTS_PAGE];
};

/* It stays where it is until all are cleared. NULL for a number that no task has. */
void *kt_slots_find(const struct kt_slots *s, uint32_t tid);

/* The same, also where there is no memory. */
void *kt_slots_make(struct kt_slots *s, uint32_t tid);

/* All of them; what they hold is released by that function, which may be NULL, zeros too. */
void kt_slots_clear(struct kt_slots *s, void (*release)(void *slot));

#endif
