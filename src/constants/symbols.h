/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lies at the kernel's addresses: 0xffffffff81a8440b is kstrdup+0x3b.
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
	KT_SYMBOL_NAME_MAX = 1023, /* the kernel's have some 600 at most */
	KT_SYMBOL_MAX = KT_SYMBOL_NAME_MAX + 1 + KT_HEX_MAX + 1, /* with + and an offset in it */
};

struct kt_symbol {
	uint64_t first, last;
	const char *name; /* "kstrdup"; of a module "nft_do_chain [nf_tables]" */
};

struct kt_symbols {
	struct kt_symbol *of; /* from the lowest on, none in another */
	size_t n;
};

/*
 * Behind the others; the name is copied. -EINVAL where it is not behind them, or its last address
 * not behind its first; -ENAMETOOLONG; -ENOMEM; or 0.
 */
int kt_symbols_add(struct kt_symbols *s, uint64_t first, uint64_t last, const char *name);

/* Releases what it holds. */
void kt_symbols_clear(struct kt_symbols *s);

/* The one that holds the address, or NULL. Takes time in proportion to the logarithm of n. */
const struct kt_symbol *kt_symbols_find(const struct kt_symbols *s, uint64_t address);

/*
 * As the kernel writes it, but without the symbol's size: "kstrdup+0x3b", "nft_do_chain+0x51
 * [nf_tables]", and without an offset where that is 0. Its length; 0 where no symbol holds the
 * address, and text is empty.
 */
size_t kt_symbols_write(const struct kt_symbols *s, uint64_t address, char text[KT_SYMBOL_MAX]);

#endif
