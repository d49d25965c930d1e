// SPDX-License-Identifier: GPL-2.0-or-later
/* Text buffers, compared with the C library's printf. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "values/text.h"

static struct kt_text text;
static char *written;
static size_t size;

static int open_text(void **state)
{
	(void)state;
	text.to = open_memstream(&written, &size);
	return text.to ? 0 : -1;
}

static int close_text(void **state)
{
	(void)state;
	fclose(text.to);
	free(written);
	return 0;
}

/* Returns the text put since the last call. */
static const char *get(void)
{
	kt_text_char(&text, '\0');
	kt_text_flush(&text);
	fflush(text.to);
	rewind(text.to);
	return written;
}

static void expect(const char *format, ...)
{
	char expected[64];
	va_list ap;

	va_start(ap, format);
	vsnprintf(expected, sizeof(expected), format, ap);
	va_end(ap);
	assert_string_equal(get(), expected);
}

static void try_number(uint64_t n)
{
	int width = n % 22;

	kt_text_number(&text, n);
	expect("%" PRIu64, n);
	kt_text_padded(&text, n, width, ' ');
	expect("%*" PRIu64, width, n);
	kt_text_padded(&text, n, width, '0');
	expect("%0*" PRIu64, width, n);
	kt_text_hex(&text, n);
	expect("0x%" PRIx64, n);
	kt_text_octal(&text, n);
	expect("%#" PRIo64, n);
	kt_text_time(&text, n);
	expect("%5" PRIu64 ".%09" PRIu64, n / 1000000000, n % 1000000000);
	assert_int_equal(kt_text_signed(&text, n), snprintf(NULL, 0, "%" PRId64, (int64_t)n));
	expect("%" PRId64, (int64_t)n);
}

static void numbers(void **state)
{
	uint64_t power, i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		try_number(i);
		try_number(i * 10000);
	}
	for (power = 1; power > 0; power *= 2)
		for (i = 0; i < 3; i++)
			try_number(power - 1 + i);
	for (power = 1; power < UINT64_MAX / 10; power *= 10)
		for (i = 0; i < 30; i++)
			try_number((i / 3 + 1) * power - 1 + i % 3);
	for (i = 0; i < 100000; i++)
		try_number((i * 0x9e3779b97f4a7c15 ^ i << 20) >> i % 64);
	for (i = 0; i < 10; i++)
		try_number(-i);
}

/* At every position of the buffer's end. */
static void at_every_position(void **state)
{
	const size_t all = sizeof(text.bytes);
	size_t left;

	(void)state;
	for (left = 0; left < 128; left++) {
		kt_text_fill(&text, all - left, '.');
		kt_text_number(&text, UINT64_MAX);
		kt_text_signed(&text, INT64_MIN);
		kt_text_padded(&text, 7, 9, '0');
		kt_text_time(&text, 1);
		kt_text_string(&text, "text");
		kt_text_char(&text, '!');
		assert_int_equal(strspn(get(), "."), all - left);
		assert_string_equal(written + all - left,
				    "18446744073709551615-9223372036854775808000000007"
				    "    0.000000001text!");
	}
}

/* Also more than there is room for. */
static void padding(void **state)
{
	const size_t all = sizeof(text.bytes), n = 2 * all + 5;

	(void)state;
	kt_text_fill(&text, 3, 'a');
	kt_text_fill(&text, n, 'b');
	kt_text_fill(&text, 0, 'c');
	kt_text_fill(&text, all, 'd');
	assert_int_equal(strspn(get(), "a"), 3);
	assert_int_equal(strspn(written + 3, "b"), n);
	assert_int_equal(strspn(written + 3 + n, "d"), all);
	assert_int_equal(strlen(written), 3 + n + all);
}

static void quoted(void **state)
{
	(void)state;
	kt_text_quoted(&text, "", 0);
	expect("\"\"");
	kt_text_quoted(&text, "/etc/hostname\"", 13);
	expect("\"/etc/hostname\"");
	kt_text_quoted(&text, "\"a\"\"b\nc\\", 8);
	expect("\"\\\"a\\\"\\\"b\\nc\\\\\"");
	kt_text_quoted(&text, "<\"\">", 4);
	expect("\"<\\\"\\\">\"");
}

/* Closing brackets are escaped. */
static void bracketed(void **state)
{
	(void)state;
	kt_text_bracketed(&text, "", 0);
	expect("<>");
	kt_text_bracketed(&text, "/a>3<b\"\\", 8);
	expect("</a\\x3e3\\x3cb\\\"\\\\>");
	text.escapes = KT_ESCAPE_OCTAL;
	kt_text_bracketed(&text, "/a>3<b\n", 7);
	expect("</a\\0763\\74b\\n>");
	text.escapes = KT_ESCAPE_CONTROLS;
}

static void escaped(void **state)
{
	static const char some[] = "a\\\n\t\v\x1b\x1b"
				   "3\x7f\303\244\2007\0018\0";

	(void)state;
	kt_text_escaped(&text, some, sizeof(some));
	expect("a\\\\\\n\\t\\x0b\\x1b\\x1b3\\x7f\303\244\\x807\\x018\\x00\\x00");
	text.escapes = KT_ESCAPE_OCTAL;
	kt_text_escaped(&text, some, sizeof(some));
	expect("a\\\\\\n\\t\\v\\33\\0333\\177\\303\\244\\2007\\18\\0\\0");
	text.escapes = KT_ESCAPE_CONTROLS;
}

/* Only strings that are not ASCII, or all, are in hex; white space is ASCII. */
static void in_hex(void **state)
{
	(void)state;
	text.escapes = KT_ESCAPE_HEX;
	kt_text_quoted(&text, "\303a\1\n\"", 5);
	expect("\"\\xc3a\\x01\\n\\\"\"");
	text.escapes = KT_ESCAPE_HEX_STRINGS;
	kt_text_quoted(&text, "a\t\r\v~", 5);
	expect("\"a\\t\\r\\v~\"");
	kt_text_quoted(&text, "a\x7f", 2);
	expect("\"\\x61\\x7f\"");
	kt_text_quoted(&text, "\0b", 2);
	expect("\"\\x00\\x62\"");
	kt_text_bracketed(&text, "a\303", 2);
	expect("<\\x61\\xc3>");
	text.escapes = KT_ESCAPE_ALL_STRINGS;
	kt_text_quoted(&text, "", 0);
	expect("\"\"");
	kt_text_quoted(&text, "a\"", 2);
	expect("\"\\x61\\x22\"");
	text.escapes = KT_ESCAPE_CONTROLS;
}

static void bits(void **state)
{
	(void)state;
	kt_text_bits(&text, 0);
	expect("0");
	kt_text_bits(&text, 31);
	expect("0x1f");
}

static void seconds(void **state)
{
	(void)state;
	kt_text_seconds(&text, 12000345999, 6, 6);
	expect("    12.000345");
	kt_text_seconds(&text, 999, 0, 6);
	expect("0.000000");
	kt_text_seconds(&text, 1999999999, 0, 0);
	expect("1");
	kt_text_seconds(&text, 1020304050, 0, 9);
	expect("1.020304050");
	kt_text_seconds(&text, 1020304050, 3, 3);
	expect("  1.020");
}

static void scaled_times(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} all[] = {
		{0, "0 ns"},
		{999, "999 ns"},
		{1000, "1.00 us"},
		{4021, "4.02 us"},
		{9999, "9.99 us"},
		{12345, "12.3 us"},
		{148001523, "148 ms"},
		{999999999, "999 ms"},
		{1000000000, "1.00 s"},
		{12345678901, "12.3 s"},
		{86400000000000, "86400 s"},
		{UINT64_MAX, "18446744073 s"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		kt_text_scaled_time(&text, all[i].ns, 0);
		expect("%s", all[i].text);
		kt_text_scaled_time(&text, all[i].ns, 12);
		expect("%12s", all[i].text);
	}
}

static void longer_than_the_buffer(void **state)
{
	const size_t all = sizeof(text.bytes);
	static char a[sizeof(text.bytes) + 2];
	uint64_t before = kt_text_position(&text);

	(void)state;
	memset(a, 'a', all + 1);
	kt_text_char(&text, '<');
	kt_text_put(&text, a, all + 1);
	kt_text_char(&text, '>');
	kt_text_put(&text, a, all);
	assert_int_equal(kt_text_position(&text), before + 1 + all + 1 + 1 + all);
	assert_int_equal(strlen(get()), 1 + all + 1 + 1 + all);
	assert_int_equal(written[0], '<');
	assert_int_equal(strspn(written + 1, "a"), all + 1);
	assert_int_equal(written[all + 2], '>');
	assert_int_equal(strspn(written + all + 3, "a"), all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(numbers, open_text, close_text),
		cmocka_unit_test_setup_teardown(quoted, open_text, close_text),
		cmocka_unit_test_setup_teardown(bracketed, open_text, close_text),
		cmocka_unit_test_setup_teardown(escaped, open_text, close_text),
		cmocka_unit_test_setup_teardown(in_hex, open_text, close_text),
		cmocka_unit_test_setup_teardown(bits, open_text, close_text),
		cmocka_unit_test_setup_teardown(seconds, open_text, close_text),
		cmocka_unit_test_setup_teardown(scaled_times, open_text, close_text),
		cmocka_unit_test_setup_teardown(at_every_position, open_text, close_text),
		cmocka_unit_test_setup_teardown(padding, open_text, close_text),
		cmocka_unit_test_setup_teardown(longer_than_the_buffer, open_text, close_text),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
