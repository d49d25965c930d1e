// SPDX-License-Identifier: GPL-2.0-or-later
/* JSON tokens as text: the witness is json-c (base/json.h), whose output must be the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"
#include "values/json_text.h"
#include "values/text.h"

typedef void put_fn(struct kt_text *t, const char *s, size_t n);

static void put_cut_bytes(struct kt_text *t, const char *s, size_t n)
{
	kt_json_text_bytes(t, s, n, true);
}

static void put_bytes(struct kt_text *t, const char *s, size_t n)
{
	kt_json_text_bytes(t, s, n, false);
}

/* Asserts that both write the same; the text may be flushed at any place. */
static void assert_same(put_fn *put, const char *s, size_t n, size_t filled,
			struct json_object *witness)
{
	static struct kt_text text;
	char *found, *expected;
	size_t size[2];
	FILE *f = open_memstream(&expected, &size[1]);

	text = (struct kt_text){.to = open_memstream(&found, &size[0]), .len = filled};
	memset(text.bytes, ' ', filled);
	put(&text, s, n);
	kt_text_char(&text, '\n');
	kt_text_flush(&text);
	fclose(text.to);
	assert_int_equal(kt_json_print(witness, f), 0);
	fclose(f);
	assert_string_equal(found + filled, expected);
	json_object_put(witness);
	free(found);
	free(expected);
}

static void assert_all(const char *s, size_t n, size_t filled)
{
	assert_same(kt_json_text_string, s, n, filled, kt_json_text(s, n));
	if (n == 0)
		return;
	assert_same(put_bytes, s, n, filled, kt_json_bytes(s, n, false));
	assert_same(put_cut_bytes, s, n, filled, kt_json_bytes(s, n, true));
}

static void every_byte(void **state)
{
	char s[2] = {0};
	int i;

	(void)state;
	assert_all("", 0, 0);
	for (i = 0; i < 256; i++) {
		s[0] = (char)i;
		assert_all(s, 1, 0);
		assert_all(s, 2, 0);
	}
}

/* Of all that needs care: quotes, controls, UTF-8 whole and cut, marks that reverse text. */
static void random_texts(void **state)
{
	static const char *const pieces[] = {
		"a",        "\"",           "\\",   "/",    "\x7f", "\n",   "\0",
		"\xc3\xa9", "\xe2\x80\xae", "\xc3", "\x80", "\xff", "\x1b", "\xf0\x9f\x98\x80",
		"\xc2\x85", "\xed\xa0\x80"};
	char s[256];
	size_t n, i, round;
	const char *piece;

	(void)state;
	srand(1);
	for (round = 0; round < 20000; round++) {
		n = 0;
		for (i = rand() % 40; i > 0; i--) {
			piece = pieces[rand() % (sizeof(pieces) / sizeof(*pieces))];
			memcpy(s + n, piece, strlen(piece));
			n += *piece ? strlen(piece) : 1;
		}
		assert_all(s, n, round % 7 ? 0 : sizeof(((struct kt_text *)0)->bytes) - round % 99);
	}
}

/* A value that json-c built is put as it prints it. */
static void objects(void **state)
{
	struct json_object *o = json_object_new_object();
	static struct kt_text text;
	char *found;
	size_t size;

	(void)state;
	assert_true(kt_json_add(o, "a", kt_json_text("\x1b\"\xe2\x80\xae\xc2\x9b/", 8)));
	text.to = open_memstream(&found, &size);
	assert_int_equal(kt_json_text_object(&text, o), 0);
	assert_true(kt_json_text_object(&text, NULL) < 0);
	kt_text_flush(&text);
	fclose(text.to);
	assert_string_equal(found, "{\"a\":\"\\u001b\\\"\\u202e\\u009b/\"}");
	free(found);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte),
		cmocka_unit_test(random_texts),
		cmocka_unit_test(objects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
