// SPDX-License-Identifier: GPL-2.0-or-later
#include "stacks/recent_mappings.h"

#include <stdlib.h>
#include <string.h>

enum { MAX = 4096 };

/* Forgets the oldest mapping: its place is free. */
static struct kt_logged_mapping *forget_oldest(struct kt_recent_mappings *r)
{
	struct kt_logged_mapping *m = &r->of[r->oldest];

	if (m->time > r->forgotten)
		r->forgotten = m->time;
	free((char *)m->path);
	r->oldest = (r->oldest + 1) % MAX;
	return m;
}

/* Without memory it is as if it were forgotten. */
void kt_recent_mappings_add(struct kt_recent_mappings *r, const struct kt_logged_mapping *m)
{
	char *path = strdup(m->path);
	struct kt_logged_mapping *to;

	if (!r->of)
		r->of = calloc(MAX, sizeof(*r->of));
	if (!r->of || !path) {
		free(path);
		r->forgotten = UINT64_MAX;
		return;
	}
	to = r->n < MAX ? &r->of[r->n++] : forget_oldest(r);
	*to = *m;
	to->path = path;
}

void kt_recent_mappings_clear(struct kt_recent_mappings *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		free((char *)r->of[i].path);
	free(r->of);
	*r = (struct kt_recent_mappings){0};
}

const struct kt_logged_mapping *kt_recent_mappings_find(const struct kt_recent_mappings *r,
							pid_t pid, uint64_t time, uint64_t address)
{
	const struct kt_logged_mapping *m, *latest = NULL;
	size_t i;

	for (i = 0; i < r->n; i++) {
		m = &r->of[i];
		if (m->pid == pid && m->time <= time && m->begin <= address && address < m->end &&
		    (!latest || m->time >= latest->time))
			latest = m;
	}
	return latest;
}

bool kt_recent_mappings_none(const struct kt_recent_mappings *r, pid_t pid, uint64_t after,
			     uint64_t begin, uint64_t end)
{
	const struct kt_logged_mapping *m;
	size_t i;

	if (r->forgotten > after)
		return false;
	for (i = 0; i < r->n; i++) {
		m = &r->of[i];
		if (m->pid == pid && m->time > after && m->begin < end && begin < m->end)
			return false;
	}
	return true;
}
