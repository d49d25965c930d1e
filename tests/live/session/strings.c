// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strings given to system calls, compared with those passed: all lengths, at the end of readable
 * memory, endless, and while another thread changes them.
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

enum { MAX = KT_CURATED_STRING_MAX, N_STRINGS = 3 };

/*
 * Calls that do nothing because the file does not exist, with the number of strings they are given,
 * and that of all they can take, which share the room.
 */
static const struct made {
	const char *event;
	long number;
	size_t n;
	size_t n_shares;
} made[N_STRINGS] = {
	{"sys_enter_unlink", SYS_unlink, 1, 1},
	{"sys_enter_rename", SYS_rename, 2, 2},
	{"sys_enter_mount", SYS_mount, 3, 4},
};

static const char above[] = "/there-is-none/";

/* That many letters in a directory that does not exist. */
static const char *make_path(size_t len)
{
	char *text = malloc(len + 1);
	size_t i;

	assert_non_null(text);
	for (i = 0; i < len; i++)
		text[i] = i < strlen(above) ? above[i] : (char)('a' + i % 26);
	text[len] = '\0';
	return text;
}

enum { UNREADABLE = -1 };

/* A string and its length; unlimited. */
struct given {
	const char *at;
	ssize_t len;
};

enum { N_GIVEN = 23 };

static const struct given *list_given(void)
{
	static struct given all[N_GIVEN];
	static const size_t lengths[] = {0,   2,   100, 168,     169, 170,     254,   255,
					 256, 510, 511, MAX - 1, MAX, MAX + 1, 100000};
	static const char odd[] = "/there-is-none/\x01\x7f\x80\xff\n\"'\\ \xc3\xa4";
	size_t i, n = 0;

	if (all[0].at)
		return all;
	all[n++] = (struct given){odd, strlen(odd)};
	all[n++] = (struct given){NULL, UNREADABLE};
	all[n++] = (struct given){(char *)0xffff888000000000, UNREADABLE};
	all[n++] = (struct given){edge(0, true), UNREADABLE};
	all[n++] = (struct given){edge(1, true), 0};
	all[n++] = (struct given){edge(31, true), 30};
	all[n++] = (struct given){edge(1, false), UNREADABLE};
	all[n++] = (struct given){edge(100, false), UNREADABLE};
	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
		all[n++] = (struct given){make_path(lengths[i]), lengths[i]};
	assert_int_equal(n, N_GIVEN);
	return all;
}

/* Returns the length that is recorded with that limit; -1: longer. */
static size_t copied_length(struct given g, size_t max)
{
	if (g.len == UNREADABLE)
		return 0;
	return (size_t)g.len <= max ? (size_t)g.len + 1 : max;
}

static void check_copy(struct given g, size_t max, const struct copy *c)
{
	assert_int_equal(c->n, copied_length(g, max));
	assert_memory_equal(c->data, g.at, c->n);
}

/* Returns the string passed as a call's i-th one in a round. */
static struct given string_for(size_t call, size_t round, size_t i)
{
	return list_given()[(round + i * (1 + call + round / N_GIVEN)) % N_GIVEN];
}

enum { ROUNDS = 7 * N_GIVEN };

static void make_all(void)
{
	struct given g[N_STRINGS];
	size_t round, call, i;

	for (round = 0; round < ROUNDS; round++) {
		for (call = 0; call < N_STRINGS; call++) {
			for (i = 0; i < N_STRINGS; i++)
				g[i] = string_for(call, round, i);
			assert_int_equal(
				syscall(made[call].number, g[0].at, g[1].at, g[2].at, 0, NULL), -1);
		}
	}
}

struct checked {
	struct kt_geometry geometry;
	size_t n[N_STRINGS];
};

static void check_one(const struct kt_event *e, const char *record, void *with)
{
	struct checked *c = with;
	size_t call = *(const uint16_t *)record, n = made[call].n, max, i;
	struct copy copies[N_STRINGS];

	max = kt_record_call_data_max(c->geometry) / made[call].n_shares - 1;
	if (max > MAX)
		max = MAX;
	find_copies(e, record, copies);
	for (i = 0; i < n; i++)
		check_copy(string_for(call, c->n[call], i), max, &copies[i]);
	c->n[call]++;
}

/* The strings are touched first: text not in memory cannot be read. */
static void record_all(struct kt_geometry geometry)
{
	struct checked checked = {.geometry = geometry};
	struct kt_session *s = session_for(geometry, 0);
	struct kt_counters counters;
	size_t i;

	list_given();
	for (i = 0; i < N_STRINGS; i++)
		add_call(s, made[i].event, NULL);
	start(s);
	make_all();
	stop(s);
	for_each(s, check_one, &checked);
	for (i = 0; i < N_STRINGS; i++) {
		counters = kt_counter_map_sum(kt_session_counters(s), i);
		assert_int_equal(counters.hits, ROUNDS);
		assert_int_equal(kt_counters_lost(counters), 0);
		assert_int_equal(checked.n[i], ROUNDS);
	}
	kt_session_free(s);
}

static void lengths(void **state)
{
	(void)state;
	skip_where_refused();
	record_all((struct kt_geometry){16, 64});
}

/* Less is recorded if a sub-buffer has no more room. */
static void small_rings(void **state)
{
	(void)state;
	skip_where_refused();
	record_all((struct kt_geometry){12, 256});
}

static void count_one(const struct kt_event *e, const char *record, void *with)
{
	size_t *n = with;

	(void)e;
	n[*(const uint16_t *)record]++;
}

/* An argument compared with text is the pointed-to text, or "" if unreadable. */
static void filters(void **state)
{
	static const struct {
		const char *filter, *event;
		size_t n;
	} rows[N_STRINGS] = {
		{"pathname ~ '/there-is-none/[ab]*'", "sys_enter_unlink", 2},
		{"newname == '/there-is-none/a' && oldname != ''", "sys_enter_rename", 1},
		{"dev_name == ''", "sys_enter_mount", 2},
	};
	static const char *const unlinked[] = {"/there-is-none/a", "/there-is-none/bc",
					       "/there-is-none/c", "", NULL};
	struct kt_session *s = NULL;
	size_t n[N_STRINGS] = {0}, i;

	(void)state;
	skip_where_refused();
	s = session_for((struct kt_geometry){16, 4}, 0);
	for (i = 0; i < N_STRINGS; i++)
		add_call(s, rows[i].event, rows[i].filter);
	start(s);
	for (i = 0; i < sizeof(unlinked) / sizeof(*unlinked); i++)
		syscall(SYS_unlink, unlinked[i]);
	for (i = 0; i < sizeof(unlinked) / sizeof(*unlinked); i++)
		syscall(SYS_rename, "/there-is-none/d", unlinked[i]);
	syscall(SYS_rename, "", unlinked[0]);
	syscall(SYS_rename, edge(0, false), unlinked[0]);
	for (i = 0; i < sizeof(unlinked) / sizeof(*unlinked); i++)
		syscall(SYS_mount, unlinked[i], "/there-is-none", "none", 0, NULL);
	stop(s);
	for_each(s, count_one, n);
	for (i = 0; i < N_STRINGS; i++)
		assert_int_equal(n[i], rows[i].n);
	kt_session_free(s);
}

enum { CHANGED = 3000, CALLS = 20000 };

static char changed[sizeof(above) + CHANGED];
static bool changes = true;

/* Ends here or there; of these letters or of those. */
static void *change_text(void *unused)
{
	char *letters = changed + strlen(above);
	unsigned int i, now, last = 0;

	(void)unused;
	for (i = 1; __atomic_load_n(&changes, __ATOMIC_RELAXED); i++) {
		now = i * 7919 % CHANGED;
		__atomic_store_n(&letters[now], '\0', __ATOMIC_RELAXED);
		__atomic_store_n(&letters[last], 'a' + i % 2, __ATOMIC_RELAXED);
		last = now;
	}
	return NULL;
}

struct seen {
	size_t n, whole, lengths;
	size_t last;
};

static void check_changed(const struct kt_event *e, const char *record, void *with)
{
	struct seen *seen = with;
	struct copy copies[1];
	size_t i;

	find_copies(e, record, copies);
	assert_true(copies[0].n >= sizeof(above) && copies[0].n <= sizeof(changed));
	for (i = strlen(above); i + 1 < copies[0].n; i++)
		assert_true(copies[0].data[i] == 'a' || copies[0].data[i] == 'b');
	assert_int_equal(copies[0].data[i], 0);
	seen->n++;
	seen->lengths += copies[0].n != seen->last;
	seen->last = copies[0].n;
}

/* Whatever it is at that moment, it is a text that ends where its record says. */
static void changing_text(void **state)
{
	struct kt_session *s;
	struct seen seen = {0};
	pthread_t thread;
	size_t i;

	(void)state;
	skip_where_refused();
	memset(changed, 'a', sizeof(changed) - 1);
	memcpy(changed, above, strlen(above));
	s = session_for((struct kt_geometry){16, 2048}, 0);
	add_call(s, "sys_enter_unlink", NULL);
	assert_int_equal(pthread_create(&thread, NULL, change_text, NULL), 0);
	start(s);
	for (i = 0; i < CALLS; i++)
		syscall(SYS_unlink, changed);
	stop(s);
	__atomic_store_n(&changes, false, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	for_each(s, check_changed, &seen);
	print_message("# %zu calls, %zu times another length than before\n", seen.n, seen.lengths);
	assert_int_equal(seen.n, CALLS);
	kt_session_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths),
		cmocka_unit_test(small_rings),
		cmocka_unit_test(filters),
		cmocka_unit_test(changing_text),
	};

	return cmocka_run_group_tests(tests, open_kernel, close_kernel);
}
