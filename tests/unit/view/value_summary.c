// SPDX-License-Identifier: GPL-2.0-or-later
/* Sums and quantiles, compared with those of the sorted numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "view/groups/value_summary.h"

enum { NUMBERS = 20000 };

static int compare(const void *a, const void *b)
{
	__int128 x = *(const __int128 *)a, y = *(const __int128 *)b;

	return (x > y) - (x < y);
}

/* Within 1/64, and of the same sign. */
static void assert_near(__int128 found, __int128 exact)
{
	__int128 difference = found > exact ? found - exact : exact - found;
	__int128 size = exact < 0 ? -exact : exact;

	assert_true(difference * 64 <= size);
}

static void compare_all(__int128 *numbers, size_t n)
{
	static const unsigned int all[] = {0, 1, 100, 500, 900, 990, 999, 1000};
	struct kt_value_summary s = {};
	__int128 sum = 0;
	size_t i, rank;

	for (i = 0; i < n; i++) {
		sum += numbers[i];
		assert_true(kt_value_summary_add(&s, numbers[i]));
	}
	qsort(numbers, n, sizeof(*numbers), compare);
	assert_int_equal(s.n, n);
	assert_true(s.sum == sum);
	assert_true(s.min == numbers[0] && s.max == numbers[n - 1]);
	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		rank = (n * all[i] + 999) / 1000;
		assert_near(kt_value_summary_quantile(&s, all[i]), numbers[rank ? rank - 1 : 0]);
	}
	kt_value_summary_clear(&s);
}

/* All powers of two and their neighbours, positive and negative. */
static void at_every_power_of_two(void **state)
{
	static __int128 numbers[6 * 64 + 1];
	size_t n = 0, power;
	int d;

	(void)state;
	for (power = 0; power < 64; power++)
		for (d = -1; d <= 1; d++) {
			numbers[n++] = ((__int128)1 << power) + d;
			if (power < 63)
				numbers[n++] = -((__int128)1 << power) - d;
		}
	numbers[n++] = UINT64_MAX;
	compare_all(numbers, n);
	for (; n > 0; n--) {
		__int128 one = numbers[n - 1];

		compare_all(&one, 1);
	}
}

static void of_random_numbers(void **state)
{
	static __int128 numbers[NUMBERS];
	uint64_t random = 88172645463325252u;
	size_t i;

	(void)state;
	for (i = 0; i < NUMBERS; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		numbers[i] = random >> (random & 63);
		if (i % 3 == 0)
			numbers[i] = -(numbers[i] >> 1);
	}
	compare_all(numbers, NUMBERS);
}

/* Below 64 every number has a bucket of its own. */
static void small_numbers_are_exact(void **state)
{
	struct kt_value_summary s = {};
	unsigned int i;

	(void)state;
	for (i = 0; i < 64; i++)
		assert_true(kt_value_summary_add(&s, i));
	for (i = 1; i <= 1000; i++)
		assert_true(kt_value_summary_quantile(&s, i) == (i * 64 + 999) / 1000 - 1);
	kt_value_summary_clear(&s);
}

static void of_nothing(void **state)
{
	struct kt_value_summary s = {};

	(void)state;
	assert_true(kt_value_summary_quantile(&s, 500) == 0);
	kt_value_summary_clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_every_power_of_two),
		cmocka_unit_test(of_random_numbers),
		cmocka_unit_test(small_numbers_are_exact),
		cmocka_unit_test(of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
