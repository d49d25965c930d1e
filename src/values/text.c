// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "base/hex.h"
#include "base/utf8.h"

#define MS     UINT64_C(1000000)
#define SECOND (1000 * MS)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

enum {
	DIGITS_MAX = 20,          /* of 64 bits in decimal */
	OCTAL_MAX = 1 + 22,       /* of 64 bits in octal */
	EIGHT_DIGITS = 100000000, /* the first number of nine digits */
	NS = 10 * EIGHT_DIGITS,   /* per second */
};

static const char hex_digits[16] = "0123456789abcdef";

void kt_text_flush(struct kt_text *t)
{
	fwrite(t->bytes, 1, t->len, t->to);
	t->gone += t->len;
	t->len = 0;
}

void kt_text_put_slow(struct kt_text *t, const char *s, size_t n)
{
	kt_text_flush(t);
	if (n <= sizeof(t->bytes)) {
		kt_text_put(t, s, n);
		return;
	}
	fwrite(s, 1, n, t->to);
	t->gone += n;
}

static void put_unshown(struct kt_text *t, const char *escape)
{
	kt_text_string(t, escape);
	t->unshown += strlen(escape);
}

void kt_text_color_set(struct kt_text *t, enum kt_color color)
{
	static const char *const escapes[] = {
		[KT_COLOR_NAME] = "\033[1m",    /* bold */
		[KT_COLOR_TASK] = "\033[36m",   /* cyan */
		[KT_COLOR_ERROR] = "\033[31m",  /* red */
		[KT_COLOR_LOST] = "\033[1;31m", /* bold red */
		[KT_COLOR_HEADING] = "\033[1m", /* bold */
	};

	put_unshown(t, escapes[color]);
}

void kt_text_color_reset(struct kt_text *t)
{
	put_unshown(t, "\033[m");
}

/*
 * Returns n free bytes, to be filled by the caller, who then adds to len; n must fit into the
 * buffer.
 */
static char *reserve_bytes(struct kt_text *t, size_t n)
{
	if (n > sizeof(t->bytes) - t->len)
		kt_text_flush(t);
	return t->bytes + t->len;
}

void kt_text_fill(struct kt_text *t, size_t n, char with)
{
	enum { FEW = 16 };
	size_t part;

	if (n <= FEW) {
		memset(reserve_bytes(t, FEW), with, FEW); /* a constant length is fast */
		t->len += n;
		return;
	}

	for (; n > 0; n -= part) {
		reserve_bytes(t, 1);
		part = sizeof(t->bytes) - t->len;
		part = n < part ? n : part;
		memset(t->bytes + t->len, with, part);
		t->len += part;
	}
}

/*
 * Returns the digits of a number below 10^8 as bytes of 0 to 9, the first digit lowest; all at
 * once.
 */
static inline uint64_t split_eight_digits(uint64_t n)
{
	uint64_t above;

	above = n / 10000;
	n = above | (n - above * 10000) << 32;
	above = (n * 10486 >> 20) & 0x7f0000007f; /* each half by 100 */
	n = above | (n - above * 100) << 16;
	above = (n * 103 >> 10) & 0xf000f000f000f; /* each quarter by 10 */
	return above | (n - above * 10) << 8;
}

static char *put_eight(char *at, uint64_t digits, unsigned int skipped)
{
	digits = (digits | 0x3030303030303030) >> 8 * skipped;
	memcpy(at, &digits, 8);
	return at + 8 - skipped;
}

/* Returns the end of the digits. Writes at least 8 bytes and at most DIGITS_MAX. */
static char *put_digits(char *at, uint64_t n)
{
	uint64_t digits;

	if (n < 10) {
		*at = '0' + n;
		return at + 1;
	}
	if (n < 100) {
		at[0] = '0' + n / 10;
		at[1] = '0' + n % 10;
		return at + 2;
	}
	if (n >= EIGHT_DIGITS) {
		at = put_digits(at, n / EIGHT_DIGITS);
		return put_eight(at, split_eight_digits(n % EIGHT_DIGITS), 0);
	}
	digits = split_eight_digits(n);
	return put_eight(at, digits, __builtin_ctzll(digits) / 8);
}

void kt_text_number(struct kt_text *t, uint64_t n)
{
	t->len = put_digits(reserve_bytes(t, DIGITS_MAX), n) - t->bytes;
}

void kt_text_padded(struct kt_text *t, uint64_t n, size_t width, char with)
{
	char digits[DIGITS_MAX];
	size_t len = put_digits(digits, n) - digits;

	if (len < width)
		kt_text_fill(t, width - len, with);
	kt_text_put(t, digits, len);
}

void kt_text_tenths(struct kt_text *t, uint64_t tenths, size_t width)
{
	kt_text_padded(t, tenths / 10, width > 2 ? width - 2 : 1, ' ');
	kt_text_char(t, '.');
	kt_text_number(t, tenths % 10);
}

void kt_text_counted(struct kt_text *t, uint64_t n, const char *noun)
{
	kt_text_number(t, n);
	kt_text_char(t, ' ');
	kt_text_string(t, noun);
	if (n != 1)
		kt_text_char(t, 's');
}

size_t kt_text_signed(struct kt_text *t, int64_t n)
{
	char *at = reserve_bytes(t, 1 + DIGITS_MAX), *end;

	*at = '-';
	end = put_digits(at + (n < 0), n < 0 ? -(uint64_t)n : (uint64_t)n);
	t->len = end - t->bytes;
	return end - at;
}

/* Formats the whole seconds once for all times of a second: divisions take longer. */
static void format_second(struct kt_text *t, uint64_t ns)
{
	char digits[DIGITS_MAX];
	size_t len = put_digits(digits, ns / NS) - digits, blanks = len < 5 ? 5 - len : 0;

	t->second = ns / NS * NS;
	memset(t->second_text, ' ', blanks);
	memcpy(t->second_text + blanks, digits, len);
	t->second_text[blanks + len] = '.';
	t->second_len = blanks + len + 1;
}

void kt_text_time(struct kt_text *t, uint64_t ns)
{
	uint64_t fraction;
	char *at;

	if (!t->second_len || ns < t->second || ns - t->second >= NS)
		format_second(t, ns);
	fraction = ns - t->second;
	at = reserve_bytes(t, sizeof(t->second_text) + 9);
	memcpy(at, t->second_text, sizeof(t->second_text));
	at += t->second_len;
	at[0] = '0' + fraction / EIGHT_DIGITS;
	t->len = put_eight(at + 1, split_eight_digits(fraction % EIGHT_DIGITS), 0) - t->bytes;
}

/* Puts a point and this many digits of what is beyond whole seconds. */
static void put_fraction(struct kt_text *t, uint64_t ns, unsigned int digits)
{
	uint64_t fraction = ns % NS;
	unsigned int i;

	if (digits == 0)
		return;
	for (i = digits; i < 9; i++)
		fraction /= 10;
	kt_text_char(t, '.');
	kt_text_padded(t, fraction, digits, '0');
}

void kt_text_seconds(struct kt_text *t, uint64_t ns, size_t width, unsigned int digits)
{
	kt_text_padded(t, ns / NS, width, ' ');
	put_fraction(t, ns, digits);
}

static void put_local(struct kt_text *t, int64_t ns_since_1970, const char *format)
{
	time_t seconds = ns_since_1970 / (int64_t)NS;
	char text[64] = "";
	struct tm tm;

	if (localtime_r(&seconds, &tm))
		strftime(text, sizeof(text), format, &tm);
	kt_text_string(t, text);
}

void kt_text_date(struct kt_text *t, int64_t ns_since_1970)
{
	put_local(t, ns_since_1970, "%F %T");
}

void kt_text_clock_set(struct kt_text *t, int64_t ns)
{
	kt_text_string(t, "the time of day was set ");
	kt_text_string(t, ns < 0 ? "back by " : "forward by ");
	kt_text_duration(t, ns < 0 ? -(uint64_t)ns : (uint64_t)ns);
}

void kt_text_clock(struct kt_text *t, int64_t ns_since_1970, unsigned int digits)
{
	put_local(t, ns_since_1970, "%T");
	put_fraction(t, ns_since_1970, digits);
}

static void put_two_units(struct kt_text *t, uint64_t ns, uint64_t large, const char *unit,
			  uint64_t small, const char *small_unit)
{
	kt_text_number(t, ns / large);
	kt_text_string(t, unit);
	kt_text_number(t, ns % large / small);
	kt_text_string(t, small_unit);
}

void kt_text_duration(struct kt_text *t, uint64_t ns)
{
	if (ns < SECOND) {
		kt_text_tenths(t, ns / (MS / 10), 0);
		kt_text_string(t, " ms");
	} else if (ns < MINUTE) {
		kt_text_tenths(t, ns / (SECOND / 10), 0);
		kt_text_string(t, " s");
	} else if (ns < HOUR) {
		put_two_units(t, ns, MINUTE, " min ", SECOND, " s");
	} else if (ns < DAY) {
		put_two_units(t, ns, HOUR, " h ", MINUTE, " min");
	} else {
		put_two_units(t, ns, DAY, " d ", HOUR, " h");
	}
}

void kt_text_scaled_time(struct kt_text *t, uint64_t ns, size_t width)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	char text[DIGITS_MAX + sizeof(". ms")];
	uint64_t above = ns, below = 0;
	size_t unit = 0;
	int n;

	for (; above >= 1000 && unit < 3; unit++) {
		below = above % 1000;
		above /= 1000;
	}
	if (unit == 0 || above >= 100)
		n = snprintf(text, sizeof(text), "%" PRIu64 " %s", above, units[unit]);
	else if (above >= 10)
		n = snprintf(text, sizeof(text), "%" PRIu64 ".%" PRIu64 " %s", above, below / 100,
			     units[unit]);
	else
		n = snprintf(text, sizeof(text), "%" PRIu64 ".%02" PRIu64 " %s", above, below / 10,
			     units[unit]);
	if ((size_t)n < width)
		kt_text_fill(t, width - n, ' ');
	kt_text_put(t, text, n);
}

void kt_text_hex(struct kt_text *t, uint64_t n)
{
	t->len = kt_hex_write(reserve_bytes(t, KT_HEX_MAX), n) - t->bytes;
}

void kt_text_hex_digits(struct kt_text *t, uint64_t n)
{
	t->len = kt_hex_digits(reserve_bytes(t, KT_HEX_MAX), n) - t->bytes;
}

void kt_text_bits(struct kt_text *t, uint64_t n)
{
	if (n)
		kt_text_hex(t, n);
	else
		kt_text_char(t, '0');
}

void kt_text_octal(struct kt_text *t, uint64_t n)
{
	char digits[OCTAL_MAX], *end = digits + sizeof(digits), *at = end;

	for (; n; n >>= 3)
		*--at = '0' + (n & 7);
	*--at = '0';
	kt_text_put(t, at, end - at);
}

/* Puts the digits needed, or all three before another digit. */
static void put_octal(struct kt_text *t, const char *s, size_t n)
{
	unsigned char c = *s;
	const char digits[] = {'0' + (c >> 6), '0' + (c >> 3 & 7), '0' + (c & 7)};
	bool is_followed = n > 1 && s[1] >= '0' && s[1] <= '7';
	size_t skipped = 0;

	while (!is_followed && skipped < 2 && digits[skipped] == '0')
		skipped++;
	kt_text_char(t, '\\');
	kt_text_put(t, digits + skipped, sizeof(digits) - skipped);
}

static void put_hex(struct kt_text *t, unsigned char c)
{
	const char escape[] = {'\\', 'x', hex_digits[c >> 4], hex_digits[c & 15]};

	kt_text_put(t, escape, sizeof(escape));
}

/* Escapes the first character. */
static void put_escape(struct kt_text *t, const char *s, size_t n)
{
	static const char escaped[] = "\\\n\t\v\f\r", letters[] = "\\ntvfr";
	size_t known = t->escapes ? 6 : 3;
	const char *at = memchr(escaped, *s, known);

	if (at) {
		kt_text_char(t, '\\');
		kt_text_char(t, letters[at - escaped]);
	} else if (t->escapes == KT_ESCAPE_CONTROLS || t->escapes == KT_ESCAPE_HEX) {
		put_hex(t, *s);
	} else {
		put_octal(t, s, n);
	}
}

/* Returns how many bytes are printed unchanged. Most text is ASCII, which is checked first. */
static size_t count_plain_bytes(const struct kt_text *t, const char *s, size_t n)
{
	if (*s == '\\')
		return 0;
	if (*s >= ' ' && *s <= '~')
		return 1;
	return t->escapes ? 0 : kt_utf8_shown(s, n);
}

void kt_text_escaped(struct kt_text *t, const char *s, size_t n)
{
	size_t begin = 0, at = 0, len;

	while (at < n) {
		len = count_plain_bytes(t, s + at, n - at);
		if (len > 0) {
			at += len;
			continue;
		}
		kt_text_put(t, s + begin, at - begin);
		put_escape(t, s + at, n - at);
		begin = ++at;
	}
	kt_text_put(t, s + begin, at - begin);
}

/* Returns whether a string is printed all in hex. */
static bool is_in_hex(const struct kt_text *t, const char *s, size_t n)
{
	size_t i = 0;

	if (t->escapes != KT_ESCAPE_HEX_STRINGS)
		return t->escapes == KT_ESCAPE_ALL_STRINGS;
	while (i < n && ((s[i] >= ' ' && s[i] <= '~') || (s[i] >= '\t' && s[i] <= '\r')))
		i++;
	return i < n;
}

/* Puts text between two characters, which are escaped in it. */
static void put_enclosed(struct kt_text *t, const char *s, size_t n, const char *around)
{
	bool in_hex = is_in_hex(t, s, n);
	size_t begin = 0, at;

	kt_text_char(t, around[0]);
	for (; in_hex && begin < n; begin++)
		put_hex(t, s[begin]);
	for (at = begin; at < n; at++) {
		if (s[at] != '"' && s[at] != around[0] && s[at] != around[1])
			continue;
		kt_text_escaped(t, s + begin, at - begin);
		if (s[at] == '"')
			kt_text_put(t, "\\\"", 2);
		else
			put_escape(t, s + at, n - at);
		begin = at + 1;
	}
	kt_text_escaped(t, s + begin, n - begin);
	kt_text_char(t, around[1]);
}

void kt_text_quoted(struct kt_text *t, const char *s, size_t n)
{
	put_enclosed(t, s, n, "\"\"");
}

void kt_text_quoted_in_hex(struct kt_text *t, const char *s, size_t n)
{
	enum kt_escapes escapes = t->escapes;

	if (escapes != KT_ESCAPE_CONTROLS)
		t->escapes = KT_ESCAPE_ALL_STRINGS;
	kt_text_quoted(t, s, n);
	t->escapes = escapes;
}

void kt_text_quoted_cut(struct kt_text *t, const char *s, size_t n, bool is_cut)
{
	size_t put = kt_text_limited(t, n);

	kt_text_quoted(t, s, put);
	if (is_cut || put < n)
		kt_text_string(t, "...");
}

void kt_text_rest(struct kt_text *t, size_t n, uint64_t unreadable)
{
	kt_text_separator(t, n);
	kt_text_string(t, "...");
	if (!unreadable)
		return;
	kt_text_string(t, " /* ");
	kt_text_hex(t, unreadable);
	kt_text_string(t, " */");
}

void kt_text_bracketed(struct kt_text *t, const char *s, size_t n)
{
	put_enclosed(t, s, n, "<>");
}
