// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/json_text.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"
#include "values/text.h"

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* Puts a character that needs an escape in JSON, or that a terminal would obey. */
static void put_escape(struct kt_text *t, uint32_t c)
{
	static const char hex[] = "0123456789abcdef";
	static const char shorts[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	char text[6] = "\\u";
	const char *s;
	int i;

	for (s = shorts; *s; s += 2) {
		if ((unsigned char)*s != c)
			continue;
		kt_text_char(t, '\\');
		kt_text_char(t, s[1]);
		return;
	}
	for (i = 0; i < 4; i++)
		text[2 + i] = hex[c >> (12 - 4 * i) & 0xf];
	kt_text_put(t, text, sizeof(text));
}

/* Puts one character that is not plain. Returns its bytes. */
static size_t put_special(struct kt_text *t, const char *s, size_t n)
{
	uint32_t c;
	size_t len = kt_utf8_decode(s, n, &c);

	if (len == 0) {
		kt_text_string(t, "\xef\xbf\xbd"); /* U+FFFD */
		return 1;
	}
	if (c == '"' || c == '\\' || kt_utf8_shown(s, n) == 0)
		put_escape(t, c);
	else
		kt_text_put(t, s, len);
	return len;
}

static void put_escaped(struct kt_text *t, const char *s, size_t n)
{
	size_t at = 0, begin;

	while (at < n) {
		begin = at;
		while (at < n && is_plain(s[at]))
			at++;
		kt_text_put(t, s + begin, at - begin);
		if (at < n)
			at += put_special(t, s + at, n - at);
	}
}

void kt_json_text_string(struct kt_text *t, const char *s, size_t n)
{
	kt_text_char(t, '"');
	put_escaped(t, s, n);
	kt_text_char(t, '"');
}

void kt_json_text_bytes(struct kt_text *t, const char *s, size_t n, bool is_cut)
{
	size_t i, len = kt_utf8_valid(s, n);

	if (len == n || (is_cut && kt_utf8_is_beginning(s + len, n - len))) {
		kt_json_text_string(t, s, len);
		return;
	}
	for (i = 0; i < n; i++) {
		kt_text_char(t, i == 0 ? '[' : ',');
		kt_text_number(t, (unsigned char)s[i]);
	}
	kt_text_char(t, ']');
}

void kt_json_text_key(struct kt_text *t, const char *name, bool is_first)
{
	if (!is_first)
		kt_text_char(t, ',');
	kt_json_text_string(t, name, strlen(name));
	kt_text_char(t, ':');
}

/* Puts what json-c has escaped; it leaves what a terminal would obey, except for C0. */
static void put_formatted(struct kt_text *t, const char *s, size_t n)
{
	size_t at = 0, begin = 0, len;
	uint32_t c;

	while (at < n) {
		len = kt_utf8_shown(s + at, n - at);
		if (len > 0) {
			at += len;
			continue;
		}
		kt_text_put(t, s + begin, at - begin);
		len = kt_utf8_decode(s + at, n - at, &c);
		if (len > 0)
			put_escape(t, c);
		at += len > 0 ? len : 1;
		begin = at;
	}
	kt_text_put(t, s + begin, n - begin);
}

int kt_json_text_object(struct kt_text *t, struct json_object *o)
{
	const int flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	const char *text;
	size_t len;

	text = o ? json_object_to_json_string_length(o, flags, &len) : NULL;
	if (text)
		put_formatted(t, text, len);
	json_object_put(o);
	return text ? 0 : -ENOMEM;
}
