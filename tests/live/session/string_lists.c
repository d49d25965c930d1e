// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arguments of programs to be started, compared with those passed: all lengths, more than recorded,
 * at the end of memory, and while another thread changes them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/live/copies.h"

enum { CALLS_MAX = 64, LONG = 6000 };

/* What the next record must have. */
static struct expected {
	int count;
	size_t n;
	char bytes[KT_CURATED_POINTED_MAX + 1];
} * expected;

static size_t n_made;

/* The session's limits for each list. */
struct limits {
	size_t strings, bytes;
};

/* Makes a call with a list of 'count' pointers, the first n of which are readable. */
static void give(char *const *at, int count, size_t n, struct limits limits)
{
	struct expected *e = &expected[n_made++];
	size_t i, len;

	assert_true(n_made <= CALLS_MAX);
	assert_int_equal(syscall(SYS_execve, "/there-is-none", at, NULL), -1);
	e->count = count;
	for (i = 0; i < n && i < limits.strings && e->n < limits.bytes; i++) {
		len = strlen(at[i]) + 1;
		if (len > limits.bytes - e->n)
			len = limits.bytes - e->n;
		memcpy(e->bytes + e->n, at[i], len);
		e->n += len;
	}
}

static char *make_text(size_t n)
{
	char *s = malloc(n + 1);

	assert_non_null(s);
	memset(s, 'x', n);
	s[n] = '\0';
	return s;
}

/* Lengths around the limit, alone and between others. */
static void give_long(struct limits limits)
{
	char *s, *t;
	size_t n;

	for (n = limits.bytes - 3; n <= limits.bytes + 3; n++) {
		s = make_text(n);
		t = make_text(n - 10);
		give((char *[]){s, NULL}, 1, 1, limits);
		give((char *[]){s, "b", NULL}, 2, 2, limits);
		give((char *[]){"12345678", t, "", "c", NULL}, 4, 4, limits);
		free(s);
		free(t);
	}
}

/* Many equal ones. */
static void give_many(size_t n, int count, struct limits limits)
{
	char *many[KT_EXPR_COUNT_MAX + 2] = {};
	size_t i;

	for (i = 0; i < n; i++)
		many[i] = "m";
	give(many, count, n, limits);
}

/* Pointers up to the end of memory, and endless text. */
static void give_edges(struct limits limits)
{
	char **list = (char **)edge(2 * sizeof(*list), false);
	char *endless = (char *)edge(5, false), *bad = (char *)0xffff888000000000;

	list[0] = "first";
	list[1] = "second";
	give(list, -1, 2, limits);
	list[1] = NULL;
	give(list, 1, 1, limits);
	give(list + 2, -1, 0, limits);
	give((char **)bad, -1, 0, limits);
	give(NULL, -1, 0, limits);
	give((char *[]){"a", endless, "c", NULL}, 3, 1, limits);
	give((char *[]){"a", "b", bad, NULL}, 3, 2, limits);
	give((char *[]){bad, "b", NULL}, 2, 0, limits);
	give((char *[]){(char *)edge(5, true), "b", NULL}, 2, 2, limits);
}

static void give_all(struct limits limits)
{
	give((char *[]){NULL}, 0, 0, limits);
	give((char *[]){"a", "b c", "", "d", NULL}, 4, 4, limits);
	give((char *[]){"", "", NULL}, 2, 2, limits);
	give_long(limits);
	give_many(KT_CURATED_STRINGS_MAX, KT_CURATED_STRINGS_MAX, limits);
	give_many(KT_EXPR_COUNT_MAX - 1, KT_EXPR_COUNT_MAX - 1, limits);
	give_many(KT_EXPR_COUNT_MAX, -1, limits);
	give_many(KT_EXPR_COUNT_MAX + 1, -1, limits);
	give_edges(limits);
}

static int32_t count_of(const struct kt_event *e, const char *record)
{
	const char *at = record + sizeof(struct kt_record);
	const struct kt_field *f = e->fields;

	for (; strcmp(f->name, "__argv_count") != 0; f++)
		at += kt_field_record_size(f);
	return *(const int32_t *)at;
}

static void check_one(const struct kt_event *e, const char *record, void *with)
{
	size_t *at = with;
	const struct expected *x = &expected[*at];
	struct copy copies[KT_EVENT_ADDED_MAX];

	assert_true((*at)++ < n_made);
	find_copies(e, record, copies);
	assert_int_equal(count_of(e, record), x->count);
	assert_int_equal(copies[0].n, sizeof("/there-is-none"));
	assert_string_equal(copies[0].data, "/there-is-none");
	assert_int_equal(copies[1].n, x->n);
	assert_memory_equal(copies[1].data, x->bytes, x->n);
}

/* Records are in the order of the calls. */
static void record_all(struct kt_geometry geometry, size_t max)
{
	size_t seen = 0, room = kt_record_call_data_max(geometry) / 2;
	struct limits limits = {max, room};
	struct kt_session *s;
	struct kt_counters counters;

	if (limits.strings > KT_CURATED_STRINGS_MAX)
		limits.strings = KT_CURATED_STRINGS_MAX;
	if (limits.bytes > KT_CURATED_POINTED_MAX + 1)
		limits.bytes = KT_CURATED_POINTED_MAX + 1;
	skip_where_refused();
	s = session_for(geometry, max);
	expected = calloc(CALLS_MAX, sizeof(*expected));
	n_made = 0;
	add_call(s, "sys_enter_execve", NULL);
	start(s);
	give_all(limits);
	stop(s);
	for_each(s, check_one, &seen);
	assert_int_equal(seen, n_made);
	counters = kt_counter_map_sum(kt_session_counters(s), 0);
	assert_int_equal(counters.hits, n_made);
	assert_int_equal(kt_counters_lost(counters), 0);
	kt_session_free(s);
	free(expected);
}

static const struct kt_geometry large = {18, 4};

static void no_arguments(void **state)
{
	(void)state;
	record_all(large, 0);
}

static void few_arguments(void **state)
{
	(void)state;
	record_all(large, 3);
}

static void default_arguments(void **state)
{
	(void)state;
	record_all(large, 32);
}

static void most_arguments(void **state)
{
	(void)state;
	record_all(large, KT_CURATED_POINTED_MAX);
}

/* Fewer bytes are recorded if a sub-buffer has no more room. */
static void small_rings(void **state)
{
	(void)state;
	record_all((struct kt_geometry){12, 512}, KT_CURATED_POINTED_MAX);
}

enum { CALLS = 20000, LETTERS = 300 };

static char *changing[2], text[LETTERS + 1];
static bool changes = true;

/* Sometimes a text, sometimes none; of these letters or of those. */
static void *change_text(void *unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; __atomic_load_n(&changes, __ATOMIC_RELAXED); i++) {
		__atomic_store_n(&changing[0], i % 3 ? text : NULL, __ATOMIC_RELAXED);
		memset(text, 'a' + i % 2, i % LETTERS);
		text[i % LETTERS] = '\0';
	}
	return NULL;
}

/* One text with one end, or nothing. */
static void check_changing(const struct kt_event *e, const char *record, void *with)
{
	struct copy copies[KT_EVENT_ADDED_MAX];
	size_t *n = with, i;

	find_copies(e, record, copies);
	assert_in_range(count_of(e, record), 0, 1);
	assert_in_range(copies[1].n, 0, LETTERS + 1);
	for (i = 0; i + 1 < copies[1].n; i++)
		assert_in_range(copies[1].data[i], 'a', 'b');
	if (copies[1].n)
		assert_int_equal(copies[1].data[copies[1].n - 1], '\0');
	n[copies[1].n > 0]++;
}

static void changing_text(void **state)
{
	size_t i, n[2] = {0, 0};
	struct kt_session *s;
	pthread_t thread;

	(void)state;
	skip_where_refused();
	s = session_for((struct kt_geometry){16, 512}, 32);
	add_call(s, "sys_enter_execve", NULL);
	assert_int_equal(pthread_create(&thread, NULL, change_text, NULL), 0);
	start(s);
	for (i = 0; i < CALLS; i++)
		syscall(SYS_execve, "/there-is-none", changing, NULL);
	stop(s);
	__atomic_store_n(&changes, false, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	for_each(s, check_changing, n);
	print_message("# %zu calls, %zu times nothing was there\n", n[0] + n[1], n[0]);
	assert_int_equal(n[0] + n[1], CALLS);
	kt_session_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_arguments),      cmocka_unit_test(few_arguments),
		cmocka_unit_test(default_arguments), cmocka_unit_test(most_arguments),
		cmocka_unit_test(small_rings),       cmocka_unit_test(changing_text),
	};

	return cmocka_run_group_tests(tests, open_kernel, close_kernel);
}
