// SPDX-License-Identifier: GPL-2.0-or-later
/* Parsing of durations. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/duration.h"
#include "base/error.h"

static void valid_durations(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} right[] = {
		{"0", 0},
		{"00", 0},
		{"0s", 0},
		{"7ns", 7},
		{"7us", 7000},
		{"200ms", 200000000},
		{"10s", 10000000000},
		{"3min", 180000000000},
		{"2h", 7200000000000},
		{"18446744073709551615ns", UINT64_MAX},
		{"5124095h", 5124095 * UINT64_C(3600000000000)},
	};
	struct kt_error err;
	uint64_t ns;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(right) / sizeof(*right); i++) {
		if (kt_duration_parse(right[i].text, &ns, &err) < 0)
			fail_msg("%s: %s", right[i].text, err.text);
		assert_int_equal(ns, right[i].ns);
	}
}

static void invalid_durations(void **state)
{
	static const struct {
		const char *text;
		size_t at, len;
	} wrong[] = {
		{"", 0, 0},
		{"s", 0, 1},
		{"-1s", 0, 3},
		{" 4s", 0, 3},
		{"10", 2, 0},
		{"4 s", 1, 2},
		{"1.5s", 1, 3},
		{"4S", 1, 1},
		{"4sec", 1, 3},
		{"4m", 1, 1},
		{"4d", 1, 1},
		{"0d", 1, 1},
		{"18446744073709551616ns", 0, 20},
		{"99999999999999999999", 20, 0},
		{"18446744073709552us", 0, 17},
		{"5124096h", 0, 7},
	};
	struct kt_error err;
	uint64_t ns = 42;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_int_equal(kt_duration_parse(wrong[i].text, &ns, &err), -EINVAL);
		assert_ptr_equal(err.typed, wrong[i].text);
		assert_int_equal(err.at, wrong[i].at);
		assert_int_equal(err.len, wrong[i].len);
		assert_int_equal(ns, 42);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(valid_durations),
		cmocka_unit_test(invalid_durations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
