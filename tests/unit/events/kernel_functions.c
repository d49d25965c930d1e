// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions in a list like /proc/kallsyms. */
#include <errno.h>
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

#include "base/error.h"
#include "events/kernel_functions.h"

static const char symbols[] = "ffffffff81000010 T vfs_read\n"
			      "ffffffff81000000 t __pfx_vfs_read\n"
			      "ffffffff81000300 t c_start\n"
			      "ffffffff81000200 t c_start\n"
			      "ffffffff81000400 t vfs_read.cold\n"
			      "ffffffff81000500 d vfs_data\n"
			      "ffffffff81000600 W vfs_weak\n"
			      "ffffffff81000700 t vfs_open.isra.0\n"
			      "not a line\n"
			      "ffffffffc0000100 t c_start\t[nf_tables]\n"
			      "ffffffffc0000200 t vfs_mod\t[nf_tables]\n";

static char dir[] = "/tmp/kt_functions_XXXXXX";

static void write_file(const char *name, const char *text)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "we");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static int make_files(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	write_file("kallsyms", symbols);
	write_file("available_filter_functions",
		   "vfs_read\nvfs_weak\nnot_there\nc_start [nf_tables]\n");
	return 0;
}

static int remove_files(void **state)
{
	static const char *const names[] = {"kallsyms", "available_filter_functions"};
	int fd = open(dir, O_PATH | O_CLOEXEC);
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++)
		unlinkat(fd, names[i], 0);
	close(fd);
	return rmdir(dir);
}

static struct kt_kernel_functions *read_functions(const char *glob)
{
	struct kt_kernel_functions *f;
	struct kt_error err;
	char path[64];

	snprintf(path, sizeof(path), "%s/kallsyms", dir);
	f = kt_kernel_functions_read(path, glob, &err);
	assert_non_null(f);
	return f;
}

static void assert_function(const struct kt_kernel_functions *f, size_t i, const char *module,
			    const char *name, uint64_t address)
{
	assert_true(i < f->n);
	assert_string_equal(f->of[i].name, name);
	assert_true(f->of[i].module ? module && strcmp(f->of[i].module, module) == 0 : !module);
	assert_true(f->of[i].address == address);
}

static void sorted_without_parts(void **state)
{
	struct kt_kernel_functions *f = read_functions("*");

	(void)state;
	assert_int_equal(f->n, 7);
	assert_function(f, 0, NULL, "c_start", 0xffffffff81000200);
	assert_function(f, 1, NULL, "c_start", 0xffffffff81000300);
	assert_function(f, 2, NULL, "vfs_open.isra.0", 0xffffffff81000700);
	assert_function(f, 3, NULL, "vfs_read", 0xffffffff81000010);
	assert_function(f, 4, NULL, "vfs_weak", 0xffffffff81000600);
	assert_function(f, 5, "nf_tables", "c_start", 0xffffffffc0000100);
	assert_function(f, 6, "nf_tables", "vfs_mod", 0xffffffffc0000200);
	kt_kernel_functions_free(f);
}

static void globs(void **state)
{
	struct kt_kernel_functions *f = read_functions("vfs_[rw]*");

	(void)state;
	assert_int_equal(f->n, 2);
	kt_kernel_functions_free(f);
	f = read_functions("vfs_");
	assert_int_equal(f->n, 0);
	kt_kernel_functions_free(f);
}

static void traceable(void **state)
{
	struct kt_kernel_functions *f = read_functions("*");
	int fd = open(dir, O_PATH | O_CLOEXEC);

	(void)state;
	assert_int_equal(kt_kernel_functions_keep_traceable(f, fd), 0);
	close(fd);
	assert_int_equal(f->n, 3);
	assert_function(f, 0, NULL, "vfs_read", 0xffffffff81000010);
	assert_function(f, 1, NULL, "vfs_weak", 0xffffffff81000600);
	assert_function(f, 2, "nf_tables", "c_start", 0xffffffffc0000100);
	kt_kernel_functions_free(f);
}

static void no_list(void **state)
{
	struct kt_kernel_functions *f = read_functions("*");
	int fd = open("/", O_PATH | O_CLOEXEC);
	struct kt_error err;

	(void)state;
	assert_int_equal(kt_kernel_functions_keep_traceable(f, fd), -ENOENT);
	close(fd);
	assert_int_equal(f->n, 7);
	kt_kernel_functions_free(f);
	assert_null(kt_kernel_functions_read("/nosuch", "*", &err));
	assert_int_equal(err.code, ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorted_without_parts),
		cmocka_unit_test(globs),
		cmocka_unit_test(traceable),
		cmocka_unit_test(no_list),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}
