/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks the kernel for the symbols that contain given addresses, by a program that runs once for
 * each address.
 *
 *	struct kt_symbol_lookup *l = kt_symbol_lookup_new(&err);
 *	struct kt_symbols symbols = {};
 *
 *	kt_symbol_lookup_find(l, addresses, n, &symbols, &err);
 *	...
 *	kt_symbol_lookup_free(l);
 *
 * Takes 3 ms, and then some µs per address; reading all symbols takes 60 ms (events/kallsyms.h).
 * Names are the same, but code of BPF programs has no " [bpf]" after it.
 */
#ifndef KT_HOOK_ASK_SYMBOL_LOOKUP_H
#define KT_HOOK_ASK_SYMBOL_LOOKUP_H

#include <stddef.h>
#include <stdint.h>

struct kt_error;
struct kt_symbol_lookup;
struct kt_symbols;

/* Returns NULL on error: kernels before 5.13 lack the helper. */
struct kt_symbol_lookup *kt_symbol_lookup_new(struct kt_error *err);
void kt_symbol_lookup_free(struct kt_symbol_lookup *l);

/*
 * Adds the symbols that contain any of n addresses, which are sorted and unique; `symbols` must be
 * empty. Addresses without a symbol are skipped. Returns 0; or -errno with `symbols` empty.
 */
int kt_symbol_lookup_find(const struct kt_symbol_lookup *l, const uint64_t *addresses, size_t n,
			  struct kt_symbols *symbols, struct kt_error *err);

/*
 * Parses what the kernel prints for an address, which it changes: "nft_do_chain+0x51/0x5f0
 * [nf_tables]" becomes the name with its module. Returns NULL if that is no symbol that contains
 * the address.
 */
const char *kt_symbol_lookup_parse(char *text, uint64_t address, uint64_t *first, uint64_t *last);

#endif
