// SPDX-License-Identifier: GPL-2.0-or-later
#include "stacks/build_id_paths.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	const struct kt_build_id_path *x = a, *y = b;

	return memcmp(x->build_id, y->build_id, KT_BUILD_ID_SIZE);
}

static void free_path(void *p)
{
	free((char *)((struct kt_build_id_path *)p)->path);
	free(p);
}

/* Replaces what is known, or adds it: the new element becomes the tree's. */
static void set(struct kt_build_id_paths *p, struct kt_build_id_path *path)
{
	struct kt_build_id_path **found = tsearch(path, &p->tree, compare);

	if (!found) {
		free_path(path);
	} else if (*found != path) {
		free_path(*found);
		*found = path;
	}
}

void kt_build_id_paths_set(struct kt_build_id_paths *p, const struct kt_build_id_path *path)
{
	struct kt_build_id_path *copy = malloc(sizeof(*copy));

	if (!copy)
		return;
	*copy = *path;
	copy->path = strdup(path->path);
	if (copy->path)
		set(p, copy);
	else
		free(copy);
}

const struct kt_build_id_path *kt_build_id_paths_find(const struct kt_build_id_paths *p,
						      const uint8_t id[KT_BUILD_ID_SIZE])
{
	struct kt_build_id_path key, *const *found;

	memcpy(key.build_id, id, KT_BUILD_ID_SIZE);
	found = tfind(&key, &p->tree, compare);
	return found ? *found : NULL;
}

void kt_build_id_paths_clear(struct kt_build_id_paths *p)
{
	tdestroy(p->tree, free_path);
	p->tree = NULL;
}
