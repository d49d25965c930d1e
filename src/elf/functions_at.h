/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_ELF_FUNCTIONS_AT_H
#define KT_ELF_FUNCTIONS_AT_H

#include <stddef.h>
#include <stdint.h>

struct kt_function_symbols;
struct kt_symbols;

/*
 * Adds the functions that contain any of these offsets in the file, which are sorted; their
 * addresses in `found` are offsets, too. Of several names of one function, the one with the fewest
 * underscores in front, then a global one, then the shortest. A function of unknown size ends where
 * the next one begins. Returns 0 or -ENOMEM.
 */
int kt_functions_at(const struct kt_function_symbols *s, const uint64_t *offsets, size_t n,
		    struct kt_symbols *found);

#endif
