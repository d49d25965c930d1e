// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets of numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/number_set.h"

/* Numbers that differ in high bits, in low bits, or in all. */
static void all_once(void **state)
{
	enum { N = 10000 };
	struct kt_number_set s = {0};
	const uint64_t *sorted;
	size_t i, n;
	int round;

	(void)state;
	assert_null(kt_number_set_sort(&s, &n));
	assert_int_equal(n, 0);
	assert_false(kt_number_set_has(&s, 1));
	for (round = 0; round < 2; round++) {
		for (i = 1; i <= N; i++) {
			assert_int_equal(kt_number_set_add(&s, i), !round);
			assert_int_equal(kt_number_set_add(&s, (uint64_t)i << 50), !round);
			assert_int_equal(kt_number_set_add(&s, -(uint64_t)i), !round);
		}
	}
	assert_int_equal(s.n, 3 * N);
	assert_true(kt_number_set_has(&s, N) && kt_number_set_has(&s, UINT64_MAX));
	assert_false(kt_number_set_has(&s, N + 1) || kt_number_set_has(&s, 0));
	sorted = kt_number_set_sort(&s, &n);
	assert_int_equal(n, 3 * N);
	assert_int_equal(sorted[0], 1);
	assert_int_equal(sorted[n - 1], UINT64_MAX);
	for (i = 1; i < n; i++)
		assert_true(sorted[i - 1] < sorted[i]);
	kt_number_set_clear(&s);
	assert_int_equal(kt_number_set_add(&s, 5), 1);
	kt_number_set_clear(&s);
}

static void taken_once(void **state)
{
	enum { N = 3000 };
	struct kt_number_feed f = {0};
	const uint64_t *sorted;
	uint64_t i;
	size_t n;

	(void)state;
	assert_null(kt_number_feed_take(&f, &n));
	for (i = N; i > 0; i--)
		assert_int_equal(kt_number_feed_add(&f, i << 32 | i), 1);
	assert_int_equal(kt_number_feed_add(&f, (uint64_t)1 << 32 | 1), 0);
	sorted = kt_number_feed_take(&f, &n);
	assert_int_equal(n, N);
	for (i = 1; i <= N; i++)
		assert_int_equal(sorted[i - 1], i << 32 | i);
	assert_null(kt_number_feed_take(&f, &n));
	for (i = 1; i <= N + 1; i++)
		assert_int_equal(kt_number_feed_add(&f, i << 32 | i), i > N);
	sorted = kt_number_feed_take(&f, &n);
	assert_int_equal(n, 1);
	assert_int_equal(*sorted, (uint64_t)(N + 1) << 32 | (N + 1));
	kt_number_feed_clear(&f);
	assert_int_equal(kt_number_feed_add(&f, 5), 1);
	kt_number_feed_clear(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_once),
					   cmocka_unit_test(taken_once)};

	return cmocka_run_group_tests_name("number_set", tests, NULL, NULL);
}
