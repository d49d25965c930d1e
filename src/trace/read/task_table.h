/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Something for each task, by its number.
 *
 *	struct kt_task_table s = {.size = sizeof(struct thing)};
 *
 *	thing = kt_task_table_make(&s, tid);		// zeros, if nothing was there
 *	thing = kt_task_table_find(&s, tid);		// NULL: nothing is
 *	kt_task_table_clear(&s, NULL);
 *
 * A tree of three levels: 4 KiB, and for each number that is used the 16 slots around it and, once
 * for 8192 numbers, 4 KiB. Tasks of a machine that has run for long are spread over all numbers.
 */
#ifndef KT_TRACE_READ_TASK_TABLE_H
#define KT_TRACE_READ_TASK_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/pids.h"

enum { KT_TASK_TABLE_BRANCHES = 512 };

struct kt_task_table {
	size_t size; /* of each */
	char **branches[KT_TASK_TABLE_BRANCHES];
};

/* Returns the slot of a task, which does not move until all are cleared; NULL if there is none. */
void *kt_task_table_find(const struct kt_task_table *s, uint32_t tid);

/*
 * Returns the slot of the first task whose number is at least *tid and around which slots are in
 * use, and stores that number there; NULL behind the last one. Skips what is not in use, so that
 * walking over all slots costs what is:
 *
 *	for (tid = 0; (thing = kt_task_table_next(&s, &tid)); tid++)
 */
void *kt_task_table_next(const struct kt_task_table *s, uint32_t *tid);

/* Returns the slot of a task, made of zeros if there was none; NULL without memory, or beyond
 * KT_PIDS_MAX. */
void *kt_task_table_make(struct kt_task_table *s, uint32_t tid);

/* All of them; what they hold is released by that function, which may be NULL, zeros too. */
void kt_task_table_clear(struct kt_task_table *s, void (*release)(void *slot));

#endif
