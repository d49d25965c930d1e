// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/point_pattern.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "elf/binary_lookup.h"
#include "elf/elf_file.h"
#include "elf/function_symbols.h"
#include "elf/instructions.h"
#include "elf/unwind_table.h"
#include "events/event_names.h"
#include "events/glob.h"
#include "events/point.h"
#include "filter/suggest.h"

static const char prefix[] = KT_UPROBE_SYSTEM ":", suffix[] = ":return";

/* A pattern's parts, in a copy of its text. */
struct parts {
	const char *pattern; /* as it was typed */
	char *copy;
	char *file, *function;
	size_t file_at, function_at; /* their places in pattern */
	uint64_t plus;               /* offset in the function */
	bool is_return;
};

struct adding {
	const struct parts *p;
	struct kt_event_names *names;
	struct kt_point_matches *matches;
	struct kt_error *err;
	char path[PATH_MAX];
	const char *called; /* the file's name in names of points */
	struct kt_elf_file *file, *debug;
	struct kt_function_symbols *symbols;
};

bool kt_point_pattern_is(const char *pattern)
{
	return strncmp(pattern, prefix, sizeof(prefix) - 1) == 0;
}

static bool is_glob(const char *text)
{
	return strpbrk(text, "*?[");
}

static int fail_at_file(const struct parts *p, struct kt_error *err)
{
	err->typed = p->pattern;
	err->at = p->file_at;
	err->len = strlen(p->file);
	return -err->code;
}

#define FAIL_AT_FUNCTION(p, err, code, ...) \
	kt_fail_at(err, code, (p)->pattern, (p)->function_at, strlen((p)->function), __VA_ARGS__)

/* Cuts "+OFFSET" off the function. */
static int split_offset(struct parts *p, struct kt_error *err)
{
	char *plus = strrchr(p->function, '+'), *end;

	if (!plus || !isdigit((unsigned char)plus[1]))
		return 0;
	errno = 0;
	p->plus = strtoull(plus + 1, &end, 0);
	if (*end || errno)
		return kt_fail_at(err, EINVAL, p->pattern,
				  p->function_at + (plus + 1 - p->function), strlen(plus + 1),
				  "not an offset: '%s'", plus + 1);
	*plus = '\0';
	return 0;
}

/* Cuts ":return" off the copy. */
static void split_side(struct parts *p)
{
	size_t len = strlen(p->copy), n = sizeof(suffix) - 1;

	p->is_return = len > n && strcmp(p->copy + len - n, suffix) == 0;
	if (p->is_return)
		p->copy[len - n] = '\0';
}

static int split_pattern(struct parts *p, struct kt_error *err)
{
	size_t end = strlen(p->pattern);
	char *colon;

	split_side(p);
	p->file_at = sizeof(prefix) - 1;
	p->file = p->copy + p->file_at;
	colon = strchr(p->file, ':');
	if (colon == p->file || !*p->file)
		return kt_fail_at(err, EINVAL, p->pattern, p->file_at, 1,
				  "missing program or library");
	if (!colon || !colon[1])
		return kt_fail_at(err, EINVAL, p->pattern, end, 1,
				  "missing function: uprobe:FILE:FUNCTION");
	*colon = '\0';
	p->function = colon + 1;
	p->function_at = p->function - p->copy;
	if (split_offset(p, err) < 0)
		return -err->code;
	if (p->plus && p->is_return)
		return FAIL_AT_FUNCTION(p, err, EINVAL, "a return has no offset");
	if (p->plus && is_glob(p->function))
		return FAIL_AT_FUNCTION(p, err, EINVAL,
					"an offset needs a function's name without '*', '?', '['");
	return 0;
}

/*
 * Writes a point's name, in ASCII as all names of events; the file is called `file`. Returns NULL
 * without memory.
 */
static char *format_name(const struct parts *p, const char *file, const char *function)
{
	char plus[32] = "", *name, *c;

	if (p->plus)
		snprintf(plus, sizeof(plus), "+%#" PRIx64, p->plus);
	if (asprintf(&name, "%s:%s%s%s", file, function, plus, p->is_return ? suffix : "") < 0)
		return NULL;
	for (c = name; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return name;
}

static int add_match(struct kt_point_matches *m, size_t index)
{
	size_t *larger = kt_grow(m->at, m->n, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	m->at = larger;
	m->at[m->n++] = index;
	return 0;
}

static int add_point(struct adding *a, const char *function, struct kt_point_site *sites, size_t n,
		     bool is_inside)
{
	const struct kt_point point = {
		.is_return = a->p->is_return,
		.is_inside = is_inside,
		.path = a->path,
		.file = kt_elf_file_identity(a->file),
		.n = n,
		.sites = sites,
	};
	char *name = format_name(a->p, a->called, function);
	struct kt_event_name full = {KT_UPROBE_SYSTEM, name};
	size_t index;
	int ret = name ? kt_event_names_add(a->names, full, &point, &index) : -ENOMEM;

	free(name);
	if (ret == 0)
		ret = add_match(a->matches, index);
	return ret < 0 ? kt_fail(a->err, -ret, "%s", strerror(-ret)) : 0;
}

/* Adds a point with all functions of one name. */
static int add_functions(struct adding *a, const struct kt_function_symbol *const *of, size_t n)
{
	struct kt_point_site *sites = calloc(n, sizeof(*sites));
	size_t i;
	int ret;

	if (!sites)
		return kt_fail(a->err, ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < n; i++)
		sites[i].offset = of[i]->offset + a->p->plus;
	ret = add_point(a, of[0]->name, sites, n, a->p->plus);
	free(sites);
	return ret;
}

/* Checks that an instruction of the function begins at the offset. */
static int check_offset(const struct adding *a, const struct kt_function_symbol *f)
{
	if (!a->p->plus)
		return 0;
	if (f->size && a->p->plus >= f->size)
		return FAIL_AT_FUNCTION(a->p, a->err, ERANGE, "'%s' has only %" PRIu64 " bytes",
					f->name, f->size);
	if (kt_instruction_begins(a->file, f->address, f->address + a->p->plus))
		return 0;
	return FAIL_AT_FUNCTION(a->p, a->err, EINVAL,
				"no instruction of '%s' begins at +%#" PRIx64
				"; see 'objdump -d --disassemble=%s %s'",
				f->name, a->p->plus, f->name, a->path);
}

static int check_function(const struct adding *a, const struct kt_function_symbol *f)
{
	if (f->is_indirect)
		return FAIL_AT_FUNCTION(a->p, a->err, EOPNOTSUPP,
					"'%s' is an indirect function: its code runs once and "
					"chooses another one, which is the one to probe",
					f->name);
	return check_offset(a, f);
}

static int add_exact(struct adding *a, size_t first, size_t n)
{
	const struct kt_function_symbol **of = calloc(n, sizeof(*of));
	int ret = 0;
	size_t i;

	if (!of)
		return kt_fail(a->err, ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; ret == 0 && i < n; i++) {
		of[i] = kt_function_symbols_at(a->symbols, first + i);
		ret = check_function(a, of[i]);
	}
	if (ret == 0)
		ret = add_functions(a, of, n);
	free(of);
	return ret;
}

static size_t count_underscores(const char *name)
{
	return strspn(name, "_");
}

/* By address, then the name first that most users know. */
static int compare_aliases(const void *a, const void *b)
{
	const struct kt_function_symbol *x = *(const struct kt_function_symbol *const *)a;
	const struct kt_function_symbol *y = *(const struct kt_function_symbol *const *)b;
	bool x_local = x->binding == STB_LOCAL, y_local = y->binding == STB_LOCAL;
	size_t m = count_underscores(x->name), n = count_underscores(y->name);

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x_local != y_local)
		return x_local - y_local;
	if (m != n)
		return m < n ? -1 : 1;
	m = strlen(x->name);
	n = strlen(y->name);
	return m != n ? (m < n ? -1 : 1) : strcmp(x->name, y->name);
}

static int compare_names(const void *a, const void *b)
{
	const struct kt_function_symbol *x = *(const struct kt_function_symbol *const *)a;
	const struct kt_function_symbol *y = *(const struct kt_function_symbol *const *)b;
	int by_name = strcmp(x->name, y->name);

	return by_name ? by_name : x->address < y->address ? -1 : x->address > y->address;
}

/* Returns whether the symbol is a part that the compiler has split off, where no call begins. */
static bool is_part(const char *name)
{
	const char *dot = strstr(name, ".cold");

	return dot && (!dot[5] || dot[5] == '.');
}

/* Finds the functions that match a glob: one symbol for each address. Returns their number. */
static size_t find_matching(const struct adding *a, const struct kt_function_symbol **of)
{
	const struct kt_function_symbol *f;
	size_t i, n = 0, kept = 0;

	for (i = 0; (f = kt_function_symbols_at(a->symbols, i)); i++)
		if (!f->is_indirect && !is_part(f->name) &&
		    !fnmatch(a->p->function, f->name, FNM_NOESCAPE))
			of[n++] = f;
	qsort(of, n, sizeof(*of), compare_aliases);
	for (i = 0; i < n; i++)
		if (!kept || of[kept - 1]->address != of[i]->address)
			of[kept++] = of[i];
	qsort(of, kept, sizeof(*of), compare_names);
	return kept;
}

static int add_named(struct adding *a, const char *name)
{
	size_t first = kt_function_symbols_find(a->symbols, name), end = first;
	const struct kt_function_symbol *f;

	while ((f = kt_function_symbols_at(a->symbols, end)) && !strcmp(f->name, name))
		end++;
	return end > first ? add_exact(a, first, end - first) : 0;
}

/* Adds each function under the name that was chosen for it. */
static int add_matching(struct adding *a)
{
	size_t n = kt_function_symbols_count(a->symbols), i;
	const struct kt_function_symbol **of = calloc(n, sizeof(*of));
	int ret = 0;

	if (!of)
		return kt_fail(a->err, ENOMEM, "%s", strerror(ENOMEM));
	n = find_matching(a, of);
	for (i = 0; ret == 0 && i < n; i++)
		if (i == 0 || strcmp(of[i - 1]->name, of[i]->name) != 0)
			ret = add_named(a, of[i]->name);
	free(of);
	if (ret == 0 && n == 0)
		return FAIL_AT_FUNCTION(a->p, a->err, ENOENT, "no function of %s matches '%s'",
					a->path, a->p->function);
	return ret;
}

/* Finds the nearest name, or a version of the function that the compiler has specialized. */
static const char *find_similar(const struct adding *a)
{
	struct kt_suggestion near = kt_suggestion_for(a->p->function);
	const struct kt_function_symbol *f;
	size_t i, len = strlen(a->p->function);

	for (i = 0; (f = kt_function_symbols_at(a->symbols, i)); i++) {
		if (strncmp(f->name, a->p->function, len) == 0 && f->name[len] == '.' &&
		    !is_part(f->name))
			return f->name;
		kt_suggestion_offer(&near, f->name);
	}
	return near.name;
}

static int fail_to_find(const struct adding *a)
{
	const char *similar = find_similar(a);

	if (similar)
		return FAIL_AT_FUNCTION(a->p, a->err, ENOENT,
					"no function '%s' in %s; did you mean '%s'?",
					a->p->function, a->path, similar);
	return FAIL_AT_FUNCTION(a->p, a->err, ENOENT,
				"no function '%s' in %s; see 'ktrace list uprobe:%s:*'",
				a->p->function, a->path, a->p->file);
}

static int fail_without_symbols(const struct adding *a)
{
	const char *id = kt_elf_file_build_id(a->file);

	FAIL_AT_FUNCTION(a->p, a->err, ENODATA,
			 "%s has no symbols (it is stripped); install its debug symbols%s%s, or "
			 "give an address: uprobe:%s:0x401000",
			 a->path, *id ? " of build id " : "", id, a->p->file);
	return -a->err->code;
}

/*
 * Checks that an instruction begins at an address. Sets *is_inside unless it is a function's first
 * one.
 */
static int check_address(const struct adding *a, uint64_t address, bool *is_inside)
{
	uint64_t start;

	if (kt_unwind_table_find(a->file, address, &start) &&
	    kt_instruction_begins(a->file, start, address)) {
		*is_inside = address != start;
		return 0;
	}
	return FAIL_AT_FUNCTION(a->p, a->err, EINVAL, "no known instruction of %s begins at %s",
				a->path, a->p->function);
}

/* Adds the instruction at an address. */
static int add_address(struct adding *a)
{
	struct kt_point_site site;
	uint64_t address;
	char *end, name[32];
	bool is_inside = false;

	errno = 0;
	address = strtoull(a->p->function, &end, 16) + a->p->plus;
	if (*end || errno)
		return FAIL_AT_FUNCTION(a->p, a->err, EINVAL, "not an address: '%s'",
					a->p->function);
	if (!kt_elf_file_offset(a->file, address, &site.offset))
		return FAIL_AT_FUNCTION(a->p, a->err, ENOENT, "%s has no code at %s", a->path,
					a->p->function);
	if (check_address(a, address, &is_inside) < 0)
		return -a->err->code;
	if (is_inside && a->p->is_return)
		return FAIL_AT_FUNCTION(a->p, a->err, EINVAL, "no function begins at %s",
					a->p->function);
	snprintf(name, sizeof(name), "%#" PRIx64, address - a->p->plus);
	return add_point(a, name, &site, 1, is_inside);
}

static int add_by_symbols(struct adding *a)
{
	size_t before = a->matches->n;

	if (!kt_function_symbols_count(a->symbols))
		return fail_without_symbols(a);
	if (add_named(a, a->p->function) < 0)
		return -a->err->code;
	if (a->matches->n > before)
		return 0;
	return is_glob(a->p->function) ? add_matching(a) : fail_to_find(a);
}

static int add_of_file(struct adding *a, const char *root)
{
	int ret;

	a->file = kt_elf_file_open(a->path, a->err);
	if (!a->file)
		return fail_at_file(a->p, a->err);
	if (strncmp(a->p->function, "0x", 2) == 0)
		return add_address(a);
	a->debug = kt_elf_file_open_debug(a->file, root);
	a->symbols = kt_function_symbols_read(a->file, a->debug, a->err);
	ret = a->symbols ? add_by_symbols(a) : -a->err->code;
	kt_function_symbols_free(a->symbols);
	kt_elf_file_close(a->debug);
	return ret;
}

/* Returns whether points of another file begin with that name. */
static bool is_taken(const struct adding *a, const char *called)
{
	size_t i = kt_event_names_count(a->names), len = strlen(called);
	const struct kt_point *point;
	const char *name;

	while (i > 0 && (point = kt_event_names_point(a->names, --i))) {
		name = kt_event_names_at(a->names, i)->event;
		if (strncmp(name, called, len) == 0 && name[len] == ':' &&
		    strcmp(point->path, a->path) != 0)
			return true;
	}
	return false;
}

/* Calls the file by its last name, or by its path if another file has that name, too. */
static void name_file(struct adding *a)
{
	const char *last = strrchr(a->path, '/') + 1;

	a->called = is_taken(a, last) ? a->path : last;
}

static int add_parts(struct adding *a, struct parts *p, const char *root)
{
	int ret = split_pattern(p, a->err);

	if (ret == 0 && kt_glob_unclosed(p->function, strlen(p->function)))
		ret = FAIL_AT_FUNCTION(p, a->err, EINVAL, "missing ']'");
	if (ret < 0)
		return ret;
	if (kt_binary_lookup(p->file, root, a->path, a->err) < 0)
		return fail_at_file(p, a->err);
	name_file(a);
	ret = add_of_file(a, root);
	kt_elf_file_close(a->file);
	return ret;
}

int kt_point_pattern_add(const char *pattern, const char *root, struct kt_event_names *names,
			 struct kt_point_matches *matches, struct kt_error *err)
{
	struct parts p = {.pattern = pattern, .copy = strdup(pattern)};
	struct adding a = {.p = &p, .names = names, .matches = matches, .err = err};
	int ret;

	if (!p.copy)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	ret = add_parts(&a, &p, root);
	free(p.copy);
	return ret;
}
