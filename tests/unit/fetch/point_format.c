// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts like tracefs's "format" for functions of the kernel that runs. Needs no rights. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "ctypes/btf.h"
#include "events/event_names.h"
#include "events/point.h"
#include "fetch/point_format.h"

static char *format_function(const char *function)
{
	struct kt_point_site site = {};
	const struct kt_point point = {.function = (char *)function, .n = 1, .sites = &site};
	const struct kt_event_name name = {KT_FUNC_SYSTEM, function};
	struct kt_btf *btf = kt_btf_new();
	struct kt_error err;
	char *text;

	assert_non_null(btf);
	text = kt_point_format(&name, &point, btf, &err);
	kt_btf_free(btf);
	assert_non_null(text);
	return text;
}

static void typed(void **state)
{
	char *text = format_function("vfs_fsync_range");

	(void)state;
	if (strstr(text, "arg5")) {
		free(text);
		skip(); /* no types here */
	}
	assert_string_equal(
		text,
		"name: vfs_fsync_range\n"
		"ID: 0\n"
		"format:\n"
		"\tfield:struct file * file;\toffset:12;\tsize:8;\tsigned:0;\n"
		"\tfield:loff_t start;\toffset:20;\tsize:8;\tsigned:1;\n"
		"\tfield:loff_t end;\toffset:28;\tsize:8;\tsigned:1;\n"
		"\tfield:int datasync;\toffset:36;\tsize:4;\tsigned:1;\n"
		"\n"
		"print fmt: \"file=%p start=%ld end=%ld datasync=%d\", REC->file, REC->start, "
		"REC->end, REC->datasync\n");
	free(text);
}

static void untyped(void **state)
{
	char *text = format_function("no_such_function");

	(void)state;
	assert_non_null(strstr(text, "\tfield:long arg0;\toffset:12;\tsize:8;\tsigned:1;\n"));
	assert_non_null(strstr(text, "arg5=%ld\", REC->arg0"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(typed),
		cmocka_unit_test(untyped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
