// SPDX-License-Identifier: GPL-2.0-or-later
/* UTF-8 compared with the C library's iconv. */
#include <iconv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

/* Returns the length of the first character in n bytes, 0 if there is none. */
static size_t iconv_length(iconv_t to_32, const char *bytes, size_t n)
{
	size_t len, left, room;
	char c[4], *in, *out;

	for (len = 1; len <= n; len++) {
		in = (char *)bytes;
		out = c;
		left = len;
		room = sizeof(c);
		iconv(to_32, NULL, NULL, NULL, NULL);
		if (iconv(to_32, &in, &left, &out, &room) == 0 && room == 0)
			return len;
	}
	return 0;
}

/* Sequences of four bytes at which the encoding changes. */
static void same_as_iconv(void **state)
{
	static const char edges[] = "\x00\x41\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1"
				    "\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xf7\xf8\xff";
	const size_t n_edges = sizeof(edges) - 1;
	iconv_t to_32 = iconv_open("UTF-32LE", "UTF-8");
	size_t i, n, found[5] = {};
	char bytes[4];

	(void)state;
	assert_true(to_32 != (iconv_t)-1);
	for (i = 0; i < n_edges * n_edges * n_edges * n_edges; i++) {
		bytes[0] = edges[i % n_edges];
		bytes[1] = edges[i / n_edges % n_edges];
		bytes[2] = edges[i / n_edges / n_edges % n_edges];
		bytes[3] = edges[i / n_edges / n_edges / n_edges];
		n = kt_utf8_length(bytes, 4);
		if (n != iconv_length(to_32, bytes, 4))
			fail_msg("%02hhx %02hhx %02hhx %02hhx: %zu", bytes[0], bytes[1], bytes[2],
				 bytes[3], n);
		found[n]++;
	}
	for (n = 0; n < 5; n++)
		assert_true(found[n] > 0);
	iconv_close(to_32);
}

static void no_byte_beyond_the_end(void **state)
{
	static const char clef[] = "\xf0\x9d\x84\x9e";
	size_t n;

	(void)state;
	for (n = 0; n < 4; n++)
		assert_int_equal(kt_utf8_length(clef, n), 0);
	assert_int_equal(kt_utf8_length(clef, 4), 4);
}

enum { MAX = 3, N_BYTES = 1 << 24 }; /* longest beginning; values of three bytes */

static size_t as_number(const char *bytes, size_t n)
{
	size_t number = 0;

	while (n-- > 0)
		number = number << 8 | (unsigned char)bytes[n];
	return number;
}

/* Sets begins[n][bytes] for the first n bytes of every longer character, according to iconv. */
static void find_beginnings(bool *begins[MAX + 1])
{
	iconv_t to_8 = iconv_open("UTF-8", "UTF-32LE");
	size_t n, left, room;
	char bytes[4], *in, *out;
	uint32_t c;

	assert_true(to_8 != (iconv_t)-1);
	for (c = 0x80; c <= 0x10ffff; c++) {
		in = (char *)&c;
		out = bytes;
		left = sizeof(c);
		room = sizeof(bytes);
		if (iconv(to_8, &in, &left, &out, &room) != 0)
			continue; /* surrogates */
		for (n = 1; n < sizeof(bytes) - room; n++)
			begins[n][as_number(bytes, n)] = true;
	}
	iconv_close(to_8);
}

static void beginnings_can_be_completed(void **state)
{
	bool *begins[MAX + 1];
	size_t n, i, found = 0;
	char bytes[MAX];

	(void)state;
	for (n = 1; n <= MAX; n++)
		begins[n] = test_calloc(N_BYTES, sizeof(bool));
	find_beginnings(begins);
	for (n = 1; n <= MAX; n++) {
		for (i = 0; i < (size_t)1 << (8 * n); i++) {
			bytes[0] = i;
			bytes[1] = i >> 8;
			bytes[2] = i >> 16;
			if (kt_utf8_is_beginning(bytes, n) != begins[n][i])
				fail_msg("%zu bytes, %06zx", n, i);
			found += begins[n][i];
		}
		test_free(begins[n]);
	}
	assert_true(found > 1000);
	assert_false(kt_utf8_is_beginning("", 0));
	assert_false(kt_utf8_is_beginning("\xf0\x9d\x84\x9e", 4));
}

static size_t shown_length(uint32_t c)
{
	iconv_t to_8 = iconv_open("UTF-8", "UTF-32LE");
	char bytes[4], *in = (char *)&c, *out = bytes;
	size_t left = sizeof(c), room = sizeof(bytes);

	assert_true(to_8 != (iconv_t)-1);
	assert_int_equal(iconv(to_8, &in, &left, &out, &room), 0);
	iconv_close(to_8);
	return kt_utf8_shown(bytes, sizeof(bytes) - room);
}

/* Unicode's lists: Cc, Zl, Zp, and Bidi_Control in PropList.txt. */
static void control_characters_are_not_shown(void **state)
{
	static const uint32_t obeyed[] = {0,      0x1b,   0x7f,   0x80,   0x9b,
					  0x9f,   0x61c,  0x200e, 0x200f, 0x2028,
					  0x2029, 0x202a, 0x202e, 0x2066, 0x2069};
	static const uint32_t others[] = {' ',    '~',    0xa0,    0x61b,   0x61d,
					  0x200d, 0x2010, 0x2027,  0x202f,  0x2065,
					  0x206a, 0x20ac, 0x1f600, 0x10ffff};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(obeyed) / sizeof(*obeyed); i++)
		assert_int_equal(shown_length(obeyed[i]), 0);
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_true(shown_length(others[i]) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_iconv),
		cmocka_unit_test(no_byte_beyond_the_end),
		cmocka_unit_test(beginnings_can_be_completed),
		cmocka_unit_test(control_characters_are_not_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
