// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "filter/suggest.h"

/* The witness: the edit distance by its definition, slow and without a table. */
static unsigned int defined(const char *a, size_t i, const char *b, size_t j)
{
	unsigned int d, best;

	if (i == 0 || j == 0)
		return i + j;
	best = defined(a, i - 1, b, j) + 1;
	d = defined(a, i, b, j - 1) + 1;
	best = d < best ? d : best;
	d = defined(a, i - 1, b, j - 1) + (a[i - 1] != b[j - 1]);
	best = d < best ? d : best;
	if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
		d = defined(a, i - 2, b, j - 2) + 1;
		best = d < best ? d : best;
	}
	return best;
}

/* Returns the n-th string over {a, b, c}: "", "a", "b", "c", "aa", ... */
static void nth(char *s, unsigned int n)
{
	char *end = s;

	for (; n > 0; n = (n - 1) / 3)
		*end++ = "abc"[(n - 1) % 3];
	*end = '\0';
}

static void edits_match_definition(void **state)
{
	const unsigned int count = 1 + 3 + 9 + 27 + 81; /* all strings of up to four letters */
	unsigned int i, j;
	char a[8], b[8];

	(void)state;
	for (i = 0; i < count; i++)
		for (j = 0; j < count; j++) {
			nth(a, i);
			nth(b, j);
			assert_int_equal(kt_edit_distance(a, b),
					 defined(a, strlen(a), b, strlen(b)));
		}
}

static void edits_at_the_length_limit(void **state)
{
	char a[KT_SUGGESTION_MAX + 2], b[KT_SUGGESTION_MAX + 2];

	(void)state;
	memset(a, 'x', sizeof(a));
	memset(b, 'y', sizeof(b));
	a[KT_SUGGESTION_MAX] = b[KT_SUGGESTION_MAX] = '\0';
	assert_int_equal(kt_edit_distance(a, b), KT_SUGGESTION_MAX);
	a[KT_SUGGESTION_MAX] = 'x';
	a[KT_SUGGESTION_MAX + 1] = '\0';
	assert_int_equal(kt_edit_distance(a, b), UINT_MAX);
	assert_int_equal(kt_edit_distance(b, a), UINT_MAX);
}

static const char *suggest(const char *word)
{
	static const char *const names[] = {"sched_switch", "sched_waking", "sched_wakeup", "list"};
	struct kt_suggestion n = kt_suggestion_for(word);
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		kt_suggestion_offer(&n, names[i]);
	return n.name;
}

static void suggests_the_nearest(void **state)
{
	(void)state;
	assert_string_equal(suggest("sched_swtich"), "sched_switch");
	assert_string_equal(suggest("sched_wakup"), "sched_wakeup");
	assert_string_equal(suggest("lsit"), "list");
	assert_string_equal(suggest("list"), "list");
}

static void suggests_nothing_far_off(void **state)
{
	(void)state;
	assert_null(suggest("mm_page_alloc"));
	assert_null(suggest("lt"));
	assert_null(suggest(""));
}

static void first_of_equals_wins(void **state)
{
	struct kt_suggestion n = kt_suggestion_for("cat");

	(void)state;
	kt_suggestion_offer(&n, "car");
	kt_suggestion_offer(&n, "bat");
	assert_string_equal(n.name, "car");
	assert_int_equal(n.edits, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits_match_definition),
		cmocka_unit_test(edits_at_the_length_limit),
		cmocka_unit_test(suggests_the_nearest),
		cmocka_unit_test(suggests_nothing_far_off),
		cmocka_unit_test(first_of_equals_wins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
