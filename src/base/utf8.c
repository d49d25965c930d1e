// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/utf8.h"

#include <stdint.h>

/* By what its first byte begins with, and only if there is no shorter way to write it. */
static const struct {
	unsigned char mask, begin;
	uint32_t least;
} forms[] = {
	{0x80, 0x00, 0},
	{0xe0, 0xc0, 0x80},
	{0xf0, 0xe0, 0x800},
	{0xf8, 0xf0, 0x10000},
};

size_t kt_utf8_length(const char *s, size_t n)
{
	const unsigned char *bytes = (const unsigned char *)s;
	size_t form = 0, i;
	uint32_t c;

	while (form < 4 && n > 0 && (bytes[0] & forms[form].mask) != forms[form].begin)
		form++;
	if (form == 4 || form >= n)
		return 0;
	c = bytes[0] & ~forms[form].mask;
	for (i = 1; i <= form; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (bytes[i] & 0x3f);
	}
	if (c < forms[form].least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	return form + 1;
}

size_t kt_utf8_shown(const char *s, size_t n)
{
	size_t len = kt_utf8_length(s, n);
	unsigned char last = len > 0 ? s[len - 1] : 0;

	if (len == 1)
		return last >= ' ' && last < 0x7f;
	if (len == 2 && s[0] == '\xc2' && last < 0xa0)
		return 0; /* U+0080 to U+009F */
	return len;
}
