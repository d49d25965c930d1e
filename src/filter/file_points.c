// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/file_points.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "elf/binary_lookup.h"
#include "elf/elf_file.h"
#include "events/event_names.h"
#include "events/point.h"
#include "filter/point_matches.h"

/* Returns whether points of another file begin with that name. */
static bool is_taken(const struct kt_file_points *p, const char *called)
{
	size_t i = kt_event_names_count(p->names), len = strlen(called);
	const struct kt_point *point;
	const char *name;

	while (i > 0 && (point = kt_event_names_point(p->names, --i))) {
		if (!point->path)
			continue;
		name = kt_event_names_at(p->names, i)->event;
		if (strncmp(name, called, len) == 0 && name[len] == ':' &&
		    strcmp(point->path, p->path) != 0)
			return true;
	}
	return false;
}

int kt_file_pattern_split(struct kt_file_pattern *p, const char *typed, const char *missing,
			  struct kt_error *err)
{
	size_t file_at = strcspn(typed, ":") + 1, n;

	*p = (struct kt_file_pattern){.typed = typed, .copy = strdup(typed)};
	if (!p->copy)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	p->file = p->copy + file_at;
	n = strcspn(p->file, ":");
	if (n && p->file[n] && p->file[n + 1]) {
		p->file[n] = '\0';
		p->rest = p->file + n + 1;
		return 0;
	}
	kt_file_pattern_free(p);
	if (!n)
		return kt_fail_at(err, EINVAL, typed, file_at, 1, "missing program or library");
	return kt_fail_at(err, EINVAL, typed, strlen(typed), 1, "missing %s", missing);
}

void kt_file_pattern_free(struct kt_file_pattern *p)
{
	free(p->copy);
}

static int fail_at_file(const struct kt_file_pattern *p, struct kt_error *err)
{
	err->typed = p->typed;
	err->at = p->file - p->copy;
	err->len = strlen(p->file);
	return -err->code;
}

int kt_file_points_open(struct kt_file_points *p, const struct kt_file_pattern *of,
			const char *root, struct kt_error *err)
{
	const char *last;

	if (kt_binary_lookup(of->file, root, p->path, err) < 0)
		return fail_at_file(of, err);
	p->file = kt_elf_file_open(p->path, err);
	if (!p->file)
		return fail_at_file(of, err);
	p->debug = kt_elf_file_open_debug(p->file, root);
	last = strrchr(p->path, '/') + 1;
	p->called = is_taken(p, last) ? p->path : last;
	return 0;
}

void kt_file_points_close(struct kt_file_points *p)
{
	kt_elf_file_close(p->debug);
	kt_elf_file_close(p->file);
	p->debug = p->file = NULL;
}

int kt_file_points_add(struct kt_file_points *p, const char *system, const char *name,
		       const struct kt_point *point, struct kt_error *err)
{
	struct kt_point of = *point;
	char *event;
	int ret;

	if (asprintf(&event, "%s:%s", p->called, name) < 0)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	of.path = p->path;
	of.file = kt_elf_file_identity(p->file);
	ret = kt_point_matches_add(p->matches, p->names, (struct kt_event_name){system, event}, &of,
				   err);
	free(event);
	return ret;
}
