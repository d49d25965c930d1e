// SPDX-License-Identifier: GPL-2.0-or-later
/* The names of tasks in a trace, as they are read. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/ctf/roster.h"
#include "trace/read/trace_reader.h"

#define LOST(time, n) "{\"time\":" #time ",\"lost\":" #n "}\n"

/* Hits of the task 100 at 10, 20, ... 60. */
static struct kt_trace_reader *read_trace(struct made *m)
{
	struct kt_trace_reader *r;
	uint64_t time;

	begin(m, 10, 0);
	for (time = 10; time <= 60; time += 10)
		number(m, time, time);
	assert_int_equal(end(m, 60), 0);
	r = kt_trace_reader_open(m->dir.path, &m->err);
	assert_non_null(r);
	return r;
}

/* What the task is called at each of them: "-" where that is not known. */
static void assert_names(struct made *m, struct kt_trace_reader *r, const char *const *names)
{
	struct kt_hit hit;

	for (; *names; names++) {
		assert_int_equal(kt_trace_reader_next(r, &hit, &m->err), 1);
		assert_string_equal(hit.comm ? hit.comm : "-", *names);
	}
	assert_int_equal(kt_trace_reader_next(r, &hit, &m->err), 0);
}

static void each_at_its_time(void **state)
{
	static const char *const names[] = {"-", "sh", "sh", "make", "make", "cc1", NULL};
	struct made *m = *state;
	struct kt_trace_reader *r;

	write_roster(m, HEAD ROW(1, 99, "bash") ROW(20, 100, "sh") ROW(25, 4194303, "last")
				ROW(40, 100, "make") ROW(40, 99, "ld") ROW(55, 100, "as")
					ROW(56, 100, "cc1") ROW(61, 100, "late"));
	r = read_trace(m);
	assert_names(m, r, names);
	assert_string_equal(kt_trace_reader_comm(r, 100), "cc1");
	assert_string_equal(kt_trace_reader_comm(r, 99), "ld");
	assert_string_equal(kt_trace_reader_comm(r, 4194303), "last");
	assert_null(kt_trace_reader_comm(r, 98));
	assert_null(kt_trace_reader_comm(r, 4194304));
	assert_null(kt_trace_reader_comm(r, UINT32_MAX));
	kt_trace_reader_free(r);
}

static bool follows(const struct kt_trace_reader *r, uint32_t tid)
{
	return kt_trace_reader_known(r, tid).followed_since != KT_NEVER;
}

/* Who is followed at each hit: from the name on with which that is told, up to one without. */
static void followed(void **state)
{
	struct made *m = *state;
	struct kt_trace_reader *r;
	struct kt_hit hit;
	char seen[7] = "";
	int i;

	write_roster(m, HEAD ROW(1, 100, "sh") FOLLOWED(20, 100, "sh") FOLLOWED(25, 4194303, "sh")
				FOLLOWED(35, 100, "sh") ROW(50, 100, "sh") FOLLOWED(55, 100, "sh")
					LOST(55, 1));
	r = read_trace(m);
	assert_false(follows(r, 100));
	for (i = 0; kt_trace_reader_next(r, &hit, &m->err) == 1; i++) {
		seen[i] = follows(r, 100) ? 'f' : '-';
		assert_int_equal(follows(r, 4194303), i >= 2 && i < 5);
		assert_false(follows(r, 99));
		assert_false(follows(r, 4194304));
		assert_false(follows(r, UINT32_MAX));
	}
	assert_string_equal(seen, "-fff--");
	kt_trace_reader_free(r);
}

/* A number that is used again is another task's, and what is known of the one before remains. */
static void used_again(void **state)
{
	static const char *const names[] = {"sh", "sh", "make", "cc1", "-", "ld"};
	uint32_t tasks[6];
	struct made *m = *state;
	struct kt_trace_reader *r;
	struct kt_hit hit;
	int i;

	write_roster(m, HEAD BEGUN(1, 100, "sh") BEGUN(25, 100, "make") ROW(35, 100, "cc1")
				BEGUN(45, 100, "as") LOST(45, 1) BEGUN(58, 100, "ld")
					BEGUN(10, 99, "late") BEGUN(59, 98, "other"));
	r = read_trace(m);
	for (i = 0; i < 6; i++) {
		assert_int_equal(kt_trace_reader_next(r, &hit, &m->err), 1);
		assert_string_equal(hit.comm ? hit.comm : "-", names[i]);
		tasks[i] = hit.task;
	}
	assert_int_equal(kt_trace_reader_next(r, &hit, &m->err), 0);
	assert_int_equal(tasks[0], 100);
	assert_int_equal(tasks[1], tasks[0]);
	assert_int_not_equal(tasks[2], tasks[1]);
	assert_int_equal(tasks[3], tasks[2]);
	assert_int_not_equal(tasks[4], tasks[3]);
	assert_int_not_equal(tasks[5], tasks[4]);
	assert_int_not_equal(tasks[5], tasks[3]);
	for (i = 0; i < 6; i++)
		assert_int_equal(kt_trace_reader_known(r, tasks[i]).tid, 100);
	assert_string_equal(kt_trace_reader_known(r, tasks[0]).comm, "sh");
	assert_string_equal(kt_trace_reader_known(r, tasks[2]).comm, "cc1");
	assert_null(kt_trace_reader_known(r, tasks[4]).comm);
	assert_string_equal(kt_trace_reader_known(r, tasks[5]).comm, "ld");
	assert_int_equal(kt_trace_reader_task(r, 98), 98);
	assert_null(kt_trace_reader_known(r, UINT32_MAX).comm);
	assert_int_equal(kt_trace_reader_known(r, UINT32_MAX).tid, UINT32_MAX);
	kt_trace_reader_free(r);
}

/* That a task has begun is said behind its first hit, as another CPU was slow to write it. */
static void begun_late(void **state)
{
	struct made *m = *state;
	struct kt_trace_reader *r;
	struct kt_hit hit;

	write_roster(m, HEAD ROW(35, 99, "bash") BEGUN(10, 100, "sh") ROW(40, 100, "make"));
	r = read_trace(m);
	while (kt_trace_reader_next(r, &hit, &m->err) == 1)
		assert_int_equal(hit.task, 100);
	assert_string_equal(kt_trace_reader_known(r, 100).comm, "make");
	kt_trace_reader_free(r);
}

/* From the last one before the loss on, any of them may be wrong. */
static void none_is_known_after_a_loss(void **state)
{
	static const char *const names[] = {"sh", "sh", "-", "-", "make", "make", NULL};
	struct made *m = *state;
	struct kt_trace_reader *r;

	write_roster(m,
		     HEAD ROW(1, 100, "sh") ROW(30, 99, "bash") LOST(30, 1) ROW(50, 100, "make"));
	r = read_trace(m);
	assert_names(m, r, names);
	assert_null(kt_trace_reader_comm(r, 99));
	kt_trace_reader_free(r);
}

/* One that was being written on another CPU when those before it were read. */
static void one_that_comes_late_holds_up_no_other(void **state)
{
	static const char *const names[] = {"-", "sh", "sh", "make", "make", "make", NULL};
	struct made *m = *state;
	struct kt_trace_reader *r;

	write_roster(m, HEAD ROW(15, 100, "sh") ROW(35, 99, "bash") ROW(34, 100, "make"));
	r = read_trace(m);
	assert_names(m, r, names);
	kt_trace_reader_free(r);
}

static void a_trace_without_names(void **state)
{
	static const char *const names[] = {"-", "-", "-", "-", "-", "-", NULL};
	struct made *m = *state;
	struct kt_trace_reader *r = read_trace(m);

	assert_names(m, r, names);
	kt_trace_reader_free(r);
	write_roster(m, "");
	r = kt_trace_reader_open(m->dir.path, &m->err);
	assert_names(m, r, names);
	kt_trace_reader_free(r);
	write_roster(m, HEAD);
	r = kt_trace_reader_open(m->dir.path, &m->err);
	assert_names(m, r, names);
	kt_trace_reader_free(r);
}

/* What is wrong is told once, before the first hit after it; all hits are there. */
static void damage(void **state)
{
	static const struct {
		const char *text, *error;
		int hits; /* before it is told */
	} cases[] = {
		{"{}\n", "line 1: belongs to another trace", 0},
		{"{\"trace\":\"11020300-0000-0000-0000-000000000000\"}\n",
		 "line 1: belongs to another trace", 0},
		{"nonsense\n", "line 1: not a JSON object", 0},
		{HEAD "[]\n", "line 2: not a JSON object", 0},
		{HEAD ROW(1, 4194304, "sh"), "line 2: expected a number", 0},
		{HEAD ROW(1, -1, "sh"), "line 2: expected a number", 0},
		{HEAD ROW(1, "100", "sh"), "line 2: expected a number", 0},
		{HEAD ROW(-1, 100, "sh"), "line 2: expected a number", 0},
		{HEAD LOST(1, 0.5), "line 2: expected a number", 0},
		{HEAD LOST(1, 0), "line 2: no task", 0},
		{HEAD "{\"time\":1,\"comm\":\"sh\"}\n", "line 2: no task", 0},
		{HEAD "{\"time\":1,\"tid\":1,\"followed\":1}\n", "line 2: expected true or false",
		 0},
		{HEAD ROW(1, 100, "sh") ROW(40, 100, "ls") "{\"time\"",
		 "line 4: cut off, or too long", 3},
		{HEAD ROW(1, 100, "sh") "{}\n", "line 3: no task", 0},
	};
	struct made *m = *state;
	struct kt_trace_reader *r;
	struct kt_hit hit;
	size_t i;
	int n;

	kt_trace_reader_free(read_trace(m));
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		write_roster(m, cases[i].text);
		r = kt_trace_reader_open(m->dir.path, &m->err);
		assert_non_null(r);
		for (n = 0; n < cases[i].hits; n++)
			assert_int_equal(kt_trace_reader_next(r, &hit, &m->err), 1);
		assert_int_equal(kt_trace_reader_next(r, &hit, &m->err), -EPROTO);
		assert_string_equal(m->err.text + strlen(FILE_NAME ", "), cases[i].error);
		for (; n < 6; n++) {
			assert_int_equal(kt_trace_reader_next(r, &hit, &m->err), 1);
			assert_null(hit.comm);
		}
		assert_int_equal(kt_trace_reader_next(r, &hit, &m->err), 0);
		kt_trace_reader_free(r);
	}
}

/* As while it is recorded: what is cut there is not wrong. */
static void a_trace_that_grows(void **state)
{
	static const char *const names[] = {"sh", "sh", "sh", "ls", "ls", "ls", NULL};
	struct made *m = *state;
	struct kt_trace_reader *r;
	int lock = open(m->dir.path, O_RDONLY | O_DIRECTORY);

	assert_int_equal(flock(lock, LOCK_EX), 0);
	write_roster(m, HEAD ROW(1, 100, "sh") ROW(40, 100, "ls") "{\"time\"");
	r = read_trace(m);
	assert_true(kt_trace_reader_is_growing(r));
	assert_names(m, r, names);
	kt_trace_reader_free(r);
	close(lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_at_its_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(followed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(used_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(begun_late, set_up, tear_down),
		cmocka_unit_test_setup_teardown(none_is_known_after_a_loss, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_that_comes_late_holds_up_no_other, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_trace_without_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_trace_that_grows, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("comms", tests, NULL, NULL);
}
