// SPDX-License-Identifier: GPL-2.0-or-later
/* Times of day select from a trace that has that time, on the day it began or the next one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/ctf/made_trace.h"

#define HOUR UINT64_C(3600000000000)

/* Asserts the numbers of the records that are selected: "1 2 ". */
static void assert_selected(struct made *m, const char *options, const char *expected)
{
	char command[512], found[64] = "", line[256];
	unsigned int n;
	size_t len = 0;
	FILE *f;

	snprintf(command, sizeof(command), "TZ=UTC timeout 30 \"$KTRACE\" print %s %s", options,
		 m->dir.path);
	f = popen(command, "re");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s [%*u] %*s %*s n=%u", &n) == 1)
			len += snprintf(found + len, sizeof(found) - len, "%u ", n);
	assert_int_equal(pclose(f), 0);
	assert_string_equal(found, expected);
}

/* Records 0 to 14, one per hour from 22:30 on; the machine was started at midnight. */
static void put_night(struct made *m)
{
	uint64_t i, at = 22 * HOUR + HOUR / 2;

	m->metadata.since_1970 = 0;
	rewrite_metadata(m);
	begin_cpu(m, 0, at);
	for (i = 0; i < 15; i++)
		number(m, at + i * HOUR, i);
	assert_int_equal(end(m, at + 14 * HOUR + 1), 0);
}

static void in_a_long_trace(void **state)
{
	struct made *m = *state;

	put_night(m);
	assert_selected(m, "--since 10:00", "12 13 14 ");
	assert_selected(m, "--since 12:00", "14 ");
	assert_selected(m, "--until 23:00", "0 ");
	assert_selected(m, "--since 23:00 --until 01:00", "1 2 ");
	assert_selected(m, "--since 11:00 --until 12:00", "13 ");
	/* before the begin, or after the end */
	assert_selected(m, "--since 22:00 --until 23:00", "0 ");
	assert_selected(m, "--since 13:00 --until 23:00", "0 ");
	assert_selected(m, "--until 22:15", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(in_a_long_trace, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
