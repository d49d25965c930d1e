// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/json.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

static const unsigned int adds = JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY;

bool kt_json_add(struct json_object *o, const char *key, struct json_object *value)
{
	if (o && value && json_object_object_add_ex(o, key, value, adds) == 0)
		return true;
	json_object_put(value);
	return false;
}

bool kt_json_add_null(struct json_object *o, const char *key)
{
	return o && json_object_object_add_ex(o, key, NULL, adds) == 0;
}

bool kt_json_append(struct json_object *array, struct json_object *value)
{
	if (array && value && json_object_array_add(array, value) == 0)
		return true;
	json_object_put(value);
	return false;
}

/* Copies s and replaces invalid bytes; `to` has room for 3 * n bytes. */
static size_t replace_invalid(const char *s, size_t n, char *to)
{
	size_t at = 0, out = 0, len;

	while (at < n) {
		len = kt_utf8_valid(s + at, n - at);
		memcpy(to + out, s + at, len);
		at += len;
		out += len;
		if (at == n)
			break;
		memcpy(to + out, replacement, 3);
		at++;
		out += 3;
	}
	return out;
}

struct json_object *kt_json_text(const char *s, size_t n)
{
	struct json_object *text = NULL;
	char *valid;

	if (n > INT_MAX / 3)
		return NULL;
	if (kt_utf8_valid(s, n) == n)
		return json_object_new_string_len(s, n);
	valid = malloc(3 * n);
	if (valid)
		text = json_object_new_string_len(valid, replace_invalid(s, n, valid));
	free(valid);
	return text;
}

struct json_object *kt_json_bytes(const char *s, size_t n, bool is_cut)
{
	size_t i, len = kt_utf8_valid(s, n);
	struct json_object *array;

	if (len == n || (is_cut && kt_utf8_is_beginning(s + len, n - len)))
		return kt_json_text(s, len);
	array = json_object_new_array();
	for (i = 0; array && i < n; i++) {
		if (!kt_json_append(array, json_object_new_uint64((unsigned char)s[i]))) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

bool kt_json_add_text(struct json_object *o, const char *key, const char *text)
{
	return kt_json_add(o, key, kt_json_text(text, strlen(text)));
}

bool kt_json_add_number(struct json_object *o, const char *key, uint64_t n)
{
	return kt_json_add(o, key, json_object_new_uint64(n));
}

bool kt_json_add_tenths(struct json_object *o, const char *key, uint64_t tenths)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64 ".%u", tenths / 10, (unsigned int)(tenths % 10));
	return kt_json_add(o, key, json_object_new_double_s(tenths / 10.0, text));
}

bool kt_json_get_number(const struct json_object *o, const char *key, uint64_t max, uint64_t *n)
{
	struct json_object *value;

	if (!json_object_object_get_ex(o, key, &value))
		return true;
	*n = json_object_get_uint64(value);
	return json_object_is_type(value, json_type_int) && json_object_get_int64(value) >= 0 &&
	       *n <= max;
}

bool kt_json_get_bool(const struct json_object *o, const char *key, bool *is)
{
	struct json_object *value;

	if (!json_object_object_get_ex(o, key, &value))
		return true;
	*is = json_object_get_boolean(value);
	return json_object_is_type(value, json_type_boolean);
}

const char *kt_json_get_text(const struct json_object *o, const char *key)
{
	struct json_object *value;

	if (json_object_object_get_ex(o, key, &value) &&
	    json_object_is_type(value, json_type_string))
		return json_object_get_string(value);
	return "";
}

/*
 * Escapes the controls that json-c does not: it escapes only C0. All of them are below U+10000,
 * and occur only within strings.
 */
static void print_escaped(const char *text, size_t n, FILE *to)
{
	size_t at = 0, begin = 0, len;
	uint32_t c;

	while (at < n) {
		len = kt_utf8_shown(text + at, n - at);
		if (len > 0) {
			at += len;
			continue;
		}
		fwrite(text + begin, 1, at - begin, to);
		len = kt_utf8_decode(text + at, n - at, &c);
		if (len > 0)
			fprintf(to, "\\u%04x", (unsigned int)c);
		at += len > 0 ? len : 1;
		begin = at;
	}
	fwrite(text + begin, 1, n - begin, to);
}

int kt_json_print(struct json_object *o, FILE *to)
{
	const int flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	const char *text;
	size_t len;

	text = o ? json_object_to_json_string_length(o, flags, &len) : NULL;
	if (!text)
		return -ENOMEM;
	print_escaped(text, len, to);
	putc('\n', to);
	return 0;
}
