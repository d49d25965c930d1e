/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats hexadecimal numbers, faster than printf.
 *
 *	char text[KT_HEX_MAX + 1];
 *
 *	*kt_hex_write(text, 42) = '\0';			// 0x2a
 */
#ifndef KT_BASE_HEX_H
#define KT_BASE_HEX_H

#include <stdint.h>

enum { KT_HEX_MAX = 2 + 16 };

/* Writes n without leading zeros, at most 16 digits. Returns the end of the text; writes no NUL. */
static inline char *kt_hex_digits(char *at, uint64_t n)
{
	int shift = n ? (63 - __builtin_clzll(n)) & ~3 : 0;

	for (; shift >= 0; shift -= 4)
		*at++ = "0123456789abcdef"[n >> shift & 15];
	return at;
}

/* Writes n with "0x" in front, at most KT_HEX_MAX characters. Returns the end of the text. */
static inline char *kt_hex_write(char *at, uint64_t n)
{
	*at++ = '0';
	*at++ = 'x';
	return kt_hex_digits(at, n);
}

#endif
