/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log of task names in memory (handlers/task_name_prog.h), from any source.
 *
 *	struct kt_task_name_log r = {0};
 *
 *	kt_task_name_log_read(&r, &ring);		// appends what has come
 *	kt_task_name_log_add(&r, &name);		// appends a name known otherwise
 *	kt_task_name_log_sort(&r);			// by time
 *	...
 *	r.n = 0;					// empties the log
 *	...
 *	kt_task_name_log_free(&r);
 */
#ifndef KT_SESSION_TASK_NAME_LOG_H
#define KT_SESSION_TASK_NAME_LOG_H

#include <stddef.h>
#include <stdint.h>

struct kt_task_name;
struct kt_task_name_ring;

struct kt_task_name_log {
	struct kt_task_name *entries;
	size_t n;
	uint64_t last; /* time of the latest entry so far */
};

/*
 * Appends an entry; one that stands for missing entries gets the time of the last one before.
 * Returns 0 or -ENOMEM.
 */
int kt_task_name_log_add(struct kt_task_name_log *r, const struct kt_task_name *entry);

/* Appends everything that the ring has by now. Returns 0 or -ENOMEM. */
int kt_task_name_log_read(struct kt_task_name_log *r, struct kt_task_name_ring *ring);

/* Sorts by time; missing entries come after others of their time. */
void kt_task_name_log_sort(struct kt_task_name_log *r);

/* Frees the log; one of all zeros, too. */
void kt_task_name_log_free(struct kt_task_name_log *r);

#endif
