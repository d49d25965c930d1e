/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table by task number.
 *
 *	struct kt_task_table s = {.size = sizeof(struct thing)};
 *
 *	thing = kt_task_table_make(&s, tid);		// zeros, if it is new
 *	thing = kt_task_table_find(&s, tid);		// NULL: none
 *	kt_task_table_clear(&s, NULL);
 *
 * A tree of three levels: 4 KiB; 4 KiB more per 8192 numbers; and 16 slots around each number in
 * use. Task numbers of a machine that has run for long are spread over the whole range.
 */
#ifndef KT_TRACE_READ_TASK_TABLE_H
#define KT_TRACE_READ_TASK_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/pids.h"

enum { KT_TASK_TABLE_BRANCHES = 512 };

struct kt_task_table {
	size_t size; /* bytes of each slot */
	char **branches[KT_TASK_TABLE_BRANCHES];
};

/*
 * Returns the slot of a task, which does not move until the table is cleared; NULL if there is
 * none.
 */
void *kt_task_table_find(const struct kt_task_table *s, uint32_t tid);

/*
 * Returns the slot of the first task whose number is at least *tid and around which slots are in
 * use, and stores that number; NULL after the last one. Visiting all slots takes time for those in
 * use only:
 *
 *	for (tid = 0; (thing = kt_task_table_next(&s, &tid)); tid++)
 */
void *kt_task_table_next(const struct kt_task_table *s, uint32_t *tid);

/*
 * Returns the slot of a task, made of zeros if there was none; NULL without memory, or beyond
 * KT_PIDS_MAX.
 */
void *kt_task_table_make(struct kt_task_table *s, uint32_t tid);

/*
 * Clears the table. Calls release, unless it is NULL, for every allocated slot, even those of
 * zeros.
 */
void kt_task_table_clear(struct kt_task_table *s, void (*release)(void *slot));

#endif
