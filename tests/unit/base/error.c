// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

static void prefixes(void **state)
{
	struct kt_error err;

	(void)state;
	assert_int_equal(kt_fail(&err, EPERM, "no %s", "right"), -EPERM);
	assert_int_equal(kt_fail_because(&err, "cannot do %d", 7), -EPERM);
	assert_int_equal(kt_fail_because(&err, "stopped"), -EPERM);
	assert_string_equal(err.text, "stopped: cannot do 7: no right");
	assert_null(err.typed);
}

static void caret_position(void **state)
{
	struct kt_error err;

	(void)state;
	assert_int_equal(kt_fail_at(&err, EINVAL, "a:b", 2, 1, "bad %c", 'b'), -EINVAL);
	kt_fail_because(&err, "no");
	assert_string_equal(err.text, "no: bad b");
	assert_string_equal(err.typed, "a:b");
	assert_int_equal(err.at, 2);
	assert_int_equal(err.len, 1);
}

static void too_long_is_cut(void **state)
{
	char text[2 * sizeof(((struct kt_error *)0)->text)];
	struct kt_error err;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	kt_fail(&err, EIO, "%s", text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	kt_fail_because(&err, "why");
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_memory_equal(err.text, "why: xxx", 8);
	kt_fail_because(&err, "%s", text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

/* Names in a message may contain control characters of terminals. */
static void control_characters(void **state)
{
	char text[sizeof(((struct kt_error *)0)->text)];
	struct kt_error err;

	(void)state;
	kt_fail(&err, EPROTO, "no '%s'", "\x1b[2J\n\xff\x7f\xc2\x9b h\xc3\xa9");
	assert_string_equal(err.text, "no '?[2J????? h\xc3\xa9'");
	kt_fail_because(&err, "\t");
	assert_string_equal(err.text, "?: no '?[2J????? h\xc3\xa9'");
	kt_fail_at(&err, EINVAL, "\a", 0, 1, "\a");
	assert_string_equal(err.text, "?");
	/* A character cut in two. */
	memset(text, 'x', sizeof(text) - 5);
	memcpy(text + sizeof(text) - 5, "\xc3\xa9", 3);
	kt_fail(&err, EPROTO, "%s", text);
	assert_string_equal(err.text, text);
	kt_fail_because(&err, "a");
	assert_string_equal(err.text + sizeof(text) - 3, "x?");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(prefixes),
		cmocka_unit_test(caret_position),
		cmocka_unit_test(too_long_is_cut),
		cmocka_unit_test(control_characters),
	};

	return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
