// SPDX-License-Identifier: GPL-2.0-or-later
/* The witness: this program's own functions, and where the compiler put them. */
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "constants/symbols.h"
#include "elf/elf_file.h"
#include "elf/function_table.h"

int __test_long_name(int n);
__attribute__((noinline, visibility("default"))) int __test_long_name(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

int test_name(int n) __attribute__((alias("__test_long_name")));
int test_weak(int n) __attribute__((weak, alias("__test_long_name")));

/* A function whose size the assembler is not told, and the next one. */
__asm__(".text\n.type no_size, @function\nno_size: ret\nnop\nnop\n"
	".type behind, @function\nbehind: ret\n.size behind, 1\nnop\n");
void no_size(void);
void behind(void);

static int store_base(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	*(uintptr_t *)arg = info->dlpi_addr;
	return 1;
}

/* Returns the offset of a function in the file. */
static uint64_t get_offset(const struct kt_elf_file *file, void *function)
{
	uintptr_t base = 0;
	uint64_t offset;

	dl_iterate_phdr(store_base, &base);
	assert_true(kt_elf_file_offset(file, (uintptr_t)function - base, &offset));
	return offset;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Finds the functions at these offsets, which are sorted here. */
static struct kt_symbols find(const struct kt_elf_file *file, uint64_t *offsets, size_t n)
{
	struct kt_symbols found = {0};
	struct kt_function_table *t;
	struct kt_error err;

	t = kt_function_table_read(file, NULL, &err);
	assert_non_null(t);
	qsort(offsets, n, sizeof(*offsets), compare);
	assert_int_equal(kt_function_table_find(t, offsets, n, &found), 0);
	kt_function_table_free(t);
	return found;
}

static void assert_name(const struct kt_symbols *s, uint64_t offset, const char *name)
{
	const struct kt_symbol *found = kt_symbols_find(s, offset);

	if (!name) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found->name, name);
}

static void own_functions(void **state)
{
	struct kt_error err;
	struct kt_elf_file *file = kt_elf_file_open("/proc/self/exe", &err);
	uint64_t named = get_offset(file, (void *)test_name),
		 unsized = get_offset(file, (void *)no_size),
		 next = get_offset(file, (void *)behind),
		 offsets[] = {next + 1, named, named + 1, unsized + 2, next, named, unsized};
	struct kt_symbols s = find(file, offsets, sizeof(offsets) / sizeof(*offsets));

	(void)state;
	assert_int_equal(s.n, 3);
	assert_name(&s, named, "test_name"); /* not weak, and without underscores */
	assert_name(&s, named + 1, "test_name");
	assert_int_equal(kt_symbols_find(&s, named)->first, named);
	assert_name(&s, unsized, "no_size");
	assert_name(&s, unsized + 2, "no_size"); /* up to the next function */
	assert_name(&s, next, "behind");
	assert_name(&s, next + 1, NULL); /* behind a function of known size */
	kt_symbols_clear(&s);
	kt_elf_file_close(file);
}

static void nowhere(void **state)
{
	struct kt_error err;
	struct kt_elf_file *file = kt_elf_file_open("/proc/self/exe", &err);
	uint64_t offsets[] = {0, 1, UINT64_MAX};
	struct kt_symbols s = find(file, offsets, 3);

	(void)state;
	assert_int_equal(s.n, 0);
	s = find(file, offsets, 0);
	assert_int_equal(s.n, 0);
	kt_elf_file_close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_functions),
		cmocka_unit_test(nowhere),
	};

	return cmocka_run_group_tests_name("function_table", tests, NULL, NULL);
}
