// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stacks/build_id_paths.h"

static void set(struct kt_build_id_paths *p, const char *id, int pid, const char *path)
{
	struct kt_build_id_path to = {.pid = pid, .path = path};

	memcpy(to.build_id, id, strlen(id));
	kt_build_id_paths_set(p, &to);
}

/* Where a file was seen last counts. */
static void newest(void **state)
{
	struct kt_build_id_paths p = {0};
	uint8_t id[KT_BUILD_ID_SIZE] = "a";

	(void)state;
	assert_null(kt_build_id_paths_find(&p, id));
	set(&p, "a", 1, "/a");
	set(&p, "b", 2, "/b");
	set(&p, "ab", 3, "/ab");
	assert_string_equal(kt_build_id_paths_find(&p, id)->path, "/a");
	set(&p, "a", 4, "/new");
	assert_string_equal(kt_build_id_paths_find(&p, id)->path, "/new");
	assert_int_equal(kt_build_id_paths_find(&p, id)->pid, 4);
	id[1] = 'b';
	assert_int_equal(kt_build_id_paths_find(&p, id)->pid, 3);
	id[1] = 'c';
	assert_null(kt_build_id_paths_find(&p, id));
	kt_build_id_paths_clear(&p);
	kt_build_id_paths_clear(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(newest)};

	return cmocka_run_group_tests_name("build_id_paths", tests, NULL, NULL);
}
