// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/utf8.h"

#include <string.h>

/*
 * Which continuation bytes a first byte allows; longer encodings of the same character are invalid.
 */
static const struct {
	unsigned char mask, begin;
	uint32_t least;
} forms[] = {
	{0x80, 0x00, 0},
	{0xe0, 0xc0, 0x80},
	{0xf0, 0xe0, 0x800},
	{0xf8, 0xf0, 0x10000},
};

size_t kt_utf8_decode(const char *s, size_t n, uint32_t *c)
{
	const unsigned char *bytes = (const unsigned char *)s;
	size_t form = 0, i;

	while (form < 4 && n > 0 && (bytes[0] & forms[form].mask) != forms[form].begin)
		form++;
	if (form == 4 || form >= n)
		return 0;
	*c = bytes[0] & ~forms[form].mask;
	for (i = 1; i <= form; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (bytes[i] & 0x3f);
	}
	if (*c < forms[form].least || *c > 0x10ffff || (*c >= 0xd800 && *c <= 0xdfff))
		return 0;
	return form + 1;
}

size_t kt_utf8_length(const char *s, size_t n)
{
	uint32_t c;

	return kt_utf8_decode(s, n, &c);
}

/*
 * Characters that a terminal obeys: C0, DEL and C1 controls, line and paragraph separators, and
 * those that change the direction of the text around them.
 */
static const struct {
	uint32_t first, last;
} controls[] = {
	{0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},
	{0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069},
};

size_t kt_utf8_valid(const char *s, size_t n)
{
	size_t at = 0, len;

	while ((len = kt_utf8_length(s + at, n - at)) > 0)
		at += len;
	return at;
}

size_t kt_utf8_shown(const char *s, size_t n)
{
	uint32_t c;
	size_t len = kt_utf8_decode(s, n, &c), i;

	for (i = 0; len > 0 && i < sizeof(controls) / sizeof(*controls); i++)
		if (c >= controls[i].first && c <= controls[i].last)
			return 0;
	return len;
}

/*
 * The missing bytes may be any continuation bytes. If neither the lowest nor the highest of them
 * completes a character, none does.
 */
bool kt_utf8_is_beginning(const char *s, size_t n)
{
	char whole[KT_UTF8_MAX];
	size_t len;

	for (len = n + 1; n > 0 && len <= KT_UTF8_MAX; len++) {
		memcpy(whole, s, n);
		memset(whole + n, 0x80, len - n);
		if (kt_utf8_length(whole, len) == len)
			return true;
		memset(whole + n, 0xbf, len - n);
		if (kt_utf8_length(whole, len) == len)
			return true;
	}
	return false;
}
