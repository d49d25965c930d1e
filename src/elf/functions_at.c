// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/functions_at.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "constants/symbols.h"
#include "elf/function_symbols.h"

typedef const struct kt_function_symbol *function;

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static size_t count_underscores(function f)
{
	return strspn(f->name, "_");
}

static unsigned int rank_binding(function f)
{
	return f->binding == STB_GLOBAL ? 0 : f->binding == STB_WEAK ? 1 : 2;
}

/* Of one function, the best name comes first. */
static int compare_functions(const void *a, const void *b)
{
	function x = *(const function *)a, y = *(const function *)b;
	int ret = compare_numbers(x->offset, y->offset);

	if (!ret)
		ret = compare_numbers(count_underscores(x), count_underscores(y));
	if (!ret)
		ret = compare_numbers(rank_binding(x), rank_binding(y));
	if (!ret)
		ret = compare_numbers(strlen(x->name), strlen(y->name));
	return ret ? ret : strcmp(x->name, y->name);
}

/* Sorts the functions by their place, each with its best name. Returns how many there are. */
static size_t sort_unique(function *of, size_t n)
{
	size_t i, unique = 0;

	qsort(of, n, sizeof(*of), compare_functions);
	for (i = 0; i < n; i++)
		if (!unique || of[unique - 1]->offset != of[i]->offset)
			of[unique++] = of[i];
	return unique;
}

/* Returns the last byte of the i-th function. */
static uint64_t get_last(const function *of, size_t n, size_t i)
{
	uint64_t size = of[i]->size, space = i + 1 < n ? of[i + 1]->offset - of[i]->offset
					     : size    ? size
						       : 1;

	return of[i]->offset + (size && size < space ? size : space) - 1;
}

static int find_all(const function *of, size_t n_of, const uint64_t *offsets, size_t n,
		    struct kt_symbols *found)
{
	size_t i, at = 0;
	uint64_t last;
	int ret = 0;

	for (i = 0; i < n && ret == 0; i++) {
		if (found->n && offsets[i] <= found->of[found->n - 1].last)
			continue;
		while (at + 1 < n_of && of[at + 1]->offset <= offsets[i])
			at++;
		last = get_last(of, n_of, at);
		if (of[at]->offset <= offsets[i] && offsets[i] <= last)
			ret = kt_symbols_add(found, of[at]->offset, last, of[at]->name);
		if (ret == -ENAMETOOLONG)
			ret = 0;
	}
	return ret;
}

int kt_functions_at(const struct kt_function_symbols *s, const uint64_t *offsets, size_t n,
		    struct kt_symbols *found)
{
	size_t i, n_of = kt_function_symbols_count(s);
	function *of;
	int ret;

	if (!n_of || !n)
		return 0;
	of = malloc(n_of * sizeof(*of));
	if (!of)
		return -ENOMEM;
	for (i = 0; i < n_of; i++)
		of[i] = kt_function_symbols_at(s, i);
	ret = find_all(of, sort_unique(of, n_of), offsets, n, found);
	free(of);
	return ret;
}
