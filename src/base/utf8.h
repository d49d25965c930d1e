/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks UTF-8, one character at a time.
 *
 *	for (at = 0; at < n && (len = kt_utf8_length(s + at, n - at)) > 0; at += len)
 *		fwrite(s + at, 1, len, stdout);		// up to the first invalid byte
 */
#ifndef KT_BASE_UTF8_H
#define KT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KT_UTF8_MAX = 4 }; /* bytes of a character */

/*
 * Returns the bytes of the first character of s, 1 to 4, and stores its code point in *c. Returns 0
 * if n is 0 or the bytes are not UTF-8.
 */
size_t kt_utf8_decode(const char *s, size_t n, uint32_t *c);

/* Returns the bytes of the first character of s, or 0, as kt_utf8_decode(). */
size_t kt_utf8_length(const char *s, size_t n);

/* Returns the length of the valid UTF-8 at the start of s. */
size_t kt_utf8_valid(const char *s, size_t n);

/*
 * Returns the same, but 0 for a character that a terminal obeys instead of showing it: controls
 * (C0, DEL, C1), line separators, and marks that reverse text, such as U+202E.
 */
size_t kt_utf8_shown(const char *s, size_t n);

/* Returns whether the n bytes start a character whose end is missing. */
bool kt_utf8_is_beginning(const char *s, size_t n);

#endif
