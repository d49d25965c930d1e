// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "trace/tsdl_lexer.h"

static char names[256];
static struct kt_error err;

/* A copy that ends where the sanitizer's memory does. */
static char *copy;

static struct kt_tsdl read_text(const char *text)
{
	size_t size = strlen(text);

	assert_true(size < sizeof(names));
	free(copy);
	copy = malloc(size + !size);
	memcpy(copy, text, size);
	return kt_tsdl_of(copy, size, names, &err);
}

static void assert_value(const char *text, const char *expected)
{
	struct kt_tsdl t = read_text(text);
	struct kt_tsdl_value v;

	assert_true(kt_tsdl_value(&t, &v));
	assert_false(v.is_number);
	assert_string_equal(v.text, expected);
	assert_int_equal(t.kind, KT_TSDL_END);
}

static void assert_number(const char *text, uint64_t expected)
{
	struct kt_tsdl t = read_text(text);
	struct kt_tsdl_value v;

	assert_true(kt_tsdl_value(&t, &v));
	assert_true(v.is_number);
	assert_int_equal(v.number, expected);
	assert_int_equal(t.kind, KT_TSDL_END);
}

static void assert_no_value(const char *text, const char *why)
{
	struct kt_tsdl t = read_text(text);
	struct kt_tsdl_value v;

	assert_false(kt_tsdl_value(&t, &v));
	assert_string_equal(err.text, why);
}

static void values(void **state)
{
	(void)state;
	assert_number("0", 0);
	assert_number("18446744073709551615", UINT64_MAX);
	assert_number("0xFfffffffffffffff", UINT64_MAX);
	assert_number("- 5", -5ull);
	assert_number("017", 15);
	assert_number("00", 0);
	assert_number("-9223372036854775808", 1ull << 63);
	assert_value("\"\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\\"\\?\"", "\a\b\f\n\r\t\v\\'\"?");
	assert_value("\"\\101\\x4\\x41b\\1017\"", "A\4AbA7");
	assert_no_value("\"a\\q\"", "metadata, line 1: unknown escape '\\q'");
	assert_no_value("\"\\0\"", "metadata, line 1: unknown escape '\\0'");
	assert_no_value("\"\\x\"", "metadata, line 1: unknown escape '\\x'");
	assert_no_value("\"\\400\"", "metadata, line 1: unknown escape '\\400'");
	assert_no_value("08", "metadata, line 1: expected a name, not '08'");
	assert_no_value("-9223372036854775809",
			"metadata, line 1: a number below the range of 64 bits");
	assert_value("le", "le");
	assert_value("a_1 . b.c", "a_1.b.c");
	assert_value("\"\"", "");
	assert_value("\"/* x */ // \\\"\\\\\"", "/* x */ // \"\\");
	assert_value("  /* a \" */ // b\n\"c\"//", "c");
	assert_no_value("18446744073709551616", "metadata, line 1: expected a name, not "
						"'18446744073709551616'");
	assert_no_value("1a", "metadata, line 1: expected a name, not '1a'");
	assert_no_value("0x", "metadata, line 1: expected a name, not '0x'");
	assert_no_value("-a", "metadata, line 1: expected a number, not 'a'");
	assert_no_value("a.", "metadata, line 1: expected a name at the end of the text");
	assert_no_value("\n\"a\n\"", "metadata, line 2: expected a name, not ''");
	assert_no_value("\"a\\", "metadata, line 1: expected a name, not ''");
	assert_no_value("/* \n\n", "metadata, line 1: expected a name, not ''");
	assert_no_value("/*/", "metadata, line 1: expected a name, not ''");
	assert_no_value("/* \n */\n\n;", "metadata, line 4: expected a name, not ';'");
}

static void signs(void **state)
{
	struct kt_tsdl t = read_text("a := b : = }");
	const char *a, *b;

	(void)state;
	assert_true(kt_tsdl_word(&t, &a));
	assert_false(kt_tsdl_accept(&t, ":"));
	assert_true(kt_tsdl_expect(&t, ":="));
	assert_true(kt_tsdl_word(&t, &b));
	assert_true(kt_tsdl_accept(&t, ":"));
	assert_false(kt_tsdl_expect(&t, ":="));
	assert_string_equal(err.text, "metadata, line 1: expected ':=', not '='");
	assert_true(kt_tsdl_accept(&t, "="));
	assert_true(kt_tsdl_accept(&t, "}"));
	assert_false(kt_tsdl_accept(&t, "}"));
	assert_int_equal(t.kind, KT_TSDL_END);
	assert_string_equal(a, "a");
	assert_string_equal(b, "b");
}

static int free_copy(void **state)
{
	(void)state;
	free(copy);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(signs),
	};

	return cmocka_run_group_tests_name("tsdl_lexer", tests, NULL, free_copy);
}
