// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/fs_tree.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/fs/fs_files.h"
#include "base/error.h"
#include "base/grow.h"
#include "ring/rings.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "session/flight/flight_info.h"
#include "trace/trace_directory.h"

enum { STREAM_NAME = 16 };

struct fs_tree {
	const struct kt_flight_info *info; /* NULL: no flight */
	const struct kt_rings *rings;      /* NULL: no flight */
	char (*names)[STREAM_NAME];        /* of the rings */
	char **directories;                /* by event: the name of its directory */
	size_t *events;                    /* by index, sorted by system */
	struct fs_node *places;
	size_t n;
};

static int compare_names(const void *a, const void *b, void *info)
{
	const struct kt_flight_info_event *events = ((const struct kt_flight_info *)info)->events;
	const struct kt_flight_info_event *one = &events[*(const size_t *)a];
	const struct kt_flight_info_event *other = &events[*(const size_t *)b];
	int ret = strcmp(one->system, other->system);

	return ret ? ret : strcmp(one->name, other->name);
}

static int sort_events(struct fs_tree *t)
{
	size_t i, n = t->info->n_events;

	t->events = calloc(n, sizeof(*t->events));
	if (!t->events)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		t->events[i] = i;
	qsort_r(t->events, n, sizeof(*t->events), compare_names, (void *)t->info);
	return 0;
}

/*
 * Makes the name of an event's directory: a point's may have slashes, and be too long. Returns NULL
 * without memory.
 */
static char *make_directory_name(const char *event, size_t i)
{
	char *name, *c;

	if (strlen(event) <= NAME_MAX)
		name = strdup(event);
	else if (asprintf(&name, "%.*s~%zu", NAME_MAX - 16, event, i) < 0)
		name = NULL;
	for (c = name; c && (c = strchr(c, '/'));)
		*c = '!';
	return name;
}

static int name_directories(struct fs_tree *t)
{
	size_t i, n = t->info->n_events;

	t->directories = calloc(n, sizeof(*t->directories));
	for (i = 0; t->directories && i < n; i++) {
		t->directories[i] = make_directory_name(t->info->events[i].name, i);
		if (!t->directories[i])
			return -ENOMEM;
	}
	return t->directories ? 0 : -ENOMEM;
}

static int add_node(struct fs_tree *t, struct fs_node place)
{
	struct fs_node *places = kt_grow(t->places, t->n, sizeof(*places));

	if (!places)
		return -ENOMEM;
	t->places = places;
	t->places[t->n++] = place;
	return 0;
}

static int add_files(struct fs_tree *t, size_t dir)
{
	const struct fs_file *f;
	int ret = 0;

	for (f = fs_files; f->name && ret == 0; f++)
		if (f->level == t->places[dir].level && (t->info || f->is_always))
			ret = add_node(t, (struct fs_node){
						  .name = f->name,
						  .file = f,
						  .level = f->level,
						  .parent = dir,
						  .events = t->places[dir].events,
						  .n_events = t->places[dir].n_events,
					  });
	return ret;
}

static int add_rings(struct fs_tree *t, size_t dir)
{
	size_t i, n = kt_rings_count(t->rings), n_cpus = kt_rings_cpus(t->rings);
	int ret = 0;

	t->names = calloc(n, sizeof(*t->names));
	if (!t->names)
		return -ENOMEM;
	for (i = 0; i < n && ret == 0; i++) {
		if (!kt_rings_at(t->rings, i))
			continue;
		kt_trace_directory_name_stream(t->names[i], STREAM_NAME, i / n_cpus, i % n_cpus);
		ret = add_node(t, (struct fs_node){
					  .name = t->names[i],
					  .file = &fs_ring_file,
					  .level = FS_LEVEL_BUFFERS,
					  .parent = dir,
					  .ring = i,
				  });
	}
	return ret;
}

/* Returns how many events from there on are in the same subdirectory. */
static size_t count_same_subdirectory(const struct fs_tree *t, const struct fs_node *dir,
				      size_t from)
{
	const struct kt_flight_info_event *events = t->info->events;
	const char *system = events[dir->events[from]].system;
	size_t i = from + 1;

	if (dir->level != FS_LEVEL_EVENTS)
		return dir->level == FS_LEVEL_TOP ? dir->n_events : 1;
	while (i < dir->n_events && strcmp(events[dir->events[i]].system, system) == 0)
		i++;
	return i - from;
}

static const char *get_subdirectory_name(const struct fs_tree *t, size_t event, enum fs_level level)
{
	switch (level) {
	case FS_LEVEL_TOP:
		return "events";
	case FS_LEVEL_EVENTS:
		return t->info->events[event].system;
	default:
		return t->directories[event];
	}
}

static int add_directories(struct fs_tree *t, size_t dir)
{
	struct fs_node above = t->places[dir];
	size_t i, n;
	int ret = 0;

	if (above.level == FS_LEVEL_EVENT || above.level == FS_LEVEL_BUFFERS)
		return 0;
	for (i = 0; i < above.n_events && ret == 0; i += n) {
		n = count_same_subdirectory(t, &above, i);
		ret = add_node(
			t, (struct fs_node){
				   .name = get_subdirectory_name(t, above.events[i], above.level),
				   .level = above.level + 1,
				   .parent = dir,
				   .events = above.events + i,
				   .n_events = n,
			   });
	}
	if (ret == 0 && above.level == FS_LEVEL_TOP && t->rings)
		ret = add_node(t, (struct fs_node){.name = "buffers",
						   .level = FS_LEVEL_BUFFERS,
						   .parent = dir});
	return ret;
}

/* Adds each directory's entries after all existing nodes. */
static int add_nodes(struct fs_tree *t)
{
	int ret = t->info ? sort_events(t) : 0;
	size_t i;

	if (ret == 0 && t->info)
		ret = name_directories(t);
	if (ret == 0)
		ret = add_node(t, (struct fs_node){
					  .name = "",
					  .events = t->events,
					  .n_events = t->info ? t->info->n_events : 0,
				  });
	for (i = 0; i < t->n && ret == 0; i++) {
		if (t->places[i].file)
			continue;
		t->places[i].first = t->n;
		ret = add_files(t, i);
		if (ret == 0 && t->places[i].level == FS_LEVEL_BUFFERS)
			ret = add_rings(t, i);
		if (ret == 0)
			ret = add_directories(t, i);
		t->places[i].n = t->n - t->places[i].first;
	}
	return ret;
}

/* Returns the rings of either buffer set; both have the same CPUs. */
static const struct kt_rings *find_rings(const struct kt_buffer_sets *b)
{
	const struct kt_rings *written = kt_buffer_sets_rings(b, kt_buffer_sets_active(b));

	return written ? written : kt_buffer_sets_rings(b, kt_buffer_sets_inactive(b));
}

struct fs_tree *fs_tree_new(const struct kt_flight *f, struct kt_error *err)
{
	struct fs_tree *t = calloc(1, sizeof(*t));

	if (t && f) {
		t->info = kt_flight_get_info(f);
		t->rings = find_rings(kt_flight_buffer_sets(f));
	}
	if (t && add_nodes(t) == 0)
		return t;
	kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	fs_tree_free(t);
	return NULL;
}

void fs_tree_free(struct fs_tree *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; t->directories && i < t->info->n_events; i++)
		free(t->directories[i]);
	free(t->directories);
	free(t->names);
	free(t->events);
	free(t->places);
	free(t);
}

const struct fs_node *fs_tree_node(const struct fs_tree *t, size_t i)
{
	return i < t->n ? &t->places[i] : NULL;
}

size_t fs_tree_index(const struct fs_tree *t, const struct fs_node *p)
{
	return p - t->places;
}

const struct fs_node *fs_tree_find(const struct fs_tree *t, const struct fs_node *dir,
				   const char *name)
{
	size_t i;

	for (i = dir->first; i < dir->first + dir->n; i++)
		if (strcmp(t->places[i].name, name) == 0)
			return &t->places[i];
	return NULL;
}
