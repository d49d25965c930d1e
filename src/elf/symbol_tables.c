// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/symbol_tables.h"

#include "elf/elf_file.h"

static int walk_section(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, kt_symbol_visit visit,
			void *with)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;
	const char *name;
	int i, ret = 0;

	for (i = 0; ret == 0 && data && gelf_getsym(data, i, &symbol); i++) {
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name && *name)
			ret = visit(with, &symbol, name);
	}
	return ret;
}

int kt_symbol_tables_walk(const struct kt_elf_file *file, kt_symbol_visit visit, void *with)
{
	Elf *elf = kt_elf_file_elf(file);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int ret = 0;

	while (ret == 0 && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			ret = walk_section(elf, section, &header, visit, with);
	return ret;
}
