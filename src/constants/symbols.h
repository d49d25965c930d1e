/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A symbol table of the kernel: 0xffffffff81a8440b is kstrdup+0x3b.
 *
 *	struct kt_symbols symbols = {};
 *	char text[KT_SYMBOL_MAX];
 *	size_t len;
 *
 *	kt_symbols_add(&symbols, 0xffffffff81a843d0, 0xffffffff81a8443f, "kstrdup");
 *	len = kt_symbols_write(&symbols, 0xffffffff81a8440b, text);	// 12, "kstrdup+0x3b"
 *	kt_symbols_clear(&symbols);
 */
#ifndef KT_CONSTANTS_SYMBOLS_H
#define KT_CONSTANTS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/hex.h"

enum {
	KT_SYMBOL_NAME_MAX = 1023, /* the kernel's longest name has about 600 */
	KT_SYMBOL_MAX = KT_SYMBOL_NAME_MAX + 1 + KT_HEX_MAX + 1, /* a name, '+' and an offset */
};

struct kt_symbol {
	uint64_t first, last;
	const char *name; /* "kstrdup"; of a module "nft_do_chain [nf_tables]" */
};

struct kt_symbols {
	struct kt_symbol *of; /* sorted by address; they do not overlap */
	size_t n;
};

/*
 * Appends a symbol; copies the name. Returns 0; -EINVAL if it is not above all others, or last is
 * below first; -ENAMETOOLONG; or -ENOMEM.
 */
int kt_symbols_add(struct kt_symbols *s, uint64_t first, uint64_t last, const char *name);

/*
 * Inserts a symbol in its place likewise, in linear time. Returns 0; -EEXIST if it overlaps another
 * one; or an error of kt_symbols_add().
 */
int kt_symbols_insert(struct kt_symbols *s, uint64_t first, uint64_t last, const char *name);

/* Frees all symbols. */
void kt_symbols_clear(struct kt_symbols *s);

/* Returns the symbol that contains the address, or NULL. Takes logarithmic time. */
const struct kt_symbol *kt_symbols_find(const struct kt_symbols *s, uint64_t address);

/*
 * Writes an address as the kernel does, without the symbol's size: "kstrdup+0x3b",
 * "nft_do_chain+0x51 [nf_tables]", "kstrdup" at offset 0. Returns the length; 0 and an empty text
 * if no symbol contains the address.
 */
size_t kt_symbols_write(const struct kt_symbols *s, uint64_t address, char text[KT_SYMBOL_MAX]);

/* Writes an address likewise as an offset in a symbol, at its first byte or after it. */
size_t kt_symbol_write(const struct kt_symbol *s, uint64_t address, char text[KT_SYMBOL_MAX]);

#endif
