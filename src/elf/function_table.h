/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of a program or library, by their place in the file.
 *
 *	struct kt_function_table *t = kt_function_table_read(file, debug, &err);
 *	struct kt_symbols found = {};
 *
 *	kt_function_table_find(t, offsets, n, &found);
 *	name = kt_symbols_find(&found, offsets[0])->name;
 *	kt_function_table_free(t);
 *
 * Takes 100 bytes for each function.
 */
#ifndef KT_ELF_FUNCTION_TABLE_H
#define KT_ELF_FUNCTION_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct kt_elf_file;
struct kt_error;
struct kt_function_table;
struct kt_symbols;

/* Reads them as kt_function_symbols_read() (elf/function_symbols.h). Returns NULL with ENOMEM. */
struct kt_function_table *kt_function_table_read(const struct kt_elf_file *file,
						 const struct kt_elf_file *debug,
						 struct kt_error *err);
void kt_function_table_free(struct kt_function_table *t);

/*
 * Adds the functions that contain any of these offsets in the file, which are sorted; their
 * addresses in `found`, which must be empty, are offsets, too. Of several names of one function,
 * the one with the fewest underscores in front, then a global one, then the shortest. A function of
 * unknown size ends where the next one begins. Returns 0 or -ENOMEM.
 */
int kt_function_table_find(const struct kt_function_table *t, const uint64_t *offsets, size_t n,
			   struct kt_symbols *found);

#endif
