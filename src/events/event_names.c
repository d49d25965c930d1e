// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/event_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "events/tracefs.h"

struct kt_event_names {
	char *text; /* the text that the names point into, or NULL */
	const char *there, *lister;
	size_t count;
	struct kt_event_name at[];
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

struct kt_event_names *kt_event_names_read(int tracefs, struct kt_error *err)
{
	char *text = kt_tracefs_read(tracefs, "available_events", err);
	struct kt_event_names *names;

	if (!text)
		return NULL;
	names = calloc(1, sizeof(*names) + count_lines(text) * sizeof(*names->at));
	if (!names) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
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
	struct kt_event_names *of = calloc(1, sizeof(*of) + n * sizeof(*of->at));

	if (!of) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	of->there = there;
	of->lister = lister;
	of->count = n;
	memcpy(of->at, names, n * sizeof(*of->at));
	return of;
}

void kt_event_names_free(struct kt_event_names *names)
{
	if (!names)
		return;
	free(names->text);
	free(names);
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
