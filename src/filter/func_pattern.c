// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/func_pattern.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "events/event_names.h"
#include "events/glob.h"
#include "events/kernel_functions.h"
#include "events/point.h"
#include "events/tracefs.h"
#include "filter/point_matches.h"
#include "filter/suggest.h"

static const char symbols[] = "/proc/kallsyms", kernel[] = "vmlinux";

/* A pattern's parts. */
struct parts {
	const char *typed;
	char *copy;         /* which the parts point into */
	const char *module; /* NULL: any */
	bool is_return;
	const char *name;
};

struct adding {
	struct parts p;
	struct kt_event_names *names;
	struct kt_point_matches *matches;
	struct kt_error *err;
};

#define FAIL_AT_NAME(a, code, ...)                                                               \
	kt_fail_at((a)->err, code, (a)->p.typed, (a)->p.name - (a)->p.copy, strlen((a)->p.name), \
		   __VA_ARGS__)

static bool is_glob(const char *text)
{
	return strpbrk(text, "*?[");
}

static int split(struct adding *a, const char *typed)
{
	char *rest, *colon;

	a->p = (struct parts){.typed = typed, .copy = strdup(typed)};
	if (!a->p.copy)
		return kt_fail(a->err, ENOMEM, "%s", strerror(ENOMEM));
	rest = strchr(a->p.copy, ':') + 1;
	a->p.is_return = kt_point_cut_return(rest);
	colon = strchr(rest, ':');
	if (colon) {
		*colon = '\0';
		a->p.module = rest;
		rest = colon + 1;
	}
	a->p.name = rest;
	if (!*rest)
		return kt_fail_at(a->err, EINVAL, typed, strlen(typed), 1,
				  "missing function: func:FUNCTION");
	if (kt_glob_unclosed(rest, strlen(rest)))
		return FAIL_AT_NAME(a, EINVAL, "missing ']'");
	return 0;
}

static bool is_of_module(const struct adding *a, const struct kt_kernel_function *f)
{
	return !a->p.module ||
	       fnmatch(a->p.module, f->module ? f->module : kernel, FNM_NOESCAPE) == 0;
}

static bool is_same_name(const struct kt_kernel_function *a, const struct kt_kernel_function *b)
{
	if (strcmp(a->name, b->name) != 0)
		return false;
	return a->module && b->module ? strcmp(a->module, b->module) == 0 : a->module == b->module;
}

/* Writes a point's name. Returns NULL without memory. */
static char *format_name(const struct kt_kernel_function *f, bool is_return)
{
	const char *module = f->module ? f->module : "", *colon = f->module ? ":" : "";
	char *name;

	if (asprintf(&name, "%s%s%s%s", module, colon, f->name, is_return ? KT_POINT_RETURN : "") <
	    0)
		return NULL;
	return name;
}

static int add_point(struct adding *a, const struct kt_kernel_function *f,
		     struct kt_point_site *sites, size_t n)
{
	const struct kt_point point = {
		.is_return = a->p.is_return,
		.by_registers = n > 1,
		.function = f->name,
		.module = f->module,
		.n = n,
		.sites = sites,
	};
	char *name = format_name(f, a->p.is_return);
	int ret = name ? kt_point_matches_add(a->matches, a->names,
					      (struct kt_event_name){KT_FUNC_SYSTEM, name}, &point,
					      a->err)
		       : kt_fail(a->err, ENOMEM, "%s", strerror(ENOMEM));

	free(name);
	return ret;
}

/* Adds an event with n functions of one name. The list may have one of them twice. */
static int add_functions(struct adding *a, const struct kt_kernel_function *of, size_t n)
{
	struct kt_point_site *sites = calloc(n, sizeof(*sites));
	size_t i, n_sites = 0;
	int ret;

	if (!sites)
		return kt_fail(a->err, ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < n; i++)
		if (i == 0 || !of[i].address || of[i].address != of[i - 1].address)
			sites[n_sites++].offset = of[i].address;
	if (n_sites > 1 && !of[0].address)
		ret = FAIL_AT_NAME(a, EPERM,
				   "the kernel has %zu functions '%s', and hides their addresses "
				   "(kernel.kptr_restrict, CAP_SYSLOG)",
				   n_sites, of->name);
	else
		ret = add_point(a, of, sites, n_sites);
	free(sites);
	return ret;
}

static int add_all(struct adding *a, const struct kt_kernel_functions *f)
{
	size_t i, next;
	int ret = 0;

	for (i = 0; ret == 0 && i < f->n; i = next) {
		next = i + 1;
		while (next < f->n && is_same_name(&f->of[i], &f->of[next]))
			next++;
		if (is_of_module(a, &f->of[i]))
			ret = add_functions(a, &f->of[i], next - i);
	}
	return ret;
}

/* Finds the nearest name, or a copy of the function that the compiler has changed. */
static const char *find_similar(const struct adding *a, const struct kt_kernel_functions *all)
{
	struct kt_suggestion near = kt_suggestion_for(a->p.name);
	size_t i, len = strlen(a->p.name);

	for (i = 0; i < all->n; i++) {
		if (!is_of_module(a, &all->of[i]))
			continue;
		if (strncmp(all->of[i].name, a->p.name, len) == 0 && all->of[i].name[len] == '.')
			return all->of[i].name;
		kt_suggestion_offer(&near, all->of[i].name);
	}
	return near.name;
}

static bool has_module(const struct adding *a, const struct kt_kernel_functions *all)
{
	size_t i = 0;

	while (i < all->n && !is_of_module(a, &all->of[i]))
		i++;
	return i < all->n;
}

static int fail_to_find(const struct adding *a)
{
	struct kt_kernel_functions *all = kt_kernel_functions_read(symbols, "*", a->err);
	const char *similar;

	if (!all)
		return -a->err->code;
	similar = find_similar(a, all);
	if (!has_module(a, all))
		kt_fail_at(a->err, ENOENT, a->p.typed, a->p.module - a->p.copy, strlen(a->p.module),
			   "no module '%s' is loaded", a->p.module);
	else if (similar)
		FAIL_AT_NAME(a, ENOENT, "the kernel has no function '%s'; did you mean '%s'?",
			     a->p.name, similar);
	else
		FAIL_AT_NAME(a, ENOENT,
			     "the kernel has no function '%s'; the compiler may have made it a "
			     "part of its callers (inlined it)",
			     a->p.name);
	kt_kernel_functions_free(all);
	return -a->err->code;
}

static void keep_traceable(struct kt_kernel_functions *f)
{
	struct kt_error ignored;
	int tracefs = kt_tracefs_open(&ignored);

	if (tracefs < 0)
		return;
	kt_kernel_functions_keep_traceable(f, tracefs);
	close(tracefs);
}

static int add_matching(struct adding *a)
{
	struct kt_kernel_functions *f = kt_kernel_functions_read(symbols, a->p.name, a->err);
	size_t before = a->matches->n;
	int ret;

	if (!f)
		return -a->err->code;
	if (is_glob(a->p.name))
		keep_traceable(f);
	ret = add_all(a, f);
	kt_kernel_functions_free(f);
	if (ret < 0 || a->matches->n > before)
		return ret;
	if (!is_glob(a->p.name))
		return fail_to_find(a);
	return FAIL_AT_NAME(a, ENOENT, "no function of the kernel matches '%s'", a->p.name);
}

int kt_func_pattern_add(const char *pattern, struct kt_event_names *names,
			struct kt_point_matches *matches, struct kt_error *err)
{
	struct adding a = {.names = names, .matches = matches, .err = err};
	int ret = split(&a, pattern);

	if (ret == 0)
		ret = add_matching(&a);
	free(a.p.copy);
	return ret;
}
