// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/task_name_log.h"

#include <errno.h>
#include <stdlib.h>

#include "base/grow.h"
#include "handlers/task_name_prog.h"
#include "session/task_name_ring.h"

int kt_task_name_log_add(struct kt_task_name_log *r, const struct kt_task_name *entry)
{
	struct kt_task_name *larger = kt_grow(r->entries, r->n, sizeof(*larger)), *added;

	if (!larger)
		return -ENOMEM;
	r->entries = larger;
	added = &r->entries[r->n++];
	*added = *entry;
	if (added->lost)
		added->time = r->last;
	if (r->last < added->time)
		r->last = added->time;
	return 0;
}

int kt_task_name_log_read(struct kt_task_name_log *r, struct kt_task_name_ring *ring)
{
	struct kt_task_name entry;
	int ret = 0;

	while (ret == 0 && kt_task_name_ring_next(ring, &entry))
		ret = kt_task_name_log_add(r, &entry);
	return ret;
}

static int compare_entries(const void *a, const void *b)
{
	const struct kt_task_name *m = a, *n = b;

	if (m->time != n->time)
		return m->time < n->time ? -1 : 1;
	return (m->lost > 0) - (n->lost > 0);
}

void kt_task_name_log_sort(struct kt_task_name_log *r)
{
	if (r->n)
		qsort(r->entries, r->n, sizeof(*r->entries), compare_entries);
}

void kt_task_name_log_free(struct kt_task_name_log *r)
{
	free(r->entries);
	*r = (struct kt_task_name_log){0};
}
