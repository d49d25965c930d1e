// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cpus.h"
#include "base/error.h"

static void cpu_lists(void **state)
{
	(void)state;
	assert_int_equal(kt_cpus_parse("0\n", NULL, 0), 1);
	assert_int_equal(kt_cpus_parse("0-3\n", NULL, 0), 4);
	assert_int_equal(kt_cpus_parse("0-1,4,8-127", NULL, 0), 128);
	assert_int_equal(kt_cpus_parse("0,9", NULL, 0), 10);
	assert_int_equal(kt_cpus_parse("9,0-3,3", NULL, 0), 10);
}

static void invalid_lists(void **state)
{
	static const char *const bad[] = {"",  "\n",   "0-",  "0,",  "0-3 4",         "0x3",
					  "-", "0\n1", "all", "-1,", "0-99999999999", "3-1"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (kt_cpus_parse(bad[i], NULL, 0) != -1)
			fail_msg("'%s' passed", bad[i]);
}

static void cpus_in_list(void **state)
{
	bool set[6] = {false};

	(void)state;
	assert_int_equal(kt_cpus_parse("1,3-9\n", set, 6), 10);
	assert_memory_equal(set, ((bool[]){false, true, false, true, true, true}), sizeof(set));
}

static void this_machine(void **state)
{
	struct kt_error err;
	int cpu, n = kt_cpus_possible(&err), n_online = 0;
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

/* This machine has at least CPU 0. */
static void selected_cpus(void **state)
{
	static const struct {
		const char *list;
		int code;
		size_t at, len;
	} bad[] = {
		{"", EINVAL, 0, 0},      {"0,x1", EINVAL, 2, 2},      {"0,,0", EINVAL, 2, 0},
		{"0 ", EINVAL, 0, 2},    {"0,0-99999", ENODEV, 2, 7}, {"99999", ENODEV, 0, 5},
		{"0,2-1", EINVAL, 2, 3}, {"0-", EINVAL, 0, 2},
	};
	struct kt_error err;
	int cpu, n = kt_cpus_possible(&err);
	bool *selected = NULL;
	size_t i;

	(void)state;
	assert_int_equal(kt_cpus_select(&selected, "0", &err), 0);
	assert_int_equal(kt_cpus_select(&selected, "0-0,0", &err), 0);
	for (cpu = 0; cpu < n; cpu++)
		assert_int_equal(selected[cpu], cpu == 0);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(kt_cpus_select(&selected, bad[i].list, &err), -bad[i].code);
		assert_ptr_equal(err.typed, bad[i].list);
		assert_int_equal(err.at, bad[i].at);
		assert_int_equal(err.len, bad[i].len);
	}
	free(selected);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpu_lists),     cmocka_unit_test(invalid_lists),
		cmocka_unit_test(cpus_in_list),  cmocka_unit_test(this_machine),
		cmocka_unit_test(selected_cpus),
	};

	return cmocka_run_group_tests_name("cpus", tests, NULL, NULL);
}
