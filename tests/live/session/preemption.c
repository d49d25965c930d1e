// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether the kernel preempts itself, as its own variable says, against what debugfs says. It is
 * not mounted where the library would read it.
 */
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cmocka.h>

#include "hook/ask/preemption.h"
#include "tests/live/calls.h"

static char directory[] = "/tmp/kt_test_XXXXXX";

/* Mounts debugfs for this process alone, in another place. */
static int move_debugfs(void **state)
{
	(void)state;
	if (!mkdtemp(directory) || unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", directory, "debugfs", 0, NULL) < 0)
		return 0;
	umount2("/sys/kernel/debug", MNT_DETACH);
	return 0;
}

static int unmount(void **state)
{
	(void)state;
	umount2(directory, MNT_DETACH);
	return rmdir(directory);
}

static void agrees_with_debugfs(void **state)
{
	char path[64], choices[64] = "";
	FILE *f;

	(void)state;
	skip_where_refused();
	snprintf(path, sizeof(path), "%s/sched/preempt", directory);
	f = fopen(path, "re");
	if (!f)
		skip(); /* a kernel that cannot be told, or no right to mount */
	assert_non_null(fgets(choices, sizeof(choices), f));
	fclose(f);
	assert_non_null(strchr(choices, '('));
	assert_int_equal(kt_kernel_preempts(),
			 !strstr(choices, "(none)") && !strstr(choices, "(voluntary)"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_debugfs),
	};

	return cmocka_run_group_tests(tests, move_debugfs, unmount);
}
