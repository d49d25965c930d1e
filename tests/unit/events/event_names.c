// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "events/event_names.h"
#include "tests/unit/fixtures.h"

/* Reads the names of a kernel whose available_events has that text. */
static struct kt_event_names *read_names(const char *text, struct kt_error *err)
{
	char dir[] = "/tmp/kt-names-XXXXXX", path[64];
	struct kt_event_names *names;
	FILE *f;
	int fd;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/available_events", dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);

	fd = open(dir, O_RDONLY | O_DIRECTORY);
	names = kt_event_names_read(fd, err);
	close(fd);
	unlink(path);
	rmdir(dir);
	return names;
}

static void assert_name(const struct kt_event_names *names, size_t i, const char *system,
			const char *event)
{
	assert_string_equal(kt_event_names_at(names, i)->system, system);
	assert_string_equal(kt_event_names_at(names, i)->event, event);
}

static void sorted_each_once(void **state)
{
	struct kt_error err;
	struct kt_event_names *names = read_names("b:z\nb:a\nab:x\nb:z\na:x\n", &err);

	(void)state;
	assert_non_null(names);
	assert_int_equal(kt_event_names_count(names), 4);
	assert_name(names, 0, "a", "x");
	assert_name(names, 1, "ab", "x");
	assert_name(names, 2, "b", "a");
	assert_name(names, 3, "b", "z");
	kt_event_names_free(names);
}

static void two_kernels(void **state)
{
	struct kt_event_names *names;
	struct kt_error err;
	size_t i;
	int dir;

	(void)state;
	for (i = 0; i < N_FIXTURES; i++) {
		dir = open_fixture(i);
		names = kt_event_names_read(dir, &err);
		assert_non_null(names);
		assert_int_equal(kt_event_names_count(names), 14);
		assert_name(names, 0, "block", "block_rq_issue");
		assert_name(names, 13, "tcp", "tcp_probe");
		kt_event_names_free(names);
		close(dir);
	}
}

static void longer_than_the_first_read(void **state)
{
	enum { N = 20000 };
	char *text = malloc(N * 16 + 1), *at = text;
	struct kt_event_names *names;
	struct kt_error err;
	int i;

	(void)state;
	for (i = 0; i < N; i++)
		at += sprintf(at, "sys:event%05d\n", i);
	names = read_names(text, &err);
	assert_non_null(names);
	assert_int_equal(kt_event_names_count(names), N);
	assert_name(names, N - 1, "sys", "event19999");
	kt_event_names_free(names);
	free(text);
}

static void odd_lists(void **state)
{
	static const char *const bad[] = {"a\n", ":x\n", "a:\n", "\n", "a:x", "a:x\nb"};
	struct kt_event_names *names;
	struct kt_error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_null(read_names(bad[i], &err));
		assert_int_equal(err.code, EPROTO);
	}
	names = read_names("", &err);
	assert_non_null(names);
	assert_int_equal(kt_event_names_count(names), 0);
	kt_event_names_free(names);
	kt_event_names_free(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorted_each_once),
		cmocka_unit_test(two_kernels),
		cmocka_unit_test(longer_than_the_first_read),
		cmocka_unit_test(odd_lists),
	};

	return cmocka_run_group_tests_name("event_names", tests, NULL, NULL);
}
