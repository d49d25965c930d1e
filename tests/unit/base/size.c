// SPDX-License-Identifier: GPL-2.0-or-later
/* Parsing and printing of sizes, and the rings made for them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/size.h"
#include "bpf/ring_layout.h"
#include "ring/ring_size.h"

static void valid_sizes(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} right[] = {
		{"0", 0},
		{"1", 1},
		{"8192", 8192},
		{"4k", 4096},
		{"4K", 4096},
		{"16M", 16 << 20},
		{"3m", 3 << 20},
		{"2G", 2ull << 30},
		{"18446744073709551615", UINT64_MAX},
		{"17179869183G", UINT64_MAX >> 30 << 30},
	};
	struct kt_error err;
	uint64_t bytes;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(right) / sizeof(*right); i++) {
		if (kt_size_parse(right[i].text, &bytes, &err) < 0)
			fail_msg("%s: %s", right[i].text, err.text);
		assert_int_equal(bytes, right[i].bytes);
	}
}

static void invalid_sizes(void **state)
{
	static const struct {
		const char *text;
		size_t at, len;
	} wrong[] = {
		{"", 0, 0},
		{"M", 0, 1},
		{"-1", 0, 2},
		{" 4M", 0, 3},
		{"4MB", 1, 2},
		{"4 M", 1, 2},
		{"1.5M", 1, 3},
		{"4T", 1, 1},
		{"18446744073709551616", 0, 20},
		{"17179869184G", 0, 11},
	};
	uint64_t bytes = 42;
	struct kt_error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_int_equal(kt_size_parse(wrong[i].text, &bytes, &err), -EINVAL);
		assert_ptr_equal(err.typed, wrong[i].text);
		assert_int_equal(err.at, wrong[i].at);
		assert_int_equal(err.len, wrong[i].len);
		assert_int_equal(bytes, 42);
	}
}

static void printed_sizes(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} as[] = {
		{0, "0 B"},
		{1023, "1023 B"},
		{1024, "1.0 KiB"},
		{1024 + 51, "1.0 KiB"},
		{1024 + 52, "1.1 KiB"},
		{(1 << 20) - 52, "1023.9 KiB"},
		{(1 << 20) - 51, "1.0 MiB"},
		{6 << 20, "6.0 MiB"},
		{1ull << 30, "1.0 GiB"},
		{UINT64_MAX, "16.0 EiB"},
	};
	char text[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(as) / sizeof(*as); i++) {
		kt_size_format(as[i].bytes, text, sizeof(text));
		assert_string_equal(text, as[i].text);
	}
}

/* A ring is never smaller than the size, less than twice as large, and within the limits. */
static void ring_sizes(void **state)
{
	struct kt_geometry g;
	uint64_t n, size;

	(void)state;
	for (n = 8192; n <= 1 << 30; n = n % 2 ? n - 1 + n / 3 : n + 1) {
		g = kt_geometry_of(n);
		size = (uint64_t)kt_subbuf_size(g) * g.n_subbufs;
		assert_true(size >= n && size / 2 < n);
		assert_in_range(g.shift, 12, 16);
		assert_true(g.n_subbufs >= 2 && !(g.n_subbufs & (g.n_subbufs - 1)));
		assert_true(g.n_subbufs >= 64 || g.shift == 12);
	}
	assert_int_equal(kt_geometry_of(4 << 20).shift, 16);
	assert_int_equal(kt_geometry_of(8192).n_subbufs, 2);
}

/* All rings together take a 64th of memory, within 1 and 16 MiB each. */
static void default_ring_sizes(void **state)
{
	enum { MIB = 1 << 20 };
	static const struct {
		uint64_t memory, n_cpus, size;
	} machines[] = {
		{24ull << 30, 2, 16 * MIB},
		{2ull << 30, 2, 16 * MIB},
		{(2ull << 30) - 1, 2, 8 * MIB},
		{512 * MIB, 4, 2 * MIB},
		{256ull << 30, 64, 16 * MIB},
		{256ull << 30, 257, 8 * MIB},
		{128 * MIB, 8, MIB},
		{0, 1, MIB},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		assert_int_equal(kt_ring_size_for(machines[i].memory, machines[i].n_cpus),
				 machines[i].size);
	assert_in_range(kt_ring_size_default(), MIB, 16 * MIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(valid_sizes),        cmocka_unit_test(invalid_sizes),
		cmocka_unit_test(printed_sizes),      cmocka_unit_test(ring_sizes),
		cmocka_unit_test(default_ring_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
