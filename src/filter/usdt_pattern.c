// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/usdt_pattern.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "elf/data_symbol.h"
#include "elf/usdt_notes.h"
#include "events/glob.h"
#include "events/point.h"
#include "filter/file_points.h"
#include "filter/point_matches.h"
#include "filter/suggest.h"

struct adding {
	struct kt_file_pattern p; /* its rest is PROVIDER:NAME or NAME */
	const char *provider, *name;
	struct kt_file_points of;
	struct kt_usdt_notes *notes;
	struct kt_error *err;
};

#define FAIL_AT_MARK(a, code, ...)                                          \
	kt_fail_at((a)->err, code, (a)->p.typed, (a)->p.rest - (a)->p.copy, \
		   strlen((a)->p.typed + ((a)->p.rest - (a)->p.copy)), __VA_ARGS__)

static bool find_symbol(const void *of, const char *name, size_t n, uint64_t *address)
{
	const struct kt_file_points *points = of;

	return kt_data_symbol_find(points->file, points->debug, name, n, address);
}

/* Parses a site's arguments to a row. Returns their number. */
static size_t parse_row(const struct adding *a, const struct kt_usdt_note *note,
			struct kt_usdt_argument *row)
{
	const struct kt_usdt_symbols symbols = {
		.find = find_symbol,
		.of = &a->of,
		.site = note->address,
	};

	return kt_usdt_arguments_parse(note->arguments, &symbols, row);
}

static bool is_same_argument(const struct kt_usdt_argument *x, const struct kt_usdt_argument *y)
{
	return x->place == y->place && x->size == y->size && x->is_signed == y->is_signed &&
	       x->base == y->base && x->index == y->index && x->scale == y->scale &&
	       x->first_bit == y->first_bit && x->number == y->number;
}

/* Returns the index of a row like the one at `row`, which may be that one. */
static unsigned int find_row(const struct kt_point *p, const struct kt_usdt_argument *row)
{
	const struct kt_usdt_argument *at = p->arguments;
	size_t i;

	for (; at < row; at += p->n_arguments) {
		i = 0;
		while (i < p->n_arguments && is_same_argument(&at[i], &row[i]))
			i++;
		if (i == p->n_arguments)
			break;
	}
	return p->n_arguments ? (at - p->arguments) / p->n_arguments : 0;
}

/* Adds a row, whose first n_arguments all sites have, unless there is one like it. */
static void add_row(struct kt_point *p, struct kt_point_site *site,
		    const struct kt_usdt_argument *row)
{
	struct kt_usdt_argument *to = p->arguments + p->n_rows * p->n_arguments;

	memcpy(to, row, p->n_arguments * sizeof(*row));
	site->row = find_row(p, to);
	if (site->row == p->n_rows)
		p->n_rows++;
}

/* Stores the sites of n notes, and their arguments: as many as all of them have. */
static void fill_point(const struct adding *a, const struct kt_usdt_note *notes, struct kt_point *p)
{
	struct kt_usdt_argument row[KT_USDT_ARGUMENTS_MAX];
	size_t i, n;

	p->n_arguments = KT_USDT_ARGUMENTS_MAX;
	for (i = 0; i < p->n; i++) {
		n = parse_row(a, &notes[i], row);
		if (n < p->n_arguments)
			p->n_arguments = n;
	}
	for (i = 0; i < p->n; i++) {
		p->sites[i].offset = notes[i].offset;
		p->sites[i].semaphore = notes[i].semaphore;
		parse_row(a, &notes[i], row);
		add_row(p, &p->sites[i], row);
	}
}

/* Adds the mark of n notes. */
static int add_mark(struct adding *a, const struct kt_usdt_note *notes, size_t n)
{
	struct kt_point point = {
		.is_mark = true,
		.n = n,
		.sites = calloc(n, sizeof(*point.sites)),
		.arguments = calloc(n * KT_USDT_ARGUMENTS_MAX, sizeof(*point.arguments)),
	};
	char *name = NULL;
	int ret;

	if (!point.sites || !point.arguments ||
	    asprintf(&name, "%s:%s", notes->provider, notes->name) < 0) {
		ret = kt_fail(a->err, ENOMEM, "%s", strerror(ENOMEM));
	} else {
		fill_point(a, notes, &point);
		ret = kt_file_points_add(&a->of, KT_USDT_SYSTEM, name, &point, a->err);
		free(name);
	}
	free(point.arguments);
	free(point.sites);
	return ret;
}

static bool is_meant(const struct adding *a, const struct kt_usdt_note *note)
{
	return fnmatch(a->provider, note->provider, FNM_NOESCAPE) == 0 &&
	       fnmatch(a->name, note->name, FNM_NOESCAPE) == 0;
}

/* Returns the number of notes of the mark that begins at i. */
static size_t count_sites(const struct kt_usdt_notes *notes, size_t i)
{
	const struct kt_usdt_note *first = &notes->at[i];
	size_t n = 1;

	while (i + n < notes->n && strcmp(first[n].provider, first->provider) == 0 &&
	       strcmp(first[n].name, first->name) == 0)
		n++;
	return n;
}

/* Suggests the nearest mark: with its provider, if one was typed. */
static int fail_to_find(const struct adding *a)
{
	bool has_provider = strcmp(a->provider, "*") != 0;
	struct kt_suggestion near = kt_suggestion_for(a->name);
	size_t i;

	for (i = 0; i < a->notes->n; i++)
		if (!has_provider || strcmp(a->provider, a->notes->at[i].provider) == 0)
			kt_suggestion_offer(&near, a->notes->at[i].name);
	if (near.name)
		return FAIL_AT_MARK(a, ENOENT, "no such USDT mark in %s; did you mean '%s'?",
				    a->of.path, near.name);
	return FAIL_AT_MARK(a, ENOENT, "no such USDT mark in %s; see 'ktrace list usdt:%s:*'",
			    a->of.path, a->p.file);
}

static int add_marks(struct adding *a)
{
	size_t before = a->of.matches->n, i, n;
	int ret = 0;

	if (!a->notes->n)
		return FAIL_AT_MARK(a, ENODATA, "%s has no USDT marks", a->of.path);
	for (i = 0; ret == 0 && i < a->notes->n; i += n) {
		n = count_sites(a->notes, i);
		if (is_meant(a, &a->notes->at[i]))
			ret = add_mark(a, &a->notes->at[i], n);
	}
	return ret == 0 && a->of.matches->n == before ? fail_to_find(a) : ret;
}

static int add_of_file(struct adding *a)
{
	int ret;

	a->notes = kt_usdt_notes_read(a->of.file, a->err);
	ret = a->notes ? add_marks(a) : -a->err->code;
	kt_usdt_notes_free(a->notes);
	return ret;
}

static int split_mark(struct adding *a)
{
	char *colon = strchr(a->p.rest, ':');

	if (kt_glob_unclosed(a->p.rest, strlen(a->p.rest)))
		return FAIL_AT_MARK(a, EINVAL, "missing ']'");
	a->provider = colon ? a->p.rest : "*";
	a->name = colon ? colon + 1 : a->p.rest;
	if (colon)
		*colon = '\0';
	if (!*a->provider || !*a->name || strchr(a->name, ':'))
		return FAIL_AT_MARK(a, EINVAL,
				    "not a USDT mark: usdt:FILE:PROVIDER:NAME, or usdt:FILE:NAME");
	return 0;
}

int kt_usdt_pattern_add(const char *pattern, const char *root, struct kt_event_names *names,
			struct kt_point_matches *matches, struct kt_error *err)
{
	struct adding a = {.of = {.names = names, .matches = matches}, .err = err};
	int ret = kt_file_pattern_split(&a.p, pattern, "USDT mark: usdt:FILE:PROVIDER:NAME", err);

	if (ret < 0)
		return ret;
	ret = split_mark(&a);
	if (ret == 0)
		ret = kt_file_points_open(&a.of, &a.p, root, err);
	if (ret == 0) {
		ret = add_of_file(&a);
		kt_file_points_close(&a.of);
	}
	kt_file_pattern_free(&a.p);
	return ret;
}
