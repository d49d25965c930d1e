/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether bytes are text in UTF-8, a character at a time.
 *
 *	for (at = 0; at < n && (len = kt_utf8_length(s + at, n - at)) > 0; at += len)
 *		fwrite(s + at, 1, len, stdout);		// up to the first byte that is none
 */
#ifndef KT_BASE_UTF8_H
#define KT_BASE_UTF8_H

#include <stddef.h>

enum { KT_UTF8_MAX = 4 }; /* bytes of a character */

/* How many bytes the first character of s takes: 1 to 4, or 0 where n is 0 or they are none. */
size_t kt_utf8_length(const char *s, size_t n);

/* The same, and 0 for a control character: what a terminal shows, and does not obey. */
size_t kt_utf8_shown(const char *s, size_t n);

#endif
