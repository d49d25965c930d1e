// SPDX-License-Identifier: GPL-2.0-or-later
/* Which table a type of trace metadata comes from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "constants/constants.h"
#include "constants/labels.h"

static void types(void **state)
{
	(void)state;
	assert_ptr_equal(kt_constants_of_type("open_x32_0x3_flags"), kt_constants_find("open"));
	assert_ptr_equal(kt_constants_of_type("clock_s32_values"), kt_constants_find("clock"));
	assert_ptr_equal(kt_constants_of_type("clock_status_x32_flags"),
			 kt_constants_find("clock_status"));
	assert_ptr_equal(kt_constants_of_type("at_flags_x32_flags"), kt_constants_find("at_flags"));
	assert_null(kt_constants_of_type("open"));
	assert_null(kt_constants_of_type("opener_x32_flags"));
	assert_null(kt_constants_of_type("__mode_values"));
	assert_null(kt_constants_of_type(""));
}

/* A descriptor is usually a number; a socket's family has a name. */
static void unnamed_values(void **state)
{
	(void)state;
	assert_null(kt_constants_find("at")->unnamed);
	assert_string_equal(kt_constants_find("family")->unnamed, "AF_???");
	assert_string_equal(kt_constants_find("access")->unnamed, "?_OK");
	assert_true(kt_constants_find("ioctl")->are_requests);
	assert_false(kt_constants_find("family")->are_requests);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(types),
		cmocka_unit_test(unnamed_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
