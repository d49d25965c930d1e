// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* Makes the i-th symbol; those from there on come after it. */
static int insert_at(struct kt_symbols *s, size_t i, struct kt_symbol symbol)
{
	struct kt_symbol *of;

	if (strlen(symbol.name) > KT_SYMBOL_NAME_MAX)
		return -ENAMETOOLONG;
	of = kt_grow(s->of, s->n, sizeof(*of));
	if (!of)
		return -ENOMEM;
	s->of = of;
	symbol.name = strdup(symbol.name);
	if (!symbol.name)
		return -ENOMEM;
	memmove(of + i + 1, of + i, (s->n - i) * sizeof(*of));
	of[i] = symbol;
	s->n++;
	return 0;
}

int kt_symbols_add(struct kt_symbols *s, uint64_t first, uint64_t last, const char *name)
{
	if (last < first || (s->n && first <= s->of[s->n - 1].last))
		return -EINVAL;
	return insert_at(s, s->n, (struct kt_symbol){first, last, name});
}

/* Returns the index of the first symbol that ends at the address or above. */
static size_t find_index(const struct kt_symbols *s, uint64_t address)
{
	size_t low = 0, high = s->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (s->of[middle].last < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int kt_symbols_insert(struct kt_symbols *s, uint64_t first, uint64_t last, const char *name)
{
	size_t i = find_index(s, first);

	if (last < first)
		return -EINVAL;
	if (i < s->n && s->of[i].first <= last)
		return -EEXIST;
	return insert_at(s, i, (struct kt_symbol){first, last, name});
}

void kt_symbols_clear(struct kt_symbols *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		free((char *)s->of[i].name);
	free(s->of);
	*s = (struct kt_symbols){};
}

const struct kt_symbol *kt_symbols_find(const struct kt_symbols *s, uint64_t address)
{
	size_t i = find_index(s, address);

	return i < s->n && s->of[i].first <= address ? &s->of[i] : NULL;
}

size_t kt_symbol_write(const struct kt_symbol *s, uint64_t address, char text[KT_SYMBOL_MAX])
{
	const char *module = strchrnul(s->name, ' ');
	char *at = mempcpy(text, s->name, module - s->name);

	if (address != s->first) {
		*at++ = '+';
		at = kt_hex_write(at, address - s->first);
	}
	return stpcpy(at, module) - text;
}

size_t kt_symbols_write(const struct kt_symbols *s, uint64_t address, char text[KT_SYMBOL_MAX])
{
	const struct kt_symbol *found = kt_symbols_find(s, address);

	*text = '\0';
	return found ? kt_symbol_write(found, address, text) : 0;
}
