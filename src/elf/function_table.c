// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/function_table.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "constants/symbols.h"
#include "elf/function_symbols.h"

typedef const struct kt_function_symbol *function;

struct kt_function_table {
	struct kt_function_symbols *symbols;
	size_t n;
	function *of; /* sorted by place, each place once */
};

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

/* Sorts the functions by their place, each with its best name. */
static void sort_unique(struct kt_function_table *t)
{
	size_t i, n = t->n;

	t->n = 0;
	if (n)
		qsort(t->of, n, sizeof(*t->of), compare_functions);
	for (i = 0; i < n; i++)
		if (!t->n || t->of[t->n - 1]->offset != t->of[i]->offset)
			t->of[t->n++] = t->of[i];
}

/* Returns NULL without memory. */
static struct kt_function_table *make_table(struct kt_function_symbols *symbols)
{
	struct kt_function_table *t = calloc(1, sizeof(*t));
	size_t i;

	if (!t)
		return NULL;
	t->n = kt_function_symbols_count(symbols);
	t->of = calloc(t->n + 1, sizeof(*t->of));
	if (!t->of) {
		free(t);
		return NULL;
	}
	t->symbols = symbols;
	for (i = 0; i < t->n; i++)
		t->of[i] = kt_function_symbols_at(symbols, i);
	sort_unique(t);
	return t;
}

struct kt_function_table *kt_function_table_read(const struct kt_elf_file *file,
						 const struct kt_elf_file *debug,
						 struct kt_error *err)
{
	struct kt_function_symbols *symbols = kt_function_symbols_read(file, debug, err);
	struct kt_function_table *t = symbols ? make_table(symbols) : NULL;

	if (symbols && !t) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		kt_function_symbols_free(symbols);
	}
	return t;
}

void kt_function_table_free(struct kt_function_table *t)
{
	if (!t)
		return;
	kt_function_symbols_free(t->symbols);
	free(t->of);
	free(t);
}

/* Returns the last byte of the i-th function. */
static uint64_t get_last(const struct kt_function_table *t, size_t i)
{
	function f = t->of[i];
	uint64_t space = i + 1 < t->n ? t->of[i + 1]->offset - f->offset : f->size ? f->size : 1;

	return f->offset + (f->size && f->size < space ? f->size : space) - 1;
}

/* Returns the number of functions that begin at the offset or before. */
static size_t count_until(const struct kt_function_table *t, uint64_t offset)
{
	size_t low = 0, high = t->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (t->of[middle]->offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds the function that contains an offset, unless there is none, or the last one is that. */
static int add_function(const struct kt_function_table *t, uint64_t offset,
			struct kt_symbols *found)
{
	size_t n = count_until(t, offset);
	int ret;

	if (!n || offset > get_last(t, n - 1) ||
	    (found->n && offset <= found->of[found->n - 1].last))
		return 0;
	ret = kt_symbols_add(found, t->of[n - 1]->offset, get_last(t, n - 1), t->of[n - 1]->name);
	return ret == -ENAMETOOLONG ? 0 : ret;
}

int kt_function_table_find(const struct kt_function_table *t, const uint64_t *offsets, size_t n,
			   struct kt_symbols *found)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < n && ret == 0; i++)
		ret = add_function(t, offsets[i], found);
	return ret;
}
