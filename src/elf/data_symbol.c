// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/data_symbol.h"

#include <string.h>

#include "elf/symbol_tables.h"

struct search {
	const char *name;
	size_t n;
	uint64_t address;
	bool is_found, is_ambiguous;
};

static int note_symbol(void *with, const GElf_Sym *symbol, const char *name)
{
	struct search *s = with;

	if (strncmp(name, s->name, s->n) != 0 || name[s->n] || symbol->st_shndx == SHN_UNDEF ||
	    GELF_ST_TYPE(symbol->st_info) == STT_TLS)
		return 0;
	s->is_ambiguous = s->is_ambiguous || (s->is_found && s->address != symbol->st_value);
	s->is_found = true;
	s->address = symbol->st_value;
	return 0;
}

bool kt_data_symbol_find(const struct kt_elf_file *file, const struct kt_elf_file *debug,
			 const char *name, size_t n, uint64_t *address)
{
	struct search s = {.name = name, .n = n};

	kt_symbol_tables_walk(file, note_symbol, &s);
	if (debug)
		kt_symbol_tables_walk(debug, note_symbol, &s);
	*address = s.address;
	return s.is_found && !s.is_ambiguous;
}
