// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stacks/recent_mappings.h"

static struct kt_recent_mappings r;

static void add(int pid, uint64_t time, uint64_t begin, uint64_t end, const char *path)
{
	struct kt_logged_mapping m = {
		.pid = pid, .time = time, .begin = begin, .end = end, .path = path};

	kt_recent_mappings_add(&r, &m);
}

static void assert_path(int pid, uint64_t time, uint64_t address, const char *path)
{
	const struct kt_logged_mapping *m = kt_recent_mappings_find(&r, pid, time, address);

	if (path) {
		assert_non_null(m);
		assert_string_equal(m->path, path);
	} else {
		assert_null(m);
	}
}

static int clear(void **state)
{
	(void)state;
	kt_recent_mappings_clear(&r);
	return 0;
}

/* Mappings of several CPUs are not added in the order of time. */
static void at_a_time(void **state)
{
	(void)state;
	add(1, 30, 100, 200, "/c");
	add(1, 10, 100, 200, "/a");
	add(1, 20, 150, 300, "/b");
	add(2, 15, 100, 200, "/other");
	assert_path(1, 9, 100, NULL);
	assert_path(1, 10, 100, "/a");
	assert_path(1, 29, 149, "/a");
	assert_path(1, 29, 150, "/b");
	assert_path(1, 30, 150, "/c");
	assert_path(1, 30, 200, "/b");
	assert_path(1, 30, 300, NULL);
	assert_path(1, 30, 99, NULL);
	assert_path(3, 30, 100, NULL);
}

static void none_since(void **state)
{
	(void)state;
	add(1, 10, 100, 200, "/a");
	add(1, 20, 200, 300, "/b");
	assert_true(kt_recent_mappings_none(&r, 1, 10, 100, 200));
	assert_false(kt_recent_mappings_none(&r, 1, 9, 100, 200));
	assert_false(kt_recent_mappings_none(&r, 1, 10, 100, 201));
	assert_true(kt_recent_mappings_none(&r, 1, 20, 0, UINT64_MAX));
	assert_true(kt_recent_mappings_none(&r, 2, 0, 0, UINT64_MAX));
}

/* Nothing is sure about a time from which mappings were forgotten. */
static void forgotten(void **state)
{
	uint64_t i;

	(void)state;
	add(1, 5, 100, 200, "/first");
	for (i = 0; i < 4095; i++)
		add(7, 10 + i, 0, 10, "/many");
	assert_path(1, 5, 100, "/first");
	assert_true(kt_recent_mappings_none(&r, 2, 4, 0, 10));
	add(7, 10 + i, 0, 10, "/last");
	assert_path(1, 5, 100, NULL);
	assert_path(7, 10 + i, 0, "/last");
	assert_false(kt_recent_mappings_none(&r, 2, 4, 0, 10));
	assert_true(kt_recent_mappings_none(&r, 2, 5, 0, 10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(at_a_time, clear),
		cmocka_unit_test_teardown(none_since, clear),
		cmocka_unit_test_teardown(forgotten, clear),
	};

	return cmocka_run_group_tests_name("recent_mappings", tests, NULL, NULL);
}
