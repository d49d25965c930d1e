// SPDX-License-Identifier: GPL-2.0-or-later
/* Which argument counts the elements of another one, and in which unit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fetch/count_arguments.h"

static void pairs(void **state)
{
	(void)state;
	assert_true(kt_count_argument_is("ufds", "nfds"));
	assert_false(kt_count_argument_is("nfds", "ufds"));
	assert_true(kt_count_argument_is("argv", "__argv_count"));
	assert_false(kt_count_argument_is("argv", "__envp_count"));
	assert_int_equal(kt_count_unit_of("ufds", "nfds"), KT_COUNT_ELEMENTS);
	assert_int_equal(kt_count_unit_of("argv", "__argv_count"), KT_COUNT_ELEMENTS);
	assert_int_equal(kt_count_unit_of("inp", "n"), KT_COUNT_BITS);
	assert_int_equal(kt_count_unit_of("user_mask_ptr", "ret"), KT_COUNT_BYTES);
}

static void elements(void **state)
{
	(void)state;
	assert_int_equal(kt_count_elements(KT_COUNT_ELEMENTS, 7), 7);
	assert_int_equal(kt_count_elements(KT_COUNT_BITS, 0), 0);
	assert_int_equal(kt_count_elements(KT_COUNT_BITS, 64), 1);
	assert_int_equal(kt_count_elements(KT_COUNT_BITS, 65), 2);
	assert_int_equal(kt_count_elements(KT_COUNT_BYTES, 32), 4);
	assert_int_equal(kt_count_elements(KT_COUNT_NODES, 65), 1);
	assert_int_equal(kt_count_elements(KT_COUNT_NODES, 66), 2);
	assert_int_equal(kt_count_elements(KT_COUNT_PAGES, 1), 1);
	assert_int_equal(kt_count_elements(KT_COUNT_PAGES, 4097), 2);
	assert_int_equal(kt_count_elements(KT_COUNT_BITS, UINT64_MAX), UINT64_MAX >> 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs),
		cmocka_unit_test(elements),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
