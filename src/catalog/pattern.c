// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/pattern.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest.h"

struct pattern {
	const char *text;
	char *system; /* NULL: any */
	const char *event;
};

static bool matches(const char *glob, const char *name)
{
	return !glob || !fnmatch(glob, name, FNM_NOESCAPE);
}

static const char *verb(const char *part)
{
	return strpbrk(part, "*?[") ? "matches" : "is called";
}

/* What to say where nothing is like it. */
static void suggest_lister(const struct kt_names *names, char *hint, size_t size)
{
	snprintf(hint, size, "; '%s' names them all", kt_names_lister(names));
}

static int fail_at_system(const struct pattern *p, const struct kt_names *names,
			  struct kt_error *err)
{
	struct kt_nearest near = kt_nearest_to(p->system);
	char hint[256];
	size_t i;

	for (i = 0; i < kt_names_count(names); i++)
		kt_nearest_offer(&near, kt_names_at(names, i)->system);
	if (near.name)
		snprintf(hint, sizeof(hint), "; did you mean '%s:%s'?", near.name, p->event);
	else
		suggest_lister(names, hint, sizeof(hint));
	return kt_fail_at(err, ENOENT, p->text, 0, strlen(p->system),
			  "no system of events%s %s '%s'%s", kt_names_there(names), verb(p->system),
			  p->system, hint);
}

/* What to say of an event that the systems asked for do not have. */
static void suggest_event(const struct pattern *p, const struct kt_names *names, char *hint,
			  size_t size)
{
	struct kt_nearest near = kt_nearest_to(p->event);
	const struct kt_name *name, *best = NULL;
	size_t i;

	for (i = 0; i < kt_names_count(names); i++) {
		name = kt_names_at(names, i);
		if (!p->system && !strcmp(p->event, name->system)) {
			snprintf(hint, size, "; the system's events are '%s:*'", name->system);
			return;
		}
		if (matches(p->system, name->system)) {
			kt_nearest_offer(&near, name->event);
			if (near.name == name->event)
				best = name;
		}
	}
	/* Right event, wrong system. */
	for (i = 0; !best && i < kt_names_count(names); i++)
		if (!strcmp(p->event, kt_names_at(names, i)->event))
			best = kt_names_at(names, i);
	if (best)
		snprintf(hint, size, "; did you mean '%s:%s'?", best->system, best->event);
	else
		suggest_lister(names, hint, size);
}

static int fail_at_event(const struct pattern *p, const struct kt_names *names,
			 struct kt_error *err)
{
	char of[160] = "", hint[256];

	suggest_event(p, names, hint, sizeof(hint));
	if (p->system)
		snprintf(of, sizeof(of), " of '%s'", p->system);
	return kt_fail_at(err, ENOENT, p->text, p->event - p->text, strlen(p->event),
			  "no event%s%s %s '%s'%s", of, kt_names_there(names), verb(p->event),
			  p->event, hint);
}

static int choose_event(const struct pattern *p, const struct kt_names *names, bool *chosen,
			struct kt_error *err)
{
	bool system_known = false;
	const struct kt_name *name;
	int count = 0;
	size_t i;

	for (i = 0; i < kt_names_count(names); i++) {
		name = kt_names_at(names, i);
		if (!matches(p->system, name->system))
			continue;
		system_known = true;
		if (!matches(p->event, name->event))
			continue;
		chosen[i] = true;
		count++;
	}
	if (count)
		return count;
	if (p->system && !system_known)
		return fail_at_system(p, names, err);
	return fail_at_event(p, names, err);
}

int kt_pattern_choose(const char *pattern, const struct kt_names *names, bool *chosen,
		      struct kt_error *err)
{
	const char *colon = strchr(pattern, ':');
	struct pattern p = {pattern, NULL, colon ? colon + 1 : pattern};
	int r;

	if (!*p.event)
		return kt_fail_at(err, EINVAL, pattern, strlen(pattern), 1,
				  "the name of an event is missing");
	if (colon == pattern)
		return kt_fail_at(err, EINVAL, pattern, 0, 1, "the name of a system is missing");
	if (colon) {
		p.system = strndup(pattern, colon - pattern);
		if (!p.system)
			return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	}
	r = choose_event(&p, names, chosen, err);
	free(p.system);
	return r;
}
