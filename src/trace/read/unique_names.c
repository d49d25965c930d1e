// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/unique_names.h"

#include <errno.h>
#include <search.h>
#include <string.h>

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int compare_pairs(const void *a, const void *b)
{
	const char *x = a, *y = b;
	int order = strcmp(x, y);

	return order ? order : strcmp(x + strlen(x) + 1, y + strlen(y) + 1);
}

int kt_unique_names_add(struct kt_unique_names *once, const char *name)
{
	const char **found =
		tsearch(name, &once->names, once->are_pairs ? compare_pairs : compare_names);

	return found ? *found == name : -ENOMEM;
}

static void leave_name(void *name)
{
	(void)name; /* owned by the caller */
}

void kt_unique_names_clear(struct kt_unique_names *once)
{
	tdestroy(once->names, leave_name);
	once->names = NULL;
}
