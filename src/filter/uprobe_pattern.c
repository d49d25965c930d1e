// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/uprobe_pattern.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "elf/elf_file.h"
#include "elf/function_symbols.h"
#include "elf/instructions.h"
#include "elf/unwind_table.h"
#include "events/glob.h"
#include "events/point.h"
#include "filter/file_points.h"
#include "filter/point_matches.h"
#include "filter/suggest.h"

/* A pattern's parts. */
struct parts {
	struct kt_file_pattern of; /* its rest is the function */
	uint64_t plus;             /* offset in the function */
	bool is_return;
};

struct adding {
	const struct parts *p;
	struct kt_file_points of;
	struct kt_function_symbols *symbols;
	struct kt_error *err;
};

static bool is_glob(const char *text)
{
	return strpbrk(text, "*?[");
}

#define FAIL_AT_FUNCTION(p, err, code, ...)                                                     \
	kt_fail_at(err, code, (p)->of.typed, (p)->of.rest - (p)->of.copy, strlen((p)->of.rest), \
		   __VA_ARGS__)

/* Cuts "+OFFSET" off the function. */
static int split_offset(struct parts *p, struct kt_error *err)
{
	char *plus = strrchr(p->of.rest, '+'), *end;

	if (!plus || !isdigit((unsigned char)plus[1]))
		return 0;
	errno = 0;
	p->plus = strtoull(plus + 1, &end, 0);
	if (*end || errno)
		return kt_fail_at(err, EINVAL, p->of.typed, plus + 1 - p->of.copy, strlen(plus + 1),
				  "not an offset: '%s'", plus + 1);
	*plus = '\0';
	return 0;
}

static int split_function(struct parts *p, struct kt_error *err)
{
	p->is_return = kt_point_cut_return(p->of.rest);
	if (split_offset(p, err) < 0)
		return -err->code;
	if (p->plus && p->is_return)
		return FAIL_AT_FUNCTION(p, err, EINVAL, "a return has no offset");
	if (p->plus && is_glob(p->of.rest))
		return FAIL_AT_FUNCTION(p, err, EINVAL,
					"an offset needs a function's name without '*', '?', '['");
	if (kt_glob_unclosed(p->of.rest, strlen(p->of.rest)))
		return FAIL_AT_FUNCTION(p, err, EINVAL, "missing ']'");
	return 0;
}

/* Writes the part of a point's name after the file. Returns NULL without memory. */
static char *format_name(const struct parts *p, const char *function)
{
	char plus[32] = "", *name;

	if (p->plus)
		snprintf(plus, sizeof(plus), "+%#" PRIx64, p->plus);
	if (asprintf(&name, "%s%s%s", function, plus, p->is_return ? KT_POINT_RETURN : "") < 0)
		return NULL;
	return name;
}

static int add_point(struct adding *a, const char *function, struct kt_point_site *sites, size_t n,
		     bool is_inside)
{
	const struct kt_point point = {
		.is_return = a->p->is_return,
		.is_inside = is_inside,
		.n = n,
		.sites = sites,
	};
	char *name = format_name(a->p, function);
	int ret = name ? kt_file_points_add(&a->of, KT_UPROBE_SYSTEM, name, &point, a->err)
		       : kt_fail(a->err, ENOMEM, "%s", strerror(ENOMEM));

	free(name);
	return ret;
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
	if (kt_instruction_begins(a->of.file, f->address, f->address + a->p->plus))
		return 0;
	return FAIL_AT_FUNCTION(a->p, a->err, EINVAL,
				"no instruction of '%s' begins at +%#" PRIx64
				"; see 'objdump -d --disassemble=%s %s'",
				f->name, a->p->plus, f->name, a->of.path);
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
		    !fnmatch(a->p->of.rest, f->name, FNM_NOESCAPE))
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
					a->of.path, a->p->of.rest);
	return ret;
}

/* Finds the nearest name, or a version of the function that the compiler has specialized. */
static const char *find_similar(const struct adding *a)
{
	struct kt_suggestion near = kt_suggestion_for(a->p->of.rest);
	const struct kt_function_symbol *f;
	size_t i, len = strlen(a->p->of.rest);

	for (i = 0; (f = kt_function_symbols_at(a->symbols, i)); i++) {
		if (strncmp(f->name, a->p->of.rest, len) == 0 && f->name[len] == '.' &&
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
					"no function '%s' in %s; did you mean '%s'?", a->p->of.rest,
					a->of.path, similar);
	return FAIL_AT_FUNCTION(a->p, a->err, ENOENT,
				"no function '%s' in %s; see 'ktrace list uprobe:%s:*'",
				a->p->of.rest, a->of.path, a->p->of.file);
}

static int fail_without_symbols(const struct adding *a)
{
	const char *id = kt_elf_file_build_id(a->of.file);

	FAIL_AT_FUNCTION(a->p, a->err, ENODATA,
			 "%s has no symbols (it is stripped); install its debug symbols%s%s, or "
			 "give an address: uprobe:%s:0x401000",
			 a->of.path, *id ? " of build id " : "", id, a->p->of.file);
	return -a->err->code;
}

/*
 * Checks that an instruction begins at an address. Sets *is_inside unless it is a function's first
 * one.
 */
static int check_address(const struct adding *a, uint64_t address, bool *is_inside)
{
	uint64_t start;

	if (kt_unwind_table_find(a->of.file, address, &start) &&
	    kt_instruction_begins(a->of.file, start, address)) {
		*is_inside = address != start;
		return 0;
	}
	return FAIL_AT_FUNCTION(a->p, a->err, EINVAL, "no known instruction of %s begins at %s",
				a->of.path, a->p->of.rest);
}

/* Adds the instruction at an address. */
static int add_address(struct adding *a)
{
	struct kt_point_site site;
	uint64_t address;
	char *end, name[32];
	bool is_inside = false;

	errno = 0;
	address = strtoull(a->p->of.rest, &end, 16) + a->p->plus;
	if (*end || errno)
		return FAIL_AT_FUNCTION(a->p, a->err, EINVAL, "not an address: '%s'",
					a->p->of.rest);
	if (!kt_elf_file_offset(a->of.file, address, &site.offset))
		return FAIL_AT_FUNCTION(a->p, a->err, ENOENT, "%s has no code at %s", a->of.path,
					a->p->of.rest);
	if (check_address(a, address, &is_inside) < 0)
		return -a->err->code;
	if (is_inside && a->p->is_return)
		return FAIL_AT_FUNCTION(a->p, a->err, EINVAL, "no function begins at %s",
					a->p->of.rest);
	snprintf(name, sizeof(name), "%#" PRIx64, address - a->p->plus);
	return add_point(a, name, &site, 1, is_inside);
}

static int add_by_symbols(struct adding *a)
{
	size_t before = a->of.matches->n;

	if (!kt_function_symbols_count(a->symbols))
		return fail_without_symbols(a);
	if (add_named(a, a->p->of.rest) < 0)
		return -a->err->code;
	if (a->of.matches->n > before)
		return 0;
	return is_glob(a->p->of.rest) ? add_matching(a) : fail_to_find(a);
}

static int add_of_file(struct adding *a)
{
	int ret;

	if (strncmp(a->p->of.rest, "0x", 2) == 0)
		return add_address(a);
	a->symbols = kt_function_symbols_read(a->of.file, a->of.debug, a->err);
	ret = a->symbols ? add_by_symbols(a) : -a->err->code;
	kt_function_symbols_free(a->symbols);
	return ret;
}

static int add_parts(struct adding *a, struct parts *p, const char *root)
{
	int ret = split_function(p, a->err);

	if (ret == 0)
		ret = kt_file_points_open(&a->of, &p->of, root, a->err);
	if (ret < 0)
		return ret;
	ret = add_of_file(a);
	kt_file_points_close(&a->of);
	return ret;
}

int kt_uprobe_pattern_add(const char *pattern, const char *root, struct kt_event_names *names,
			  struct kt_point_matches *matches, struct kt_error *err)
{
	struct parts p = {.plus = 0};
	struct adding a = {.p = &p, .of = {.names = names, .matches = matches}, .err = err};
	int ret = kt_file_pattern_split(&p.of, pattern, "function: uprobe:FILE:FUNCTION", err);

	if (ret < 0)
		return ret;
	ret = add_parts(&a, &p, root);
	kt_file_pattern_free(&p.of);
	return ret;
}
