// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses as symbols, and the lookup of addresses in a list of symbols. */
#include <errno.h>
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
#include "constants/symbols.h"
#include "events/kallsyms.h"

static struct kt_error err;

static void assert_at(const struct kt_symbols *s, uint64_t address, const char *expected)
{
	char text[KT_SYMBOL_MAX];

	assert_int_equal(kt_symbols_write(s, address, text), strlen(expected));
	assert_string_equal(text, expected);
	assert_int_equal(!kt_symbols_find(s, address), !*expected);
}

static void symbol_text(void **state)
{
	struct kt_symbols s = {};
	char name[KT_SYMBOL_NAME_MAX + 2], text[KT_SYMBOL_MAX];

	(void)state;
	assert_at(&s, 0, "");
	assert_int_equal(kt_symbols_add(&s, 16, 31, "low"), 0);
	assert_int_equal(kt_symbols_add(&s, 32, 32, "one"), 0);
	assert_int_equal(kt_symbols_add(&s, 64, 95, "of [some]"), 0);
	assert_int_equal(kt_symbols_add(&s, 95, 99, "in"), -EINVAL);
	assert_int_equal(kt_symbols_add(&s, 97, 96, "back"), -EINVAL);

	memset(name, 'n', sizeof(name));
	name[KT_SYMBOL_NAME_MAX + 1] = '\0';
	assert_int_equal(kt_symbols_add(&s, 96, UINT64_MAX, name), -ENAMETOOLONG);
	name[KT_SYMBOL_NAME_MAX] = '\0';
	assert_int_equal(kt_symbols_add(&s, 1ull << 60, UINT64_MAX, name), 0);
	assert_int_equal(s.n, 4);

	assert_at(&s, 15, "");
	assert_at(&s, 16, "low");
	assert_at(&s, 17, "low+0x1");
	assert_at(&s, 31, "low+0xf");
	assert_at(&s, 32, "one");
	assert_at(&s, 33, "");
	assert_at(&s, 64, "of [some]");
	assert_at(&s, 95, "of+0x1f [some]");
	assert_at(&s, 96, "");
	assert_int_equal(kt_symbols_write(&s, UINT64_MAX, text), KT_SYMBOL_NAME_MAX + 3 + 16);
	assert_string_equal(text + KT_SYMBOL_NAME_MAX, "+0xefffffffffffffff");
	kt_symbols_clear(&s);
	assert_at(&s, 16, "");
}

static void inserted(void **state)
{
	struct kt_symbols s = {};

	(void)state;
	assert_int_equal(kt_symbols_insert(&s, 32, 47, "c"), 0);
	assert_int_equal(kt_symbols_insert(&s, 0, 15, "a"), 0);
	assert_int_equal(kt_symbols_insert(&s, 16, 31, "b"), 0);
	assert_int_equal(kt_symbols_insert(&s, UINT64_MAX, UINT64_MAX, "z"), 0);
	assert_int_equal(kt_symbols_insert(&s, 47, 48, "c"), -EEXIST);
	assert_int_equal(kt_symbols_insert(&s, 8, 8, "a"), -EEXIST);
	assert_int_equal(kt_symbols_insert(&s, 48, UINT64_MAX, "d"), -EEXIST);
	assert_int_equal(kt_symbols_insert(&s, 50, 49, "d"), -EINVAL);
	assert_int_equal(s.n, 4);
	assert_at(&s, 15, "a+0xf");
	assert_at(&s, 16, "b");
	assert_at(&s, 47, "c+0xf");
	assert_at(&s, 48, "");
	assert_at(&s, UINT64_MAX, "z");
	kt_symbols_clear(&s);
}

/* As in /proc/kallsyms: modules after the kernel, unsorted. */
static const char list[] = "0000000000000000 A fixed_percpu_data\n"
			   "0000000000001000 A cpu_tss\n"
			   "ffffffff80000000 D large\n"
			   "ffffffff81000000 T first\n"
			   "ffffffff81000000 T alias\n"
			   "ffffffff81000100 t second\n"
			   "ffffffff81000100 W second_alias\n"
			   "ffffffff81000200 D data\n"
			   "ffffffff81000300 b last\n"
			   "ffffffffc0003000 t high\t[b]\n"
			   "ffffffffc0001000 t low\t[a]\n"
			   "ffffffffc0001080 t lower\t[a]\n"
			   "ffffffffc0100000 t bpf_prog_0123\t[bpf]\n";

static void write_list(const char *text, char path[32])
{
	int fd;

	strcpy(path, "/tmp/ktrace-test-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* Asserts each address's symbol, "" for none. */
static void assert_found(const char *text, const uint64_t *addresses, size_t n,
			 const char *const *expected)
{
	struct kt_symbols s = {};
	char path[32];
	size_t i;

	write_list(text, path);
	if (kt_kallsyms_find(path, addresses, n, &s, &err) < 0)
		fail_msg("%s", err.text);
	for (i = 0; i < n; i++)
		assert_at(&s, addresses[i], expected[i]);
	kt_symbols_clear(&s);
	unlink(path);
}

static void lookups(void **state)
{
	static const struct {
		uint64_t address;
		const char *name;
	} cases[] = {
		{0xffff888000000000, ""},
		{0xffffffff7fffffff, ""},
		{0xffffffff80ffffff, "large+0xffffff"},
		{0xffffffff81000000, "first"},
		{0xffffffff81000001, "first+0x1"},
		{0xffffffff810000ff, "first+0xff"},
		{0xffffffff81000100, "second"},
		{0xffffffff81000210, "data+0x10"},
		{0xffffffff810102ff, "last+0xffff"},
		{0xffffffff81010300, ""}, /* beyond its end and before the next one */
		{0xffffffffc0001000, "low [a]"},
		{0xffffffffc0001010, "low+0x10 [a]"},
		{0xffffffffc0002fff, "lower+0x1f7f [a]"},
		{0xffffffffc0003004, "high+0x4 [b]"},
		{0xffffffffc010ffff, "bpf_prog_0123+0xffff [bpf]"},
		{0xffffffffc0110000, ""},
		{UINT64_MAX, ""},
	};
	enum { N = sizeof(cases) / sizeof(*cases) };
	const char *names[N];
	uint64_t addresses[N];
	size_t i;

	(void)state;
	for (i = 0; i < N; i++) {
		addresses[i] = cases[i].address;
		names[i] = cases[i].name;
		assert_found(list, &addresses[i], 1, &names[i]);
	}
	assert_found(list, addresses, N, names);
	assert_found(list, addresses + 5, N - 9, names + 5);
	assert_found("ffffffffffffff00 t end", addresses + N - 1, 1, (const char *[]){"end+0xff"});
}

/* Symbols that were not looked up are absent. */
static void only_looked_up_symbols(void **state)
{
	static const uint64_t addresses[] = {0xffffffff81000101, 0xffffffff81000180,
					     0xffffffff81010300, 0xffffffffc0110000};
	struct kt_symbols s = {};
	char path[32];

	(void)state;
	write_list(list, path);
	assert_int_equal(kt_kallsyms_find(path, addresses, 4, &s, &err), 0);
	assert_int_equal(s.n, 1);
	assert_true(s.of->first == 0xffffffff81000100 && s.of->last == 0xffffffff810001ff);
	kt_symbols_clear(&s);
	unlink(path);
}

static void errors(void **state)
{
	static const uint64_t address = 0xffffffff81000000;
	static const char *const hidden[] = {
		"0000000000000000 T first\n0000000000000000 t nft\t[nf_tables]\n", "",
		"nothing of that\n"};
	struct kt_symbols s = {};
	char path[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(hidden) / sizeof(*hidden); i++) {
		write_list(hidden[i], path);
		assert_int_equal(kt_kallsyms_find(path, &address, 1, &s, &err), -EPERM);
		assert_non_null(strstr(err.text, path));
		assert_int_equal(s.n, 0);
		unlink(path);
	}
	assert_int_equal(kt_kallsyms_find(path, &address, 1, &s, &err), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbol_text), cmocka_unit_test(inserted),
		cmocka_unit_test(lookups),     cmocka_unit_test(only_looked_up_symbols),
		cmocka_unit_test(errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
