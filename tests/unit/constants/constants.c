// SPDX-License-Identifier: GPL-2.0-or-later
/* Which table a type of trace metadata comes from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
	assert_int_equal(kt_constants_find("ioctl")->form, KT_LABELS_REQUESTS);
	assert_int_equal(kt_constants_find("family")->form, KT_LABELS_USUAL);
}

/* Filters find a name in any table, so that one of two values would be wrong. */
static void one_value_per_name(void **state)
{
	const struct kt_labels *a, *b;
	size_t i, k, m, n;

	(void)state;
	for (i = 0; (a = kt_constants_at(i)); i++)
		for (k = i; (b = kt_constants_at(k)); k++)
			for (m = 0; m < a->n; m++)
				for (n = 0; n < b->n; n++)
					if (strcmp(a->of[m].text, b->of[n].text) == 0 &&
					    a->of[m].value != b->of[n].value)
						fail_msg("%s in %s and %s", a->of[m].text, a->name,
							 b->name);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(types),
		cmocka_unit_test(unnamed_values),
		cmocka_unit_test(one_value_per_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
