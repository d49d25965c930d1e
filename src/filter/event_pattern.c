// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/event_pattern.h"

#include <errno.h>
#include <fnmatch.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "events/glob.h"
#include "events/syscall_names.h"
#include "filter/suggest.h"
#include "filter/syscall_class.h"

struct pattern {
	const char *text;
	char *system; /* NULL: any */
	const char *event;
	const struct kt_syscall_class *class; /* the class that event names, or NULL */
	regex_t *regex;                       /* the regular expression in event, or NULL */
};

static bool matches(const char *glob, const char *name)
{
	return !glob || !fnmatch(glob, name, FNM_NOESCAPE);
}

static bool is_glob(const char *part)
{
	return strpbrk(part, "*?[");
}

static const char *get_verb(const char *part)
{
	return is_glob(part) || *part == '/' ? "matches" : "is called";
}

/* 'sched_*' alone means the scheduler's events, and no system calls. */
static bool can_be_call(const struct pattern *p, const struct kt_event_name *name)
{
	return p->system ? !strcmp(p->system, name->system) : !is_glob(p->event);
}

/* Returns the system call's name, by which both of its events can be chosen. */
static const char *get_call_name(const struct pattern *p, const struct kt_event_name *name)
{
	enum kt_side side;

	return can_be_call(p, name) ? kt_syscall_of(name->system, name->event, &side) : NULL;
}

static bool matches_call(const char *glob, const char *call)
{
	return matches(glob, call) || matches(glob, kt_syscall_known_as(call));
}

static bool is_of_class(const struct kt_syscall_class *class, const struct kt_event_name *name)
{
	enum kt_side side;
	const char *call = kt_syscall_of(name->system, name->event, &side);

	return call && kt_syscall_class_has(class, kt_syscall_known_as(call));
}

/* A regular expression is about a call's names, not about those of its events. */
static bool matches_regex(const regex_t *regex, const struct kt_event_name *name)
{
	enum kt_side side;
	const char *call = kt_syscall_of(name->system, name->event, &side);

	if (!call)
		return regexec(regex, name->event, 0, NULL, 0) == 0;
	return regexec(regex, call, 0, NULL, 0) == 0 ||
	       regexec(regex, kt_syscall_known_as(call), 0, NULL, 0) == 0;
}

static bool matches_name(const struct pattern *p, const struct kt_event_name *name)
{
	const char *call;

	if (p->class)
		return is_of_class(p->class, name);
	if (p->regex)
		return matches_regex(p->regex, name);
	call = get_call_name(p, name);
	return matches(p->event, name->event) || (call && matches_call(p->event, call));
}

/* Writes a hint for when no name is similar. */
static void suggest_lister(const struct kt_event_names *names, char *hint, size_t size)
{
	snprintf(hint, size, "; see '%s'", kt_event_names_lister(names));
}

static int fail_at_system(const struct pattern *p, const struct kt_event_names *names,
			  struct kt_error *err)
{
	struct kt_suggestion near = kt_suggestion_for(p->system);
	char hint[256];
	size_t i;

	for (i = 0; i < kt_event_names_count(names); i++)
		kt_suggestion_offer(&near, kt_event_names_at(names, i)->system);
	if (near.name)
		snprintf(hint, sizeof(hint), "; did you mean '%s:%s'?", near.name, p->event);
	else
		suggest_lister(names, hint, sizeof(hint));
	return kt_fail_at(err, ENOENT, p->text, 0, strlen(p->system),
			  "no system of events%s %s '%s'%s", kt_event_names_there(names),
			  get_verb(p->system), p->system, hint);
}

/* The most likely name. */
struct guess {
	struct kt_suggestion near;
	const char *system; /* the system of near.name */
};

static void offer_name(struct guess *g, const char *system, const char *event)
{
	kt_suggestion_offer(&g->near, event);
	if (g->near.name == event)
		g->system = system;
}

/* Looks for a similar name in the systems that the pattern means. */
static struct guess guess_event(const struct pattern *p, const struct kt_event_names *names)
{
	struct guess g = {.near = kt_suggestion_for(p->event)};
	const struct kt_event_name *name;
	const char *call;
	size_t i;

	for (i = 0; i < kt_event_names_count(names); i++) {
		name = kt_event_names_at(names, i);
		if (!matches(p->system, name->system))
			continue;
		offer_name(&g, name->system, name->event);
		call = get_call_name(p, name);
		if (!call)
			continue;
		offer_name(&g, name->system, call);
		offer_name(&g, name->system, kt_syscall_known_as(call));
	}
	return g;
}

static bool is_call_named(const char *call, const char *name)
{
	return !strcmp(name, call) || !strcmp(name, kt_syscall_known_as(call));
}

/* Looks for the right name in another system, or a call without its system. */
static struct guess find_elsewhere(const struct pattern *p, const struct kt_event_names *names)
{
	const struct kt_event_name *name;
	enum kt_side side;
	const char *call;
	size_t i;

	for (i = 0; i < kt_event_names_count(names); i++) {
		name = kt_event_names_at(names, i);
		call = kt_syscall_of(name->system, name->event, &side);
		if (!strcmp(p->event, name->event) || (call && is_call_named(call, p->event)))
			return (struct guess){{.name = p->event}, name->system};
	}
	return (struct guess){};
}

static bool is_system(const struct kt_event_names *names, const char *text)
{
	size_t i;

	for (i = 0; i < kt_event_names_count(names); i++)
		if (!strcmp(text, kt_event_names_at(names, i)->system))
			return true;
	return false;
}

/* Writes a hint about an event that the pattern's systems lack. */
static void suggest_event(const struct pattern *p, const struct kt_event_names *names, char *hint,
			  size_t size)
{
	struct guess g;

	if (!p->system && is_system(names, p->event)) {
		snprintf(hint, size, "; the system's events are '%s:*'", p->event);
		return;
	}
	g = find_elsewhere(p, names);
	if (!g.system)
		g = guess_event(p, names);
	if (g.system)
		snprintf(hint, size, "; did you mean '%s:%s'?", g.system, g.near.name);
	else
		suggest_lister(names, hint, size);
}

static int fail_at_event(const struct pattern *p, const struct kt_event_names *names,
			 struct kt_error *err)
{
	char of[160] = "", hint[256];

	suggest_event(p, names, hint, sizeof(hint));
	if (p->system)
		snprintf(of, sizeof(of), " of '%s'", p->system);
	return kt_fail_at(err, ENOENT, p->text, p->event - p->text, strlen(p->event),
			  "no event%s%s %s '%s'%s", of, kt_event_names_there(names),
			  get_verb(p->event), p->event, hint);
}

static int fail_to_find_class(const struct pattern *p, struct kt_error *err)
{
	struct kt_suggestion near = kt_suggestion_for(p->event + 1);
	char hint[256];
	size_t i, n = 0;

	for (i = 0; kt_syscall_class_name(i); i++)
		kt_suggestion_offer(&near, kt_syscall_class_name(i));
	if (near.name)
		snprintf(hint, sizeof(hint), "did you mean '%%%s'?", near.name);
	else
		for (i = 0; kt_syscall_class_name(i); i++)
			n += snprintf(hint + n, sizeof(hint) - n, "%s%%%s", i ? ", " : "expected ",
				      kt_syscall_class_name(i));
	return kt_fail_at(err, ENOENT, p->text, p->event - p->text, strlen(p->event),
			  "unknown class of system calls '%s'; %s", p->event, hint);
}

static int fail_at_class(const struct pattern *p, const struct kt_event_names *names,
			 struct kt_error *err)
{
	char of[160] = "", hint[256];

	suggest_lister(names, hint, sizeof(hint));
	if (p->system) {
		snprintf(of, sizeof(of), " of '%s'", p->system);
		snprintf(hint, sizeof(hint), "; did you mean '%s'?", p->event);
	}
	return kt_fail_at(err, ENOENT, p->text, p->event - p->text, strlen(p->event),
			  "no event%s%s is of the class '%s'%s", of, kt_event_names_there(names),
			  p->event, hint);
}

static int select_event(const struct pattern *p, const struct kt_event_names *names, bool *selected,
			struct kt_error *err)
{
	bool system_known = false;
	const struct kt_event_name *name;
	int count = 0;
	size_t i;

	for (i = 0; i < kt_event_names_count(names); i++) {
		name = kt_event_names_at(names, i);
		if (!matches(p->system, name->system))
			continue;
		system_known = true;
		if (!matches_name(p, name))
			continue;
		selected[i] = true;
		count++;
	}
	if (count)
		return count;
	if (p->system && !system_known)
		return fail_at_system(p, names, err);
	return p->class ? fail_at_class(p, names, err) : fail_at_event(p, names, err);
}

static int check_glob(const struct pattern *p, struct kt_error *err)
{
	const char *unclosed = kt_glob_unclosed(p->text, strlen(p->text));

	return unclosed ? kt_fail_at(err, EINVAL, p->text, unclosed - p->text, strlen(unclosed),
				     "missing ']'")
			: 0;
}

static int compile_regex(const struct pattern *p, regex_t *regex, struct kt_error *err)
{
	int ret = regcomp(regex, p->event + 1, REG_EXTENDED | REG_NOSUB);
	char why[128];

	if (ret == 0)
		return 0;
	regerror(ret, regex, why, sizeof(why));
	return kt_fail_at(err, EINVAL, p->text, p->event - p->text, strlen(p->event),
			  "not a regular expression: %s", why);
}

int kt_event_pattern_select(const char *pattern, const struct kt_event_names *names, bool *selected,
			    struct kt_error *err)
{
	const char *colon = *pattern == '/' ? NULL : strchr(pattern, ':');
	struct pattern p = {.text = pattern, .event = colon ? colon + 1 : pattern};
	regex_t regex;
	int r = 0;

	if (!*p.event)
		return kt_fail_at(err, EINVAL, pattern, strlen(pattern), 1, "missing event name");
	if (colon == pattern)
		return kt_fail_at(err, EINVAL, pattern, 0, 1, "missing system name");
	if (*p.event == '%') {
		p.class = kt_syscall_class_find(p.event + 1);
		if (!p.class)
			return fail_to_find_class(&p, err);
	}
	if (*p.event == '/') {
		if (compile_regex(&p, &regex, err) < 0)
			return -err->code;
		p.regex = &regex;
	} else if (check_glob(&p, err) < 0) {
		return -err->code;
	}
	if (colon) {
		p.system = strndup(pattern, colon - pattern);
		r = p.system ? 0 : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	}
	if (r == 0)
		r = select_event(&p, names, selected, err);
	if (p.regex)
		regfree(p.regex);
	free(p.system);
	return r;
}
