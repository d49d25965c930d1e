/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_ELF_DATA_SYMBOL_H
#define KT_ELF_DATA_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_elf_file;

/*
 * Finds the address of a symbol whose name has n letters, in the file or its debug file, which may
 * be NULL. Returns false if there is none, or several at different addresses. Takes time for all
 * symbols.
 */
bool kt_data_symbol_find(const struct kt_elf_file *file, const struct kt_elf_file *debug,
			 const char *name, size_t n, uint64_t *address);

#endif
