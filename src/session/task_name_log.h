/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Namings of tasks (handlers/task_name_prog.h), one after the other in memory, wherever they are
 * from.
 *
 *	struct kt_task_name_log r = {0};
 *
 *	kt_task_name_log_read(&r, &ring);		// those that have come
 *	kt_task_name_log_add(&r, &naming);		// one that is known from elsewhere
 *	kt_task_name_log_sort(&r);			// by their time
 *	...
 *	r.n = 0;				// forgets them
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
	struct kt_task_name *namings;
	size_t n;
	uint64_t last; /* time of those that there have been so far */
};

/*
 * Behind the others. Those that are missing are by the time of the last one before them. 0 or
 * -ENOMEM.
 */
int kt_task_name_log_add(struct kt_task_name_log *r, const struct kt_task_name *naming);

/* All that the ring has by now. 0 or -ENOMEM. */
int kt_task_name_log_read(struct kt_task_name_log *r, struct kt_task_name_ring *ring);

/* Those that are missing behind those of their time. */
void kt_task_name_log_sort(struct kt_task_name_log *r);

/* Also one that is zero. */
void kt_task_name_log_free(struct kt_task_name_log *r);

#endif
