// SPDX-License-Identifier: GPL-2.0-or-later
/* Globs, compared with the C library's fnmatch. */
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "events/glob.h"

static bool matches(const char *pattern, const char *text)
{
	uint64_t state = 1;
	struct kt_glob g;

	assert_true(kt_glob_parse(&g, pattern, strlen(pattern)));
	for (; *text; text++)
		state = kt_glob_step(&g, state, *text);
	return state >> g.n & 1;
}

static void meanings(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool so;
	} rows[] = {
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "abc", true},
		{"a*", "a", true},
		{"a*", "ba", false},
		{"*a", "ba", true},
		{"*ab*ab*", "abab", true},
		{"*ab*ab*", "xabyabz", true},
		{"*ab*ab*", "aba", false},
		{"**a**", "bab", true},
		{"?", "", false},
		{"?", "\xff", true},
		{"a?c", "abc", true},
		{"*?", "", false},
		{"[abc]", "b", true},
		{"[a-c]x", "cx", true},
		{"[a-c]", "d", false},
		{"[!a-c]", "d", true},
		{"[^a-c]", "a", false},
		{"[]]", "]", true},
		{"[!]]", "]", false},
		{"[a-]", "-", true},
		{"[c-a]", "b", false},
		{"[\\]]", "]", true},
		{"[\x80-\xff]", "\xfe", true},
		{"[ab", "[ab", true},
		{"[", "[", true},
		{"\\*", "*", true},
		{"\\*", "a", false},
		{"a\\", "a\\", true},
		{"A", "a", false},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (matches(rows[i].pattern, rows[i].text) != rows[i].so)
			fail_msg("'%s' of '%s'", rows[i].pattern, rows[i].text);
}

/* Makes short strings of a few pieces, many of which match. */
static void make_string(char *to, size_t max, const char *const *pieces, size_t n_pieces)
{
	size_t n = rand() % (max + 1);

	*to = '\0';
	while (n--)
		strcat(to, pieces[rand() % n_pieces]);
}

/* All sets are closed: the library treats unclosed sets inconsistently. */
static void same_as_fnmatch(void **state)
{
	static const char *const pieces[] = {
		"a",    "b",    "-",     "]",    "*",      "*",     "?",     "\\*",   "\\[",
		"\\\\", "[ab]", "[a-b]", "[!a]", "[^a-b]", "[]b-]", "[!]-]", "[*?[]", "[\\]b]",
	};
	static const char *const bytes[] = {"a", "b", "-", "[", "]", "*", "\\"};
	enum { N_PIECES = sizeof(pieces) / sizeof(*pieces), N_BYTES = 7 };
	size_t i, so = 0, rounds = 300000;
	char pattern[64], text[16];

	(void)state;
	srand(14);
	for (i = 0; i < rounds; i++) {
		make_string(pattern, 6, pieces, N_PIECES);
		make_string(text, 5, bytes, N_BYTES);
		if (matches(pattern, text) != (fnmatch(pattern, text, 0) == 0))
			fail_msg("'%s' of '%s': fnmatch() differs", pattern, text);
		so += matches(pattern, text);
	}
	assert_in_range(so, rounds / 50, rounds / 2);
}

static void limits(void **state)
{
	char pattern[2 * KT_GLOB_MAX + 3], text[KT_GLOB_MAX + 1];
	struct kt_glob g;
	size_t i;

	(void)state;
	for (i = 0; i < KT_GLOB_MAX; i++) {
		pattern[2 * i] = '*';
		pattern[2 * i + 1] = text[i] = 'a' + i % 26;
	}
	strcpy(pattern + 2 * i, "*");
	text[i] = '\0';
	assert_true(matches(pattern, text));
	text[i - 1] = '!';
	assert_false(matches(pattern, text));
	strcpy(pattern + 2 * i, "?");
	assert_false(kt_glob_parse(&g, pattern, strlen(pattern)));
}

static void unclosed_sets(void **state)
{
	static const struct {
		const char *pattern;
		int at; /* -1: all sets are closed */
	} rows[] = {
		{"", -1},    {"a[b]", -1}, {"a[b", 1},   {"[", 0},     {"[]", 0},   {"[!]", 0},
		{"[]]", -1}, {"[!]]", -1}, {"[a][b", 3}, {"\\[a", -1}, {"[\\]", 0}, {"[[]", -1},
	};
	const char *at;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		at = kt_glob_unclosed(rows[i].pattern, strlen(rows[i].pattern));
		if ((at ? at - rows[i].pattern : -1) != rows[i].at)
			fail_msg("%s", rows[i].pattern);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(meanings),
		cmocka_unit_test(same_as_fnmatch),
		cmocka_unit_test(limits),
		cmocka_unit_test(unclosed_sets),
	};

	return cmocka_run_group_tests_name("glob", tests, NULL, NULL);
}
