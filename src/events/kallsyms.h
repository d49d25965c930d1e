/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the kernel symbols that contain given addresses, in the kernel's list of all symbols.
 * Asking the kernel for each address is faster (hook/ask/symbol_lookup.h).
 *
 *	struct kt_symbols symbols = {};
 *
 *	kt_kallsyms_find("/proc/kallsyms", addresses, n, &symbols, &err);
 *
 * Reads the whole file (5 MB, 60 ms here) and keeps only what is asked for.
 */
#ifndef KT_EVENTS_KALLSYMS_H
#define KT_EVENTS_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_error;
struct kt_symbols;

/*
 * Adds the symbols that contain any of n addresses, which are sorted and unique; `symbols` must be
 * empty. A symbol extends to the next one, but at most 64 KiB if that one belongs to another
 * module, or there is none. Of several symbols at one address the first counts, as for the kernel.
 *
 * Returns 0 or -errno: -EPERM if the kernel hides its addresses (kernel.kptr_restrict), -ENOENT if
 * there is no such file.
 */
int kt_kallsyms_find(const char *path, const uint64_t *addresses, size_t n,
		     struct kt_symbols *symbols, struct kt_error *err);

/*
 * Parses a line such as "ffffffffc0a2e0b0 t nft_do_chain [nf_tables]", which it changes: a blank
 * replaces the tab before the module. Returns false if it is no such line.
 */
bool kt_kallsyms_parse(char *line, uint64_t *at, char *type, char **name);

#endif
