/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of a program or library, by their symbols.
 *
 *	struct kt_function_symbols *s = kt_function_symbols_read(file, debug, &err);
 *	size_t i = kt_function_symbols_find(s, "readline");
 *	const struct kt_function_symbol *f;
 *
 *	for (; (f = kt_function_symbols_at(s, i)) && !strcmp(f->name, "readline"); i++)
 *		printf("%#lx\n", f->address);		// a static function may exist several times
 *	kt_function_symbols_free(s);
 *
 * They come from .symtab and .dynsym of the file, and of its debug file (elf/elf_file.h), sorted by
 * name, then by address; each name and address once, without a symbol version. Reading the 3000 of
 * a libc takes about 2 ms.
 */
#ifndef KT_ELF_FUNCTION_SYMBOLS_H
#define KT_ELF_FUNCTION_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_elf_file;
struct kt_error;
struct kt_function_symbols;

struct kt_function_symbol {
	const char *name;
	uint64_t address, size; /* size 0: unknown */
	uint64_t offset;        /* of its first instruction in the file */
	unsigned int binding;   /* STB_LOCAL, STB_GLOBAL, STB_WEAK */
	bool is_indirect; /* its code runs once and returns the address of the real function */
};

/*
 * Reads the symbols of a file, and of its debug file, which may be NULL. Both need not outlive the
 * result. Returns NULL with ENOMEM; a file without symbols has none.
 */
struct kt_function_symbols *kt_function_symbols_read(const struct kt_elf_file *file,
						     const struct kt_elf_file *debug,
						     struct kt_error *err);
void kt_function_symbols_free(struct kt_function_symbols *s);

size_t kt_function_symbols_count(const struct kt_function_symbols *s);

/* Returns the symbol, or NULL from the number on that kt_function_symbols_count() returns. */
const struct kt_function_symbol *kt_function_symbols_at(const struct kt_function_symbols *s,
							size_t i);

/* Returns the index of the first symbol of that name or, if there is none, of a later name. */
size_t kt_function_symbols_find(const struct kt_function_symbols *s, const char *name);

#endif
