/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether bytes are text in UTF-8, a character at a time.
 *
 *	for (at = 0; at < n && (len = kt_utf8_length(s + at, n - at)) > 0; at += len)
 *		fwrite(s + at, 1, len, stdout);		// up to the first byte that is none
 */
#ifndef KT_BASE_UTF8_H
#define KT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KT_UTF8_MAX = 4 }; /* bytes of a character */

/*
 * Returns how many bytes the first character of s takes, 1 to 4, and sets *c to its code point;
 * returns 0 if n is 0 or the bytes are not UTF-8.
 */
size_t kt_utf8_decode(const char *s, size_t n, uint32_t *c);

/* kt_utf8_decode() without the code point. */
size_t kt_utf8_length(const char *s, size_t n);

/*
 * kt_utf8_length(), but 0 for a character that a terminal obeys instead of showing it: controls
 * (C0, DEL, C1), line separators, and marks that reverse text such as U+202E.
 */
size_t kt_utf8_shown(const char *s, size_t n);

/* Whether the n bytes are the beginning of a character whose end is missing. */
bool kt_utf8_is_beginning(const char *s, size_t n);

#endif
