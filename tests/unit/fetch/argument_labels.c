// SPDX-License-Identifier: GPL-2.0-or-later
/* Labels of system call arguments, and the tables of constants, each of which must be printable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "constants/constants.h"
#include "constants/labels.h"
#include "events/event.h"
#include "fetch/argument_labels.h"

static void assert_called(const char *table, uint64_t value, const char *expected, uint64_t rest)
{
	const struct kt_labels *labels = kt_constants_find(table);
	struct kt_labelled found;
	char text[256] = "";
	size_t i;

	assert_non_null(labels);
	kt_labels_of(labels, value, &found);
	for (i = 0; i < found.n; i++)
		strcat(strcat(text, i ? "|" : ""), found.text[i]);
	assert_string_equal(text, expected);
	assert_int_equal(found.rest, rest);
}

/* A number within flags has a name even if it is 0. */
static void numbers_within_flags(void **state)
{
	(void)state;
	assert_called("open", 0, "O_RDONLY", 0);
	assert_called("open", 02000000, "O_RDONLY|O_CLOEXEC", 0);
	assert_called("open", 02000003, "O_ACCMODE|O_CLOEXEC", 0);
	assert_called("open", 020200002, "O_RDWR|O_TMPFILE", 0);
	assert_called("open", 0x80000001, "O_WRONLY", 0x80000000);
	assert_called("socket", 6, "SOCK_DCCP", 0);
	assert_called("socket", 02000007, "SOCK_CLOEXEC", 7);
	assert_called("socket", 0, "", 0);
	assert_called("mmap", 0x32, "MAP_PRIVATE|MAP_FIXED|MAP_ANONYMOUS", 0);
	assert_called("clone", 0x1200011, "CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD", 0);
	assert_called("clone", 0x100, "CLONE_VM", 0);
	assert_called("error", -2, "-ENOENT", 0);
	assert_called("error", 2, "", 2);
	assert_null(kt_constants_find("no such"));
}

/* No table has a value twice, and no flag is hidden by those before it. */
static void valid_tables(void **state)
{
	const struct kt_labels *labels;
	struct kt_labelled found;
	size_t i, k;

	(void)state;
	for (i = 0; (labels = kt_constants_at(i)); i++) {
		assert_ptr_equal(kt_constants_find(labels->name), labels);
		assert_true(labels->n > 0);
		for (k = 0; k < labels->n; k++) {
			kt_labels_of(labels, labels->of[k].value, &found);
			if (!found.n || found.rest ||
			    strcmp(found.text[found.n - 1], labels->of[k].text) != 0)
				fail_msg("%s: %s", labels->name, labels->of[k].text);
		}
	}
	assert_true(i > 40);
}

static const char format[] =
	"name: sys_enter_openat\nID: 1\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:int dfd;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:int flags;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:umode_t mode;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long fd;\toffset:48;\tsize:8;\tsigned:0;\n"
	"\tfield:int * fildes;\toffset:56;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"\"\n";

static void labels_of_arguments(void **state)
{
	struct kt_error err;
	struct kt_event *e = kt_event_parse("syscalls", format, &err);
	const struct kt_field *f;

	(void)state;
	assert_non_null(e);
	kt_argument_label(e);
	f = e->fields;
	assert_null(f[0].labels);
	assert_ptr_equal(f[1].labels, kt_constants_find("at"));
	assert_null(f[2].labels);
	assert_int_equal(f[2].notation, KT_POINTER);
	assert_ptr_equal(f[3].labels, kt_constants_find("open"));
	assert_int_equal(f[3].notation, KT_HEX);
	assert_null(f[4].labels);
	assert_int_equal(f[4].notation, KT_OCTAL);
	assert_int_equal(f[5].width, 4);
	assert_true(f[5].flags & KT_FIELD_SIGNED);
	assert_int_equal(f[6].width, 8);
	kt_event_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_within_flags),
		cmocka_unit_test(valid_tables),
		cmocka_unit_test(labels_of_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
