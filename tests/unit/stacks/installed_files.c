// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "stacks/installed_files.h"

static char dir[] = "/tmp/kt_installed_XXXXXX";

struct seen {
	size_t n_here, n, most;
	char last[64];
};

static bool see(void *with, const char *path)
{
	struct seen *s = with;

	s->n++;
	if (!strncmp(path, dir, strlen(dir))) {
		s->n_here++;
		snprintf(s->last, sizeof(s->last), "%s", path);
	}
	return s->n < s->most;
}

static void make_file(const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = creat(path, 0600);
	assert_true(fd >= 0);
	close(fd);
}

/* Neither links nor directories, nor what is in those. */
static void regular_files(void **state)
{
	struct seen s = {.most = SIZE_MAX};
	char path[64], expected[64];

	(void)state;
	assert_non_null(mkdtemp(dir));
	make_file("program");
	snprintf(path, sizeof(path), "%s/directory", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	make_file("directory/other");
	snprintf(path, sizeof(path), "%s/link", dir);
	assert_int_equal(symlink("program", path), 0);
	snprintf(path, sizeof(path), "relative::/nowhere:%s", dir);
	setenv("PATH", path, 1);

	kt_installed_files_visit(see, &s);
	assert_int_equal(s.n_here, 1);
	snprintf(expected, sizeof(expected), "%s/program", dir);
	assert_string_equal(s.last, expected);
	assert_true(s.n > 1); /* there are some of the distribution */

	s = (struct seen){.most = 1};
	kt_installed_files_visit(see, &s);
	assert_int_equal(s.n, 1);
	unsetenv("PATH");
	s = (struct seen){.most = SIZE_MAX};
	kt_installed_files_visit(see, &s);
	assert_int_equal(s.n_here, 0);
	assert_true(s.n > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(regular_files)};
	char command[64];
	int ret = cmocka_run_group_tests_name("installed_files", tests, NULL, NULL);

	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) ? 1 : ret;
}
