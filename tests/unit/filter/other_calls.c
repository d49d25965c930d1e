// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of calls that this kernel need not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "filter/other_calls.h"

static void names(void **state)
{
	static const char *const known[] = {"getgid32", "lookup_dcookie", "waitpid",
					    "_llseek",  "vserver",        "s390_sthyi",
					    "openat",   "usr26",          "breakpoint",
					    NULL},
				 *const unknown[] = {
					 "",  "opne", "getgid33", "get_tl", "_sysctl afs_syscall",
					 NULL};
	size_t i;

	(void)state;
	for (i = 0; known[i]; i++)
		assert_true(kt_other_calls_has(known[i]));
	for (i = 0; unknown[i]; i++)
		assert_false(kt_other_calls_has(unknown[i]));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(names)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
