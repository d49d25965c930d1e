// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/function_symbols.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "elf/elf_file.h"
#include "elf/symbol_tables.h"

struct kt_function_symbols {
	size_t n;
	struct kt_function_symbol *at; /* with names of their own */
};

/* Adds a symbol. Its address must be in the code of `file`. Returns 0 or -ENOMEM. */
static int add_symbol(struct kt_function_symbols *s, const struct kt_elf_file *file,
		      const GElf_Sym *symbol, const char *name)
{
	struct kt_function_symbol f = {
		.address = symbol->st_value,
		.size = symbol->st_size,
		.binding = GELF_ST_BIND(symbol->st_info),
		.is_indirect = GELF_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC,
	};
	struct kt_function_symbol *larger;

	if (!kt_elf_file_offset(file, f.address, &f.offset))
		return 0;
	larger = kt_grow(s->at, s->n, sizeof(*s->at));
	if (!larger)
		return -ENOMEM;
	s->at = larger;
	f.name = strndup(name, strcspn(name, "@"));
	if (!f.name)
		return -ENOMEM;
	s->at[s->n++] = f;
	return 0;
}

static bool is_function(const GElf_Sym *symbol)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC);
}

/* Symbols that are being read, for code in `file`. */
struct reading {
	struct kt_function_symbols *to;
	const struct kt_elf_file *file;
};

static int add_function(void *with, const GElf_Sym *symbol, const char *name)
{
	const struct reading *r = with;

	return is_function(symbol) ? add_symbol(r->to, r->file, symbol, name) : 0;
}

/* A global symbol before others. */
static int compare_symbols(const void *a, const void *b)
{
	const struct kt_function_symbol *x = a, *y = b;
	int by_name = strcmp(x->name, y->name);

	if (by_name)
		return by_name;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->binding == STB_LOCAL) - (y->binding == STB_LOCAL);
}

static void sort_unique(struct kt_function_symbols *s)
{
	struct kt_function_symbol *at = s->at;
	size_t i, n = 0;

	if (s->n)
		qsort(at, s->n, sizeof(*at), compare_symbols);
	for (i = 0; i < s->n; i++) {
		if (n && at[n - 1].address == at[i].address && !strcmp(at[n - 1].name, at[i].name))
			free((char *)at[i].name);
		else
			at[n++] = at[i];
	}
	s->n = n;
}

struct kt_function_symbols *kt_function_symbols_read(const struct kt_elf_file *file,
						     const struct kt_elf_file *debug,
						     struct kt_error *err)
{
	struct kt_function_symbols *s = calloc(1, sizeof(*s));
	struct reading r = {.to = s, .file = file};

	if (s && kt_symbol_tables_walk(file, add_function, &r) == 0 &&
	    (!debug || kt_symbol_tables_walk(debug, add_function, &r) == 0)) {
		sort_unique(s);
		return s;
	}
	kt_fail(err, ENOMEM, "%s: %s", kt_elf_file_path(file), strerror(ENOMEM));
	kt_function_symbols_free(s);
	return NULL;
}

void kt_function_symbols_free(struct kt_function_symbols *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->n; i++)
		free((char *)s->at[i].name);
	free(s->at);
	free(s);
}

size_t kt_function_symbols_count(const struct kt_function_symbols *s)
{
	return s->n;
}

const struct kt_function_symbol *kt_function_symbols_at(const struct kt_function_symbols *s,
							size_t i)
{
	return i < s->n ? &s->at[i] : NULL;
}

size_t kt_function_symbols_find(const struct kt_function_symbols *s, const char *name)
{
	size_t low = 0, high = s->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (strcmp(s->at[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
