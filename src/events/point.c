// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/point.h"

#include <stdlib.h>
#include <string.h>

/* Copies n elements; none are NULL. Returns false without memory. */
static bool copy_array(void *to, const void *from, size_t n, size_t size)
{
	void *copy = n ? malloc(n * size) : NULL;

	if (copy)
		memcpy(copy, from, n * size);
	*(void **)to = copy;
	return copy || !n;
}

/* Copies a text; NULL stays NULL. Returns false without memory. */
static bool copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return *to || !from;
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

bool kt_point_cut_return(char *function)
{
	size_t len = strlen(function), n = strlen(KT_POINT_RETURN);

	if (len <= n || strcmp(function + len - n, KT_POINT_RETURN) != 0)
		return false;
	function[len - n] = '\0';
	return true;
}

struct kt_point *kt_point_copy(const struct kt_point *point)
{
	struct kt_point *copy = malloc(sizeof(*copy));
	size_t n = point->n_arguments * point->n_rows;
	bool ok;

	if (!copy)
		return NULL;
	*copy = *point;
	ok = copy_text(&copy->path, point->path);
	ok = copy_text(&copy->function, point->function) && ok;
	ok = copy_text(&copy->module, point->module) && ok;
	ok = copy_array(&copy->sites, point->sites, point->n, sizeof(*point->sites)) && ok;
	ok = copy_array(&copy->arguments, point->arguments, n, sizeof(*point->arguments)) && ok;
	if (ok)
		return copy;
	kt_point_free(copy);
	return NULL;
}

void kt_point_free(struct kt_point *point)
{
	if (!point)
		return;
	free(point->path);
	free(point->function);
	free(point->module);
	free(point->sites);
	free(point->arguments);
	free(point);
}

bool kt_point_is_same(const struct kt_point *a, const struct kt_point *b)
{
	size_t i = 0;

	if (a->is_return != b->is_return || a->n != b->n || !is_same_text(a->path, b->path) ||
	    !is_same_text(a->function, b->function) || !is_same_text(a->module, b->module))
		return false;
	while (i < a->n && a->sites[i].offset == b->sites[i].offset)
		i++;
	return i == a->n;
}
