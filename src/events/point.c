// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/point.h"

#include <stdlib.h>
#include <string.h>

struct kt_point *kt_point_copy(const struct kt_point *point)
{
	struct kt_point *copy = malloc(sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *point;
	copy->path = strdup(point->path);
	copy->sites = malloc(point->n * sizeof(*point->sites));
	if (copy->path && copy->sites) {
		memcpy(copy->sites, point->sites, point->n * sizeof(*point->sites));
		return copy;
	}
	kt_point_free(copy);
	return NULL;
}

void kt_point_free(struct kt_point *point)
{
	if (!point)
		return;
	free(point->path);
	free(point->sites);
	free(point);
}

bool kt_point_is_same(const struct kt_point *a, const struct kt_point *b)
{
	size_t i = 0;

	if (a->is_return != b->is_return || a->n != b->n || strcmp(a->path, b->path) != 0)
		return false;
	while (i < a->n && a->sites[i].offset == b->sites[i].offset)
		i++;
	return i == a->n;
}
