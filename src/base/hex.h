/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hexadecimal numbers, put together faster than printf does.
 *
 *	char text[KT_HEX_MAX + 1];
 *
 *	*kt_hex_write(text, 42) = '\0';			// 0x2a
 */
#ifndef KT_BASE_HEX_H
#define KT_BASE_HEX_H

#include <stdint.h>

enum { KT_HEX_MAX = 2 + 16 };

/* Writes the digits that it needs, 16 at most. Returns where they end. */
static inline char *kt_hex_digits(char *at, uint64_t n)
{
	int shift = n ? (63 - __builtin_clzll(n)) & ~3 : 0;

	for (; shift >= 0; shift -= 4)
		*at++ = "0123456789abcdef"[n >> shift & 15];
	return at;
}

/* The same behind 0x: KT_HEX_MAX at most. */
static inline char *kt_hex_write(char *at, uint64_t n)
{
	*at++ = '0';
	*at++ = 'x';
	return kt_hex_digits(at, n);
}

#endif
