// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cpus.h"
#include "base/error.h"

static void lists(void **state)
{
	(void)state;
	assert_int_equal(kt_cpus_parse("0\n"), 1);
	assert_int_equal(kt_cpus_parse("0-3\n"), 4);
	assert_int_equal(kt_cpus_parse("0-1,4,8-127"), 128);
	assert_int_equal(kt_cpus_parse("0,9"), 10);
}

static void no_lists(void **state)
{
	static const char *const bad[] = {"",  "\n",   "0-",  "0,",  "0-3 4",        "0x3",
					  "-", "0\n1", "all", "-1,", "0-99999999999"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (kt_cpus_parse(bad[i]) != -1)
			fail_msg("'%s' passed", bad[i]);
}

static void this_machine(void **state)
{
	struct kt_error err;

	(void)state;
	assert_true(kt_cpus(&err) >= sysconf(_SC_NPROCESSORS_CONF));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists),
		cmocka_unit_test(no_lists),
		cmocka_unit_test(this_machine),
	};

	return cmocka_run_group_tests_name("cpus", tests, NULL, NULL);
}
