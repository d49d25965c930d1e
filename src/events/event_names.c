// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/event_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "events/point.h"
#include "events/tracefs.h"

struct kt_event_names {
	char *text; /* the text that the names point into, or NULL */
	const char *there, *lister;
	size_t count;
	struct kt_event_name *at;
	size_t n_points;
	struct added *points; /* the last n_points names */
};

/* A point with its name. */
struct added {
	char *system, *event;
	struct kt_point *point;
};

static int compare_names(const void *a, const void *b)
{
	const struct kt_event_name *x = a, *y = b;
	int by_system = strcmp(x->system, y->system);

	return by_system ? by_system : strcmp(x->event, y->event);
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* Splits names->text into names->at. */
static int split_names(struct kt_event_names *names, struct kt_error *err)
{
	char *line, *end, *colon;

	for (line = names->text; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		colon = strchr(line, ':');
		if (!colon || colon == line || !colon[1])
			return kt_fail(err, EPROTO, "available_events: not a name: '%s'", line);
		*colon = '\0';
		names->at[names->count++] = (struct kt_event_name){line, colon + 1};
	}
	if (*line)
		return kt_fail(err, EPROTO, "available_events: cut short after '%s'", line);
	return 0;
}

static void sort_unique(struct kt_event_names *names)
{
	size_t i, n = 0;

	qsort(names->at, names->count, sizeof(*names->at), compare_names);
	for (i = 0; i < names->count; i++)
		if (!n || compare_names(&names->at[n - 1], &names->at[i]))
			names->at[n++] = names->at[i];
	names->count = n;
}

/* Makes a list with room for n names. */
static struct kt_event_names *make_names(size_t n, struct kt_error *err)
{
	struct kt_event_names *names = calloc(1, sizeof(*names));

	if (names)
		names->at = calloc(n + 1, sizeof(*names->at));
	if (names && names->at)
		return names;
	kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	free(names);
	return NULL;
}

struct kt_event_names *kt_event_names_read(int tracefs, struct kt_error *err)
{
	char *text = kt_tracefs_read(tracefs, "available_events", err);
	struct kt_event_names *names;

	if (!text)
		return NULL;
	names = make_names(count_lines(text), err);
	if (!names) {
		free(text);
		return NULL;
	}
	names->text = text;
	names->there = "";
	names->lister = "ktrace list";
	if (split_names(names, err) < 0) {
		kt_event_names_free(names);
		return NULL;
	}
	sort_unique(names);
	return names;
}

struct kt_event_names *kt_event_names_of(const struct kt_event_name *names, size_t n,
					 const char *there, const char *lister,
					 struct kt_error *err)
{
	struct kt_event_names *of = make_names(n, err);

	if (!of)
		return NULL;
	of->there = there;
	of->lister = lister;
	of->count = n;
	memcpy(of->at, names, n * sizeof(*of->at));
	return of;
}

static void free_point(struct added *p)
{
	free(p->system);
	free(p->event);
	kt_point_free(p->point);
}

void kt_event_names_free(struct kt_event_names *names)
{
	if (!names)
		return;
	while (names->n_points)
		free_point(&names->points[--names->n_points]);
	free(names->points);
	free(names->text);
	free(names->at);
	free(names);
}

/* Returns the index of a point's name, or count. */
static size_t find_point(const struct kt_event_names *names, struct kt_event_name name)
{
	size_t i = names->count - names->n_points;

	while (i < names->count && compare_names(&names->at[i], &name) != 0)
		i++;
	return i;
}

/* Makes room for another name and point. */
static int grow_names(struct kt_event_names *names)
{
	struct kt_event_name *at = reallocarray(names->at, names->count + 1, sizeof(*at));
	struct added *points;

	if (!at)
		return -ENOMEM;
	names->at = at;
	points = kt_grow(names->points, names->n_points, sizeof(*points));
	if (!points)
		return -ENOMEM;
	names->points = points;
	return 0;
}

int kt_event_names_add(struct kt_event_names *names, struct kt_event_name name,
		       const struct kt_point *point, size_t *index)
{
	struct added p;

	if (strlen(name.system) + 1 + strlen(name.event) >= KT_EVENT_NAME_MAX)
		return -ENAMETOOLONG;
	*index = find_point(names, name);
	if (*index < names->count)
		return kt_point_is_same(kt_event_names_point(names, *index), point) ? 0 : -EEXIST;
	if (grow_names(names) < 0)
		return -ENOMEM;
	p = (struct added){strdup(name.system), strdup(name.event), kt_point_copy(point)};
	if (!p.system || !p.event || !p.point) {
		free_point(&p);
		return -ENOMEM;
	}
	names->points[names->n_points++] = p;
	names->at[names->count++] = (struct kt_event_name){p.system, p.event};
	return 0;
}

const struct kt_point *kt_event_names_point(const struct kt_event_names *names, size_t i)
{
	size_t first = names->count - names->n_points;

	return i < first ? NULL : names->points[i - first].point;
}

const char *kt_event_names_there(const struct kt_event_names *names)
{
	return names->there;
}

const char *kt_event_names_lister(const struct kt_event_names *names)
{
	return names->lister;
}

size_t kt_event_names_count(const struct kt_event_names *names)
{
	return names->count;
}

const struct kt_event_name *kt_event_names_at(const struct kt_event_names *names, size_t i)
{
	return &names->at[i];
}
