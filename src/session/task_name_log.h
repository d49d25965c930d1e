/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Namings of tasks (handlers/task_name_prog.h), one after the other in memory, wherever they are
 * from.
 *
 *	struct kt_roll r = {0};
 *
 *	kt_roll_read(&r, &ring);		// those that have come
 *	kt_roll_add(&r, &naming);		// one that is known from elsewhere
 *	kt_roll_sort(&r);			// by their time
 *	...
 *	r.n = 0;				// forgets them
 *	...
 *	kt_roll_free(&r);
 */
#ifndef KT_SESSION_TASK_NAME_LOG_H
#define KT_SESSION_TASK_NAME_LOG_H

#include <stddef.h>
#include <stdint.h>

struct kt_naming;
struct kt_namings;

struct kt_roll {
	struct kt_naming *namings;
	size_t n;
	uint64_t last; /* time of those that there have been so far */
};

/*
 * Behind the others. Those that are missing are by the time of the last one before them. 0 or
 * -ENOMEM.
 */
int kt_roll_add(struct kt_roll *r, const struct kt_naming *naming);

/* All that the ring has by now. 0 or -ENOMEM. */
int kt_roll_read(struct kt_roll *r, struct kt_namings *ring);

/* Those that are missing behind those of their time. */
void kt_roll_sort(struct kt_roll *r);

/* Also one that is zero. */
void kt_roll_free(struct kt_roll *r);

#endif
