// SPDX-License-Identifier: GPL-2.0-or-later
/* Bytes and text as JSON; json-c reads them back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"

static void assert_printed(struct json_object *o, const char *expected)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	assert_non_null(o);
	assert_int_equal(kt_json_print(o, f), 0);
	assert_int_equal(fclose(f), 0);
	assert_string_equal(text, expected);
	json_object_put(o);
	free(text);
}

static void bytes_are_a_string_if_valid_utf8(void **state)
{
	(void)state;
	assert_printed(kt_json_bytes("ab", 2, false), "\"ab\"\n");
	assert_printed(kt_json_bytes("ab\xff", 3, false), "[97,98,255]\n");
	assert_printed(kt_json_bytes("a\xe2\x82", 3, false), "[97,226,130]\n");
	assert_printed(kt_json_bytes("", 0, true), "\"\"\n");
}

static void cut_bytes_lose_only_the_cut_character(void **state)
{
	static const char *const cut[] = {"\xe2\x82", "\xe2", "\xf0\x9d\x84", "\xc3", "\xed"};
	static const char *const wrong[] = {"\xff",     "\xff\xfe", "\xc0", "\xe0\x80",
					    "\xed\xa0", "\x80",     "\xf5", "\xe2\x41"};
	struct json_object *o;
	char bytes[8];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cut) / sizeof(*cut); i++) {
		snprintf(bytes, sizeof(bytes), "a%s", cut[i]);
		assert_printed(kt_json_bytes(bytes, strlen(bytes), true), "\"a\"\n");
	}
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		snprintf(bytes, sizeof(bytes), "a%s", wrong[i]);
		o = kt_json_bytes(bytes, strlen(bytes), true);
		assert_true(json_object_is_type(o, json_type_array));
		assert_int_equal(json_object_array_length(o), strlen(bytes));
		json_object_put(o);
	}
}

static void control_characters_are_escaped(void **state)
{
	static const char text[] = "\x1b\x7f\xc2\x9bm\xe2\x80\xae\xe2\x80\xa8\xc3\xa4\"\\";
	struct json_object *o;

	(void)state;
	assert_printed(kt_json_text(text, sizeof(text) - 1),
		       "\"\\u001b\\u007f\\u009bm\\u202e\\u2028\xc3\xa4\\\"\\\\\"\n");
	o = json_tokener_parse("\"\\u001b\\u007f\\u009bm\\u202e\\u2028\xc3\xa4\\\"\\\\\"");
	assert_string_equal(json_object_get_string(o), text);
	json_object_put(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_a_string_if_valid_utf8),
		cmocka_unit_test(cut_bytes_lose_only_the_cut_character),
		cmocka_unit_test(control_characters_are_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
