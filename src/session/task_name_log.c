// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/task_name_log.h"

#include <errno.h>
#include <stdlib.h>

#include "base/grow.h"
#include "handlers/task_name_prog.h"
#include "session/task_name_ring.h"

int kt_roll_add(struct kt_roll *r, const struct kt_naming *naming)
{
	struct kt_naming *larger = kt_grow(r->namings, r->n, sizeof(*larger)), *added;

	if (!larger)
		return -ENOMEM;
	r->namings = larger;
	added = &r->namings[r->n++];
	*added = *naming;
	if (added->lost)
		added->time = r->last;
	if (r->last < added->time)
		r->last = added->time;
	return 0;
}

int kt_roll_read(struct kt_roll *r, struct kt_namings *ring)
{
	struct kt_naming naming;
	int ret = 0;

	while (ret == 0 && kt_namings_next(ring, &naming))
		ret = kt_roll_add(r, &naming);
	return ret;
}

static int compare(const void *a, const void *b)
{
	const struct kt_naming *m = a, *n = b;

	if (m->time != n->time)
		return m->time < n->time ? -1 : 1;
	return (m->lost > 0) - (n->lost > 0);
}

void kt_roll_sort(struct kt_roll *r)
{
	if (r->n)
		qsort(r->namings, r->n, sizeof(*r->namings), compare);
}

void kt_roll_free(struct kt_roll *r)
{
	free(r->namings);
	*r = (struct kt_roll){0};
}
