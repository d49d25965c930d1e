/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_ELF_SYMBOL_TABLES_H
#define KT_ELF_SYMBOL_TABLES_H

#include <gelf.h>

struct kt_elf_file;

/* Called for each symbol with its name; a result other than 0 ends the walk. */
typedef int (*kt_symbol_visit)(void *with, const GElf_Sym *symbol, const char *name);

/* Visits all named symbols of .symtab and .dynsym. Returns 0, or what the visit returned. */
int kt_symbol_tables_walk(const struct kt_elf_file *file, kt_symbol_visit visit, void *with);

#endif
