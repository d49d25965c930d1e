// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bpf/ring_layout.h"

#define HEAD(time) ((uint64_t)(time) << KT_TIME_SHIFT | 0xabcd)

static void full_times(void **state)
{
	static const struct {
		uint64_t begin, time;
	} cases[] = {
		{0, 0},
		{5, 5},
		{(7ull << 48) + 5, (7ull << 48) + 6},
		{(7ull << 48) - 1, 7ull << 48}, /* the 48 bits wrap */
		{(7ull << 48) - 1, (7ull << 48) + (1ull << 47) - 2},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(kt_record_time(HEAD(cases[i].time), cases[i].begin),
				 cases[i].time);
}

static void sizes(void **state)
{
	static const struct kt_geometry g = {12, 2};

	(void)state;
	assert_int_equal(kt_record_size(12), 16);
	assert_int_equal(kt_record_size(16), 16);
	assert_int_equal(kt_record_size(17), 24);
	assert_int_equal(kt_record_max(g), 4096 - 64 - 8);
	assert_int_equal(kt_record_data_max(g), 512);
	assert_int_equal(kt_record_call_data_max(g), 1024);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_times),
		cmocka_unit_test(sizes),
	};

	return cmocka_run_group_tests_name("ring_layout", tests, NULL, NULL);
}
