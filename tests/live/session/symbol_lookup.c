// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel names addresses as its list of symbols does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "constants/symbols.h"
#include "events/kallsyms.h"
#include "hook/ask/symbol_lookup.h"

enum { SAMPLES = 400, EACH = 3, STEP = 317 };

static struct kt_symbol_lookup *lookup;
static uint64_t addresses[SAMPLES * EACH];
static size_t n_addresses;

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

/* Takes code of the kernel and its modules, not of BPF programs, which come and go. */
static void choose_addresses(void)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char line[1024], type;
	size_t i = 0, k, n = 0;
	uint64_t at;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) && n + EACH <= SAMPLES * EACH) {
		if (sscanf(line, "%lx %c", &at, &type) != 2 || !strchr("tT", type) || !at ||
		    strstr(line, "[bpf]") || strstr(line, "[__builtin") || i++ % STEP)
			continue;
		for (k = 0; k < EACH; k++)
			addresses[n++] = at + k * 7;
	}
	fclose(f);
	qsort(addresses, n, sizeof(*addresses), compare);
	for (i = 0; i < n; i++)
		if (i == 0 || addresses[i] != addresses[i - 1])
			addresses[n_addresses++] = addresses[i];
}

static void same_names(void **state)
{
	struct kt_symbols asked = {}, listed = {};
	char ours[KT_SYMBOL_MAX], theirs[KT_SYMBOL_MAX];
	struct kt_error err;
	size_t i;

	(void)state;
	choose_addresses();
	assert_true(n_addresses > SAMPLES);
	if (kt_symbol_lookup_find(lookup, addresses, n_addresses, &asked, &err) < 0 ||
	    kt_kallsyms_find("/proc/kallsyms", addresses, n_addresses, &listed, &err) < 0)
		fail_msg("%s", err.text);
	for (i = 0; i < n_addresses; i++) {
		kt_symbols_write(&asked, addresses[i], ours);
		kt_symbols_write(&listed, addresses[i], theirs);
		assert_string_equal(ours, theirs);
	}
	kt_symbols_clear(&asked);
	kt_symbols_clear(&listed);
}

/* Addresses of nothing have no symbol. */
static void no_symbols(void **state)
{
	static const uint64_t nothing[] = {1, 0x7fffffffffffffff, 0xffff888000000000, UINT64_MAX};
	struct kt_symbols asked = {};
	struct kt_error err;

	(void)state;
	if (kt_symbol_lookup_find(lookup, nothing, 4, &asked, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(asked.n, 0);
	assert_int_equal(kt_symbol_lookup_find(lookup, nothing, 0, &asked, &err), 0);
}

static void assert_parsed(const char *text, uint64_t address, const char *name, uint64_t first,
			  uint64_t last)
{
	char copy[128];
	uint64_t from = 0, to = 0;
	const char *found;

	strcpy(copy, text);
	found = kt_symbol_lookup_parse(copy, address, &from, &to);
	if (!name) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found, name);
	assert_int_equal(from, first);
	assert_int_equal(to, last);
}

static void texts(void **state)
{
	(void)state;
	assert_parsed("kstrdup+0x3b/0x70", 0x103b, "kstrdup", 0x1000, 0x106f);
	assert_parsed("kstrdup+0x0/0x1", 0x1000, "kstrdup", 0x1000, 0x1000);
	assert_parsed("nft_do_chain+0x51/0x5f0 [nf_tables]", 0x1051, "nft_do_chain [nf_tables]",
		      0x1000, 0x15ef);
	assert_parsed("a+b.part.0+0x1/0x2", 0x11, "a+b.part.0", 0x10, 0x11);
	assert_parsed("0xffffffff81000000", 0xffffffff81000000, NULL, 0, 0);
	assert_parsed("none+0x5/0x5", 0x1005, NULL, 0, 0);
	assert_parsed("none+0x5/0x6", 4, NULL, 0, 0);
	assert_parsed("none+0x5/", 0x1005, NULL, 0, 0);
	assert_parsed("none+/0x6", 0x1005, NULL, 0, 0);
	assert_parsed("none+0x5x/0x6", 0x1005, NULL, 0, 0);
	assert_parsed("+0x5/0x6", 0x1005, NULL, 0, 0);
	assert_parsed("", 0x1005, NULL, 0, 0);
}

static int open_lookup(void **state)
{
	struct kt_error err;

	(void)state;
	lookup = kt_symbol_lookup_new(&err);
	return lookup ? 0 : -1;
}

static int close_lookup(void **state)
{
	(void)state;
	kt_symbol_lookup_free(lookup);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_names),
		cmocka_unit_test(no_symbols),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests(tests, open_lookup, close_lookup);
}
