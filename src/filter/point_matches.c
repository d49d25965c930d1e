// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/point_matches.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

static int add_index(struct kt_point_matches *m, size_t index)
{
	size_t *larger = kt_grow(m->at, m->n, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	m->at = larger;
	m->at[m->n++] = index;
	return 0;
}

/* Returns NULL without memory. */
static char *copy_as_ascii(const char *name)
{
	char *copy = strdup(name), *c;

	for (c = copy; c && *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return copy;
}

int kt_point_matches_add(struct kt_point_matches *m, struct kt_event_names *names,
			 struct kt_event_name name, const struct kt_point *point,
			 struct kt_error *err)
{
	char *event = copy_as_ascii(name.event);
	struct kt_event_name full = {name.system, event};
	size_t index;
	int ret = event ? kt_event_names_add(names, full, point, &index) : -ENOMEM;

	free(event);
	if (ret == 0)
		ret = add_index(m, index);
	return ret < 0 ? kt_fail(err, -ret, "%s", strerror(-ret)) : 0;
}
