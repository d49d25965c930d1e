// SPDX-License-Identifier: GPL-2.0-or-later
/* UTF-8, as the C library's iconv sees it. */
#include <iconv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

/* How many of the n bytes are the first character, 0 if none are. */
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

/* Every four of the bytes at which something changes. */
static void as_iconv_has_it(void **state)
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

static void no_byte_behind_the_end(void **state)
{
	static const char clef[] = "\xf0\x9d\x84\x9e";
	size_t n;

	(void)state;
	for (n = 0; n < 4; n++)
		assert_int_equal(kt_utf8_length(clef, n), 0);
	assert_int_equal(kt_utf8_length(clef, 4), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_iconv_has_it),
		cmocka_unit_test(no_byte_behind_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
