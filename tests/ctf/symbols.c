// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel addresses: found in records, and printed as symbols. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "constants/symbols.h"
#include "tests/ctf/made_trace.h"
#include "tests/ctf/view.h"
#include "trace/symbol_addresses.h"

#define K 0xffffffff81000000ull

static const struct called records[] = {
	{1, K + 0x13b, K + 0x200, K + 0x13b},
	{2, K + 0x1ff, 0x7f0000001000, 0},
	{3, K + 0xff, K + 0x4011, UINT64_MAX},
	{4, K + 0x13b, 0, K + 0x7777},
};
enum { N = sizeof(records) / sizeof(*records) };

static const struct {
	uint64_t first, last;
	const char *name;
} known[] = {
	{K + 0x100, K + 0x1ff, "kstrdup"},
	{K + 0x200, K + 0x2ff, "of.part.0"},
	{K + 0x4000, K + 0x40ff, "its\\\x1b [mod]"},
};
enum { N_KNOWN = sizeof(known) / sizeof(*known) };

static const struct shown as_numbers[N] = {
	{"n=1 ip=0xffffffff8100013b func=0xffffffff81000200 ptr=0xffffffff8100013b",
	 "{'n':1,'ip':'0xffffffff8100013b','func':'0xffffffff81000200',"
	 "'ptr':'0xffffffff8100013b'}}",
	 "{ n = 1, ip = 0xFFFFFFFF8100013B, func = 0xFFFFFFFF81000200, "
	 "ptr = 0xFFFFFFFF8100013B }"},
	{"n=2 ip=0xffffffff810001ff func=0x7f0000001000 ptr=0x0",
	 "{'n':2,'ip':'0xffffffff810001ff','func':'0x7f0000001000','ptr':'0x0'}}",
	 "{ n = 2, ip = 0xFFFFFFFF810001FF, func = 0x7F0000001000, ptr = 0x0 }"},
	{"n=3 ip=0xffffffff810000ff func=0xffffffff81004011 ptr=0xffffffffffffffff",
	 "{'n':3,'ip':'0xffffffff810000ff','func':'0xffffffff81004011',"
	 "'ptr':'0xffffffffffffffff'}}",
	 "{ n = 3, ip = 0xFFFFFFFF810000FF, func = 0xFFFFFFFF81004011, "
	 "ptr = 0xFFFFFFFFFFFFFFFF }"},
	{"n=4 ip=0xffffffff8100013b func=0x0 ptr=0xffffffff81007777",
	 "{'n':4,'ip':'0xffffffff8100013b','func':'0x0','ptr':'0xffffffff81007777'}}",
	 "{ n = 4, ip = 0xFFFFFFFF8100013B, func = 0x0, ptr = 0xFFFFFFFF81007777 }"},
};

/* An address without a symbol stays a number. */
static const struct shown as_symbols[N] = {
	{"n=1 ip=kstrdup+0x3b func=of.part.0 ptr=0xffffffff8100013b",
	 "{'n':1,'ip':'0xffffffff8100013b','func':'0xffffffff81000200',"
	 "'ptr':'0xffffffff8100013b'},'labels':{'ip':'kstrdup+0x3b','func':'of.part.0'}}",
	 "{ n = 1, ip = ( 'kstrdup' : container = 0xFFFFFFFF8100013B ), func = ( 'of.part.0' : "
	 "container = 0xFFFFFFFF81000200 ), ptr = 0xFFFFFFFF8100013B }"},
	{"n=2 ip=kstrdup+0xff func=0x7f0000001000 ptr=0x0",
	 "{'n':2,'ip':'0xffffffff810001ff','func':'0x7f0000001000','ptr':'0x0'},"
	 "'labels':{'ip':'kstrdup+0xff'}}",
	 "{ n = 2, ip = ( 'kstrdup' : container = 0xFFFFFFFF810001FF ), func = ( <unknown> : "
	 "container = 0x7F0000001000 ), ptr = 0x0 }"},
	{"n=3 ip=0xffffffff810000ff func=its\\\\?+0x11 [mod] ptr=0xffffffffffffffff",
	 "{'n':3,'ip':'0xffffffff810000ff','func':'0xffffffff81004011',"
	 "'ptr':'0xffffffffffffffff'},'labels':{'func':'its\\\\?+0x11 [mod]'}}",
	 "{ n = 3, ip = ( <unknown> : container = 0xFFFFFFFF810000FF ), func = ( 'its\\\\\\? "
	 "[mod]' : "
	 "container = 0xFFFFFFFF81004011 ), ptr = 0xFFFFFFFFFFFFFFFF }"},
	{"n=4 ip=kstrdup+0x3b func=0x0 ptr=0xffffffff81007777",
	 "{'n':4,'ip':'0xffffffff8100013b','func':'0x0','ptr':'0xffffffff81007777'},"
	 "'labels':{'ip':'kstrdup+0x3b'}}",
	 "{ n = 4, ip = ( 'kstrdup' : container = 0xFFFFFFFF8100013B ), func = ( <unknown> : "
	 "container = 0x0 ), ptr = 0xFFFFFFFF81007777 }"},
};

/* Replaces another event. */
enum { CALLED = NOTHING };

static int set_up_addresses(void **state)
{
	set_up(state);
	replace_event(*state, CALLED, called_format);
	return 0;
}

static void make_records(struct made *m)
{
	size_t i;

	begin(m, 1000, 0);
	for (i = 0; i < N; i++)
		record(m, CALLED, 1000, &records[i], sizeof(records[i]));
	assert_int_equal(end(m, 1000), 0);
}

static void write_symbols(struct made *m, struct kt_symbols *symbols)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < N_KNOWN; i++)
		ret |= kt_symbols_add(symbols, known[i].first, known[i].last, known[i].name);
	assert_int_equal(ret, 0);
	m->metadata.symbols = symbols;
}

static void all_views(void **state)
{
	struct made *m = *state;
	struct kt_symbols symbols = {};

	make_records(m);
	assert_shown(m, "called", as_numbers, N);
	write_symbols(m, &symbols);
	assert_int_equal(kt_metadata_writer_replace(&m->metadata, m->dir.fd, &m->err), 0);
	assert_shown(m, "called", as_symbols, N);
	kt_symbols_clear(&symbols);
}

/* Each address once, from fields printed as symbols, in the kernel's half. */
static void noted_addresses(void **state)
{
	static const uint64_t expected[] = {K + 0xff, K + 0x13b, K + 0x1ff, K + 0x200, K + 0x4011};
	struct made *m = *state;
	struct kt_symbol_addresses *a =
		kt_symbol_addresses_new(m->metadata.events, m->metadata.n_events, &m->err);
	const uint64_t *found;
	size_t n;

	assert_non_null(a);
	kt_stream_writer_note(m->stream, a);
	number(m, 1000, UINT64_MAX);
	make_records(m);
	make_records(m);
	found = kt_symbol_addresses_take(a, &n);
	assert_int_equal(n, sizeof(expected) / sizeof(*expected));
	assert_memory_equal(found, expected, sizeof(expected));
	make_records(m);
	assert_null(kt_symbol_addresses_take(a, &n));
	kt_symbol_addresses_free(a);
}

static void no_addresses(void **state)
{
	struct made *m = *state;
	struct kt_symbol_addresses *a =
		kt_symbol_addresses_new(m->metadata.events, m->metadata.n_events, &m->err);
	size_t n;

	assert_non_null(a);
	assert_null(kt_symbol_addresses_take(a, &n));
	assert_int_equal(n, 0);
	kt_symbol_addresses_free(a);
}

/* The maximum number of addresses, each twice. */
static void many_addresses(void **state)
{
	enum { MANY = 100000, STEP = 24 };
	struct made *m = *state;
	struct kt_symbol_addresses *a =
		kt_symbol_addresses_new(m->metadata.events, m->metadata.n_events, &m->err);
	struct {
		struct kt_record header;
		struct called fields;
	} __attribute__((packed)) r = {};
	const uint64_t *found;
	size_t i, n;

	assert_non_null(a);
	for (i = 0; i < 2 * MANY; i++) {
		r.fields.ip = UINT64_MAX - STEP * (i % MANY);
		r.fields.func = K + STEP * (i % MANY);
		kt_symbol_addresses_note(a, CALLED, (const char *)&r);
	}
	found = kt_symbol_addresses_take(a, &n);
	assert_int_equal(n, 2 * MANY);
	for (i = 0; i < MANY; i++) {
		assert_true(found[i] == K + STEP * i);
		assert_true(found[2 * MANY - 1 - i] == UINT64_MAX - STEP * i);
	}
	kt_symbol_addresses_free(a);
}

static bool file_exists(struct made *m, const char *file)
{
	struct stat s;

	return fstatat(m->dir.fd, file, &s, 0) == 0;
}

/* If there is no room for the new metadata, the old remains. */
static void full_disk(void **state)
{
	struct made *m = *state;
	struct kt_symbols symbols = {};
	char before[16384], after[16384];
	size_t size = load(m, "metadata", before, sizeof(before));

	write_symbols(m, &symbols);
	limit_files(size);
	assert_int_equal(kt_metadata_writer_replace(&m->metadata, m->dir.fd, &m->err), -EFBIG);
	limit_files(RLIM_INFINITY);
	assert_string_equal(m->err.text, "metadata: File too large");
	assert_int_equal(load(m, "metadata", after, sizeof(after)), size);
	assert_memory_equal(before, after, size);
	assert_true(file_exists(m, "ktrace"));
	assert_false(file_exists(m, "ktrace/metadata.new"));

	assert_int_equal(kt_metadata_writer_replace(&m->metadata, m->dir.fd, &m->err), 0);
	assert_true(load(m, "metadata", after, sizeof(after)) > size);
	assert_false(file_exists(m, "ktrace/metadata.new"));
	kt_symbols_clear(&symbols);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_views, set_up_addresses, tear_down),
		cmocka_unit_test_setup_teardown(noted_addresses, set_up_addresses, tear_down),
		cmocka_unit_test_setup_teardown(no_addresses, set_up_addresses, tear_down),
		cmocka_unit_test_setup_teardown(many_addresses, set_up_addresses, tear_down),
		cmocka_unit_test_setup_teardown(full_disk, set_up_addresses, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
