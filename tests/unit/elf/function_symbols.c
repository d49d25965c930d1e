// SPDX-License-Identifier: GPL-2.0-or-later
/* The witness: this program's own memory, and the dynamic loader. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
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
#include "elf/elf_file.h"
#include "elf/function_symbols.h"
#include "elf/instructions.h"
#include "elf/unwind_table.h"

static const char self[] = "/proc/self/exe";

/* A function with an alias and a static one, which must not become parts of others. */
__attribute__((noinline)) static int twice(int n)
{
	__asm__ volatile("" : "+r"(n));
	return 2 * n;
}

int test_public(int n);
__attribute__((noinline, visibility("default"))) int test_public(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

int test_alias(int n) __attribute__((alias("test_public")));

static int store_base(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	*(uintptr_t *)arg = info->dlpi_addr;
	return 1; /* the program is the first object */
}

static uintptr_t get_base(void)
{
	uintptr_t base = 0;

	dl_iterate_phdr(store_base, &base);
	return base;
}

static const struct kt_function_symbol *find(struct kt_function_symbols *s, const char *name)
{
	const struct kt_function_symbol *f =
		kt_function_symbols_at(s, kt_function_symbols_find(s, name));

	return f && !strcmp(f->name, name) ? f : NULL;
}

static void check_function(struct kt_function_symbols *s, const char *name, void *at)
{
	const struct kt_function_symbol *f = find(s, name);
	unsigned char code[16];
	int fd = open(self, O_RDONLY);

	assert_non_null(f);
	assert_int_equal(f->address, (uintptr_t)at - get_base());
	assert_true(f->size > 0);
	assert_int_equal(pread(fd, code, sizeof(code), f->offset), sizeof(code));
	assert_memory_equal(code, at, sizeof(code));
	close(fd);
}

static void test_own_functions(void **state)
{
	struct kt_error err;
	struct kt_elf_file *file = kt_elf_file_open(self, &err);
	struct kt_function_symbols *s = kt_function_symbols_read(file, NULL, &err);

	(void)state;
	assert_int_equal(twice(2) + test_public(1) + test_alias(1), 8);
	check_function(s, "twice", (void *)twice);
	check_function(s, "test_public", (void *)test_public);
	check_function(s, "test_alias", (void *)test_public);
	assert_int_equal(find(s, "twice")->binding, STB_LOCAL);
	assert_int_equal(find(s, "test_public")->binding, STB_GLOBAL);
	assert_null(find(s, "self")); /* data */
	assert_null(find(s, "dl_iterate_phdr"));
	assert_null(kt_function_symbols_at(s, kt_function_symbols_count(s)));
	kt_function_symbols_free(s);
	kt_elf_file_close(file);
}

static void test_order(void **state)
{
	struct kt_error err;
	struct kt_elf_file *file = kt_elf_file_open(self, &err);
	struct kt_function_symbols *s = kt_function_symbols_read(file, file, &err);
	const struct kt_function_symbol *f, *last = NULL;
	size_t i;
	int order;

	(void)state;
	assert_true(kt_function_symbols_count(s) > 10);
	for (i = 0; (f = kt_function_symbols_at(s, i)); last = f, i++) {
		order = last ? strcmp(last->name, f->name) : -1;
		assert_true(order < 0 || (order == 0 && last->address < f->address));
		assert_true(kt_function_symbols_find(s, f->name) <= i);
		assert_null(strchr(f->name, '@'));
	}
	kt_function_symbols_free(s);
	kt_elf_file_close(file);
}

static void test_starts(void **state)
{
	struct kt_error err;
	struct kt_elf_file *file = kt_elf_file_open(self, &err);
	uint64_t at = (uintptr_t)twice - get_base(), start = 0, offset;

	(void)state;
	assert_true(kt_unwind_table_find(file, at, &start));
	assert_int_equal(start, at);
	assert_true(kt_unwind_table_find(file, at + 1, &start));
	assert_int_equal(start, at);
	assert_false(kt_unwind_table_find(file, 0, &start));
	assert_true(kt_instruction_begins(file, at, at));
	assert_false(kt_instruction_begins(file, at, at - 1));
	assert_false(kt_instruction_begins(file, at, at + KT_INSTRUCTIONS_MAX));
	assert_false(kt_elf_file_offset(file, UINT64_MAX, &offset));
	assert_false(kt_elf_file_offset(file, 0, &offset)); /* headers are no code */
	kt_elf_file_close(file);
}

static void test_no_file(void **state)
{
	struct kt_error err;

	(void)state;
	assert_null(kt_elf_file_open("/nowhere/at/all", &err));
	assert_int_equal(err.code, ENOENT);
	assert_string_equal(err.text, "/nowhere/at/all: No such file or directory");
	assert_null(kt_elf_file_open("/", &err));
	assert_string_equal(err.text, "/: not a file");
	assert_null(kt_elf_file_open("/proc/self/status", &err));
	assert_int_equal(err.code, ENOEXEC);
	assert_string_equal(err.text, "/proc/self/status: not an ELF file");
}

/* Writes the first n bytes of this program, with one changed. */
static char *write_file(size_t n, size_t at, char byte)
{
	static char path[] = "/tmp/ktrace-elf-XXXXXX";
	char *bytes = malloc(n);
	int from = open(self, O_RDONLY), to;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	to = mkstemp(path);
	n = read(from, bytes, n);
	if (at < n)
		bytes[at] = byte;
	assert_int_equal(write(to, bytes, n), n);
	close(from);
	close(to);
	free(bytes);
	return path;
}

static void test_wrong_files(void **state)
{
	enum { CLASS = 4, TYPE = 16, MACHINE = 18 };
	static const struct {
		size_t at;
		char byte;
		const char *what;
	} files[] = {
		{0, 'x', "not an ELF file"},
		{CLASS, ELFCLASS32, NULL},
		{TYPE, ET_REL, "neither a program nor a library"},
		{MACHINE, EM_SPARC, "a program of another machine"},
	};
	struct kt_elf_file *file;
	struct kt_error err;
	const char *path;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		path = write_file(1 << 20, files[i].at, files[i].byte);
		file = kt_elf_file_open(path, &err);
		assert_null(file);
		if (files[i].what)
			assert_non_null(strstr(err.text, files[i].what));
		unlink(path);
	}
}

/* A cut or damaged file gives fewer symbols or an error, and never a fault. */
static void test_damaged_files(void **state)
{
	struct kt_function_symbols *s;
	struct kt_elf_file *file;
	struct kt_error err;
	const char *path;
	uint64_t start;
	size_t i;

	(void)state;
	for (i = 0; i < 400; i++) {
		path = write_file(i % 2 ? 1 << 20 : 64 * i, i, (char)(i * 37));
		file = kt_elf_file_open(path, &err);
		unlink(path);
		if (!file)
			continue;
		s = kt_function_symbols_read(file, NULL, &err);
		kt_unwind_table_find(file, 0x2000, &start);
		kt_instruction_begins(file, 0x2000, 0x2100);
		kt_function_symbols_free(s);
		kt_elf_file_close(file);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_functions), cmocka_unit_test(test_order),
		cmocka_unit_test(test_starts),        cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_wrong_files),   cmocka_unit_test(test_damaged_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
