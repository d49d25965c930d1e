// SPDX-License-Identifier: GPL-2.0-or-later
/* Comparison of kernel releases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/kernel_release.h"

static void later_releases(void **state)
{
	(void)state;
	assert_true(kt_kernel_release_is_since("6.7.0", 6, 7));
	assert_true(kt_kernel_release_is_since("6.7-rc1", 6, 7));
	assert_true(kt_kernel_release_is_since("6.10.3-arch1", 6, 7));
	assert_true(kt_kernel_release_is_since("7.0", 6, 7));
	assert_true(kt_kernel_release_is_since("10.1.2", 6, 7));
}

static void earlier_releases(void **state)
{
	(void)state;
	assert_false(kt_kernel_release_is_since("6.6.99", 6, 7));
	assert_false(kt_kernel_release_is_since("6.1.0-18-amd64", 6, 7));
	assert_false(kt_kernel_release_is_since("5.19.17", 6, 7));
}

static void invalid_releases(void **state)
{
	(void)state;
	assert_false(kt_kernel_release_is_since("", 6, 7));
	assert_false(kt_kernel_release_is_since("7", 6, 7));
	assert_false(kt_kernel_release_is_since("linux 7.0", 6, 7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(later_releases),
		cmocka_unit_test(earlier_releases),
		cmocka_unit_test(invalid_releases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
