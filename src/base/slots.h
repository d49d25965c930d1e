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

/* Returns the slot of a task, which does not move until all are cleared; NULL if there is none. */
void *kt_slots_find(const struct kt_slots *s, uint32_t tid);

/*
 * Returns the slot of the first task whose number is at least *tid and whose page is in use, and
 * stores that number there; NULL behind the last one. Skips unused pages, so that walking over all
 * slots costs what is in use:
 *
 *	for (tid = 0; (thing = kt_slots_next(&s, &tid)); tid++)
 */
void *kt_slots_next(const struct kt_slots *s, uint32_t *tid);

/* Returns the slot of a task, made of zeros if there was none; NULL without memory, or beyond
 * KT_PIDS_MAX. */
void *kt_slots_make(struct kt_slots *s, uint32_t tid);

/* All of them; what they hold is released by that function, which may be NULL, zeros too. */
void kt_slots_clear(struct kt_slots *s, void (*release)(void *slot));

#endif
