// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
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

#include "base/error.h"
#include "elf/binary_lookup.h"

static char root[] = "/tmp/ktrace-lookup-XXXXXX";

static void write_file(const char *name, const char *text)
{
	char path[PATH_MAX], *slash;
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", root, name);
	for (slash = path + sizeof(root); (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void link_file(const char *to, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", root, name);
	assert_return_code(symlink(to, path), errno);
}

static int set_up(void **state)
{
	static const char elf[] = "\177ELF";

	(void)state;
	if (!mkdtemp(root))
		return -1;
	write_file("/etc/ld.so.conf", "# comment\n  include /etc/ld.so.conf.d/*.conf\n/late\n");
	write_file("/etc/ld.so.conf.d/a.conf", "/first  # yes\nrelative\n");
	write_file("/etc/ld.so.conf.d/b.conf", "include /etc/ld.so.conf.d/b.conf\n/second");
	write_file("/usr/bin/prog", elf);
	write_file("/usr/bin/script", "#!/bin/sh\n");
	write_file("/first/libone.so.6", elf);
	write_file("/first/libone-fast.so.6", elf);
	write_file("/second/libone.so.5", elf);
	write_file("/second/libtwo.so.1.2.3", elf);
	link_file("libtwo.so.1.2.3", "/second/libtwo.so.1");
	write_file("/second/libtwo.so", "/* GNU ld script */");
	write_file("/late/libthree.so.1", elf);
	write_file("/late/libthree.so.2", elf);
	write_file("/usr/lib/libfour.so", elf);
	write_file("/usr/lib/prog.so", elf);
	return 0;
}

static int tear_down(void **state)
{
	char command[sizeof(root) + 16];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

/* Returns the path in root, or "-" and the error's text. */
static const char *look_up(const char *name)
{
	static char path[PATH_MAX];
	struct kt_error err;

	if (kt_binary_lookup(name, root, path, &err) == 0)
		return strncmp(path, root, sizeof(root) - 1) == 0 ? path + sizeof(root) - 1 : path;
	snprintf(path, sizeof(path), "-%s", err.text);
	return path;
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(look_up("prog"), "/usr/bin/prog");
	assert_string_equal(look_up("libone"), "/first/libone.so.6");
	assert_string_equal(look_up("libone.so.5"), "/second/libone.so.5");
	assert_string_equal(look_up("libtwo"), "/second/libtwo.so.1");
	assert_string_equal(look_up("libtwo.so.1.2.3"), "/second/libtwo.so.1.2.3");
	assert_string_equal(look_up("libfour"), "/usr/lib/libfour.so");
	assert_non_null(strstr(look_up("libthree"), "'libthree' may be "));
	assert_string_equal(look_up("script"), "-no program or library 'script' in PATH and the "
					       "library directories");
	assert_string_equal(look_up("libon"), "-no program or library 'libon' in PATH and the "
					      "library directories");
}

static void test_paths(void **state)
{
	char path[PATH_MAX], at[PATH_MAX];
	struct kt_error err;

	(void)state;
	assert_string_equal(look_up("/usr/bin/script"), "/usr/bin/script");
	assert_non_null(strstr(look_up("/usr/bin/none"), "/usr/bin/none: No such file"));
	assert_return_code(chdir(root), errno);
	assert_int_equal(kt_binary_lookup("./usr/bin/../bin/prog", "", path, &err), 0);
	snprintf(at, sizeof(at), "%s/usr/bin/prog", root);
	assert_string_equal(path, at);
	assert_int_equal(kt_binary_lookup("./usr/bin/none", "", path, &err), -ENOENT);
	assert_string_equal(err.text, "./usr/bin/none: No such file or directory");
	memset(at, 'x', sizeof(at));
	at[0] = '/';
	at[sizeof(at) - 1] = '\0';
	assert_int_equal(kt_binary_lookup(at, root, path, &err), -ENAMETOOLONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_paths),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
