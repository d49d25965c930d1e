// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/text.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

enum { DIGITS_MAX = 20 }; /* of 64 bits in decimal */

static const char hex_digits[16] = "0123456789abcdef";

void kt_text_flush(struct kt_text *t)
{
	fwrite(t->bytes, 1, t->len, t->to);
	t->len = 0;
}

void kt_text_put(struct kt_text *t, const char *s, size_t n)
{
	if (n > sizeof(t->bytes) - t->len) {
		kt_text_flush(t);
		if (n > sizeof(t->bytes)) {
			fwrite(s, 1, n, t->to);
			return;
		}
	}
	memcpy(t->bytes + t->len, s, n);
	t->len += n;
}

/* For no more than fits at all, and for the caller to fill. */
static char *take_room(struct kt_text *t, size_t n)
{
	char *at;

	if (n > sizeof(t->bytes) - t->len)
		kt_text_flush(t);
	at = t->bytes + t->len;
	t->len += n;
	return at;
}

void kt_text_char(struct kt_text *t, char c)
{
	*take_room(t, 1) = c;
}

void kt_text_string(struct kt_text *t, const char *s)
{
	kt_text_put(t, s, strlen(s));
}

static size_t count_digits(uint64_t n)
{
	uint64_t power = 10;
	size_t digits = 1;

	for (; digits < DIGITS_MAX && n >= power; power *= 10)
		digits++;
	return digits;
}

/* Right where they are to be, as moving them there would cost as much again. */
void kt_text_padded(struct kt_text *t, uint64_t n, size_t width, char with)
{
	size_t digits = count_digits(n);
	char *at;

	if (width < digits)
		width = digits;
	at = take_room(t, width);
	memset(at, with, width - digits);
	for (at += width; digits > 0; digits--, n /= 10)
		*--at = '0' + n % 10;
}

void kt_text_number(struct kt_text *t, uint64_t n)
{
	kt_text_padded(t, n, 0, ' ');
}

size_t kt_text_signed(struct kt_text *t, int64_t n)
{
	uint64_t absolute = n < 0 ? -(uint64_t)n : (uint64_t)n;

	if (n < 0)
		kt_text_char(t, '-');
	kt_text_number(t, absolute);
	return (n < 0) + count_digits(absolute);
}

void kt_text_hex(struct kt_text *t, uint64_t n)
{
	char digits[2 + 16], *end = digits + sizeof(digits), *at = end;

	do {
		*--at = hex_digits[n & 15];
		n >>= 4;
	} while (n > 0);
	*--at = 'x';
	*--at = '0';
	kt_text_put(t, at, end - at);
}

static void put_escape(struct kt_text *t, unsigned char c)
{
	const char escape[] = {'\\', 'x', hex_digits[c >> 4], hex_digits[c & 15]};

	if (c == '\\')
		kt_text_put(t, "\\\\", 2);
	else if (c == '\n')
		kt_text_put(t, "\\n", 2);
	else if (c == '\t')
		kt_text_put(t, "\\t", 2);
	else
		kt_text_put(t, escape, sizeof(escape));
}

void kt_text_escaped(struct kt_text *t, const char *s, size_t n)
{
	size_t begin = 0, at = 0, len;

	while (at < n) {
		len = s[at] == '\\' ? 0 : kt_utf8_shown(s + at, n - at);
		if (len > 0) {
			at += len;
			continue;
		}
		kt_text_put(t, s + begin, at - begin);
		put_escape(t, s[at]);
		begin = ++at;
	}
	kt_text_put(t, s + begin, at - begin);
}
