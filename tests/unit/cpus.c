// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cpus.h"
#include "base/error.h"

static void lists(void **state)
{
	(void)state;
	assert_int_equal(kt_cpus_parse("0\n", NULL, 0), 1);
	assert_int_equal(kt_cpus_parse("0-3\n", NULL, 0), 4);
	assert_int_equal(kt_cpus_parse("0-1,4,8-127", NULL, 0), 128);
	assert_int_equal(kt_cpus_parse("0,9", NULL, 0), 10);
}

static void no_lists(void **state)
{
	static const char *const bad[] = {"",   "\n",   "0-",  "0,",  "0-3 4",         "0x3",
					  "-",  "0\n1", "all", "-1,", "0-99999999999", "3-1",
					  "0,0"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (kt_cpus_parse(bad[i], NULL, 0) != -1)
			fail_msg("'%s' passed", bad[i]);
}

static void those_of_a_list(void **state)
{
	bool set[6] = {false};

	(void)state;
	assert_int_equal(kt_cpus_parse("1,3-9\n", set, 6), 10);
	assert_memory_equal(set, ((bool[]){false, true, false, true, true, true}), sizeof(set));
}

static void this_machine(void **state)
{
	struct kt_error err;
	int cpu, n = kt_cpus(&err), n_online = 0;
	bool *online;

	(void)state;
	assert_true(n >= sysconf(_SC_NPROCESSORS_CONF));
	online = calloc(n, sizeof(*online));
	assert_int_equal(kt_cpus_online(online, n, &err), 0);
	for (cpu = 0; cpu < n; cpu++)
		n_online += online[cpu];
	assert_int_equal(n_online, sysconf(_SC_NPROCESSORS_ONLN));
	free(online);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists),
		cmocka_unit_test(no_lists),
		cmocka_unit_test(those_of_a_list),
		cmocka_unit_test(this_machine),
	};

	return cmocka_run_group_tests_name("cpus", tests, NULL, NULL);
}
