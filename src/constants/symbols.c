// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

int kt_symbols_add(struct kt_symbols *s, uint64_t first, uint64_t last, const char *name)
{
	struct kt_symbol *of;

	if (last < first || (s->n && first <= s->of[s->n - 1].last))
		return -EINVAL;
	if (strlen(name) > KT_SYMBOL_NAME_MAX)
		return -ENAMETOOLONG;
	of = kt_grow(s->of, s->n, sizeof(*of));
	if (!of)
		return -ENOMEM;
	s->of = of;
	of[s->n] = (struct kt_symbol){first, last, strdup(name)};
	if (!of[s->n].name)
		return -ENOMEM;
	s->n++;
	return 0;
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
	size_t low = 0, high = s->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (address < s->of[middle].first)
			high = middle;
		else if (address > s->of[middle].last)
			low = middle + 1;
		else
			return &s->of[middle];
	}
	return NULL;
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
