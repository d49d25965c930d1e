// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts by key, compared with an array of counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "view/report/count_table.h"

enum { KEYS = 5000, TIMES = 200000 };

/* Keys next to each other, far apart, and with equal low bits. */
static uint32_t key_of(size_t i)
{
	return i < KEYS / 2 ? i : i % 2 ? UINT32_MAX - i : i << 16;
}

static void counts_equal_the_witness(void **state)
{
	static uint64_t witness[KEYS];
	uint64_t random = 88172645463325252u, sum = 0;
	struct kt_count_table c = {};
	size_t i, k;

	(void)state;
	for (i = 0; i < TIMES; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		k = random % KEYS * (random >> 32 & 1); /* half of all keys are the first one */
		witness[k] += i % 3 + 1;
		assert_true(kt_count_table_add(&c, key_of(k), i % 3 + 1));
	}
	kt_count_table_sort(&c);
	assert_int_equal(c.n, KEYS);
	assert_int_equal(c.counts[0].key, 0);
	for (i = 0; i < c.n; i++) {
		sum += c.counts[i].count;
		for (k = 0; k < KEYS && key_of(k) != c.counts[i].key; k++)
			;
		assert_in_range(k, 0, KEYS - 1);
		assert_int_equal(c.counts[i].count, witness[k]);
		witness[k] = 0; /* each key once */
	}
	assert_int_equal(sum, 2 * TIMES - 1);
	kt_count_table_free(&c);
}

static void the_largest_first(void **state)
{
	static const struct {
		uint64_t count;
		uint32_t key;
	} in[] = {{1, 9}, {0, 3}, {7, UINT32_MAX}, {0, 0}, {UINT64_MAX, 5}, {0, 9}};
	static const uint32_t out[] = {5, UINT32_MAX, 9, 0, 3};
	struct kt_count_table c = {};
	size_t i;

	(void)state;
	for (i = 0; i < 6; i++)
		assert_true(kt_count_table_add(&c, in[i].key, in[i].count));
	for (i = 0; i < 5; i++)
		assert_int_equal(kt_count_table_get(&c, in[i].key), in[i].count);
	kt_count_table_sort(&c);
	assert_int_equal(c.n, 5);
	for (i = 0; i < 5; i++) {
		assert_int_equal(c.counts[i].key, out[i]);
		assert_int_equal(c.counts[i].times, out[i] == 9 ? 2 : 1);
	}
	kt_count_table_free(&c);
	for (i = 0; i < 100; i++)
		assert_true(kt_count_table_add(&c, 99 - i, 1));
	kt_count_table_sort(&c);
	for (i = 0; i < 100; i++)
		assert_int_equal(c.counts[i].key, i);
	kt_count_table_free(&c);
}

static void empty_table(void **state)
{
	struct kt_count_table c = {};

	(void)state;
	assert_int_equal(kt_count_table_get(&c, 0), 0);
	kt_count_table_sort(&c);
	assert_int_equal(c.n, 0);
	assert_true(kt_count_table_add(&c, 1, 1));
	assert_int_equal(kt_count_table_get(&c, 0), 0);
	kt_count_table_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_equal_the_witness),
		cmocka_unit_test(the_largest_first),
		cmocka_unit_test(empty_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
