// SPDX-License-Identifier: GPL-2.0-or-later
/* Task names in a trace, as read. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/ctf/task_names.h"
#include "trace/read/trace_reader.h"

#define LOST(time, n) "{\"time\":" #time ",\"lost\":" #n "}\n"

/* Opens a trace with events of task 100 at 10, 20, ... 60. */
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

/* Asserts the task's name at each event; "-" if unknown. */
static void assert_names(struct made *m, struct kt_trace_reader *r, const char *const *names)
{
	struct kt_hit hit;

	for (; *names; names++) {
		assert_int_equal(kt_trace_reader_next(r, &hit, &m->err), 1);
		assert_string_equal(hit.comm ? hit.comm : "-", *names);
	}
	assert_int_equal(kt_trace_reader_next(r, &hit, &m->err), 0);
}

static void names_by_time(void **state)
{
	static const char *const names[] = {"-", "sh", "sh", "make", "make", "cc1", NULL};
	struct made *m = *state;
	struct kt_trace_reader *r;

	write_task_names(m, HEAD ROW(1, 99, "bash") ROW(20, 100, "sh") ROW(25, 4194303, "last")
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

static bool is_followed(const struct kt_trace_reader *r, uint32_t tid)
{
	return kt_trace_reader_known(r, tid).followed_since != KT_NEVER;
}

/* Whether a task is followed: from a name with the mark on, up to one without. */
static void followed(void **state)
{
	struct made *m = *state;
	struct kt_trace_reader *r;
	struct kt_hit hit;
	char seen[7] = "";
	int i;

	write_task_names(m, HEAD ROW(1, 100, "sh") FOLLOWED(20, 100, "sh")
				    FOLLOWED(25, 4194303, "sh") FOLLOWED(35, 100, "sh")
					    ROW(50, 100, "sh") FOLLOWED(55, 100, "sh") LOST(55, 1));
	r = read_trace(m);
	assert_false(is_followed(r, 100));
	for (i = 0; kt_trace_reader_next(r, &hit, &m->err) == 1; i++) {
		seen[i] = is_followed(r, 100) ? 'f' : '-';
		assert_int_equal(is_followed(r, 4194303), i >= 2 && i < 5);
		assert_false(is_followed(r, 99));
		assert_false(is_followed(r, 4194304));
		assert_false(is_followed(r, UINT32_MAX));
	}
	assert_string_equal(seen, "-fff--");
	kt_trace_reader_free(r);
}

/* A reused PID is another task; what is known of the old one remains. */
static void reused_pid(void **state)
{
	static const char *const names[] = {"sh", "sh", "make", "cc1", "-", "ld"};
	uint32_t tasks[6];
	struct made *m = *state;
	struct kt_trace_reader *r;
	struct kt_hit hit;
	int i;

	write_task_names(m, HEAD BEGUN(1, 100, "sh") BEGUN(25, 100, "make") ROW(35, 100, "cc1")
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

/* A task's birth may be written after its first event, by a slow CPU. */
static void late_birth(void **state)
{
	struct made *m = *state;
	struct kt_trace_reader *r;
	struct kt_hit hit;

	write_task_names(m, HEAD ROW(35, 99, "bash") BEGUN(10, 100, "sh") ROW(40, 100, "make"));
	r = read_trace(m);
	while (kt_trace_reader_next(r, &hit, &m->err) == 1)
		assert_int_equal(hit.task, 100);
	assert_string_equal(kt_trace_reader_known(r, 100).comm, "make");
	kt_trace_reader_free(r);
}

/* After the last name before a loss, any name may be wrong. */
static void unknown_after_a_loss(void **state)
{
	static const char *const names[] = {"sh", "sh", "-", "-", "make", "make", NULL};
	struct made *m = *state;
	struct kt_trace_reader *r;

	write_task_names(m, HEAD ROW(1, 100, "sh") ROW(30, 99, "bash") LOST(30, 1)
				    ROW(50, 100, "make"));
	r = read_trace(m);
	assert_names(m, r, names);
	assert_null(kt_trace_reader_comm(r, 99));
	kt_trace_reader_free(r);
}

/* A name still being written on another CPU when earlier ones were read. */
static void late_name_delays_no_other(void **state)
{
	static const char *const names[] = {"-", "sh", "sh", "make", "make", "make", NULL};
	struct made *m = *state;
	struct kt_trace_reader *r;

	write_task_names(m, HEAD ROW(15, 100, "sh") ROW(35, 99, "bash") ROW(34, 100, "make"));
	r = read_trace(m);
	assert_names(m, r, names);
	kt_trace_reader_free(r);
}

static void no_names(void **state)
{
	static const char *const names[] = {"-", "-", "-", "-", "-", "-", NULL};
	struct made *m = *state;
	struct kt_trace_reader *r = read_trace(m);

	assert_names(m, r, names);
	kt_trace_reader_free(r);
	write_task_names(m, "");
	r = kt_trace_reader_open(m->dir.path, &m->err);
	assert_names(m, r, names);
	kt_trace_reader_free(r);
	write_task_names(m, HEAD);
	r = kt_trace_reader_open(m->dir.path, &m->err);
	assert_names(m, r, names);
	kt_trace_reader_free(r);
}

/* Damage is reported once, before the next event; all events are there. */
static void damage(void **state)
{
	static const struct {
		const char *text, *error;
		int hits; /* events before the report */
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
		write_task_names(m, cases[i].text);
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

/* While the trace is recorded, an incomplete end is not damage. */
static void growing_trace(void **state)
{
	static const char *const names[] = {"sh", "sh", "sh", "ls", "ls", "ls", NULL};
	struct made *m = *state;
	struct kt_trace_reader *r;
	int lock = open(m->dir.path, O_RDONLY | O_DIRECTORY);

	assert_int_equal(flock(lock, LOCK_EX), 0);
	write_task_names(m, HEAD ROW(1, 100, "sh") ROW(40, 100, "ls") "{\"time\"");
	r = read_trace(m);
	assert_true(kt_trace_reader_is_growing(r));
	assert_names(m, r, names);
	kt_trace_reader_free(r);
	close(lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_by_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(followed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(reused_pid, set_up, tear_down),
		cmocka_unit_test_setup_teardown(late_birth, set_up, tear_down),
		cmocka_unit_test_setup_teardown(unknown_after_a_loss, set_up, tear_down),
		cmocka_unit_test_setup_teardown(late_name_delays_no_other, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage, set_up, tear_down),
		cmocka_unit_test_setup_teardown(growing_trace, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("task_names", tests, NULL, NULL);
}
