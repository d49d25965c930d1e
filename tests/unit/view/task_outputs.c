// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of each task in an output of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/lines.h"
#include "tests/unit/metadata.h"

enum { ENTER_READ, EXIT_READ, ENTER_BECOME, EXIT_BECOME, TICK, PROCESS_EXIT };

#define EVENTS                                                           \
	EVENT(0, "syscalls:sys_enter_read", "s64 _fd; u64 _count;")      \
	EVENT(1, "syscalls:sys_exit_read", ERRORS)                       \
	EVENT(2, "syscalls:sys_enter_become", "s64 _fd; u64 _count;")    \
	EVENT(3, "syscalls:sys_exit_become", ERRORS "s64 ___entry_tid;") \
	EVENT(4, "a:tick", "s64 _n;")                                    \
	EVENT(5, "sched:sched_process_exit", "u64 _exit_code;")

enum { TASKS = 10 };

static struct output {
	FILE *to;
	char *text;
	size_t size;
} outputs[TASKS];

static FILE *before; /* any task is chosen */

static void choose(void *arg, struct kt_text *to, int tid)
{
	struct output *all = arg;

	assert_in_range(tid, 1, TASKS - 1);
	kt_text_flush(to);
	if (!all[tid].to)
		all[tid].to = open_memstream(&all[tid].text, &all[tid].size);
	to->to = all[tid].to;
}

static void begin(struct kt_strace_form form)
{
	form.return_column = 30;
	form.prefix.hides_thread = true;
	form.choice = (struct kt_output_choice){choose, outputs};
	begin_lines(HEAD ENV("") STREAM EVENTS, &form);
	before = text.to;
}

static void put(int32_t tid, int id, int64_t n, int64_t more)
{
	int64_t record[] = {n, more};

	hit.tid = tid;
	put_record(id, (char *)record, sizeof(record));
}

static void end(void)
{
	int tid;

	assert_int_equal(kt_syscall_lines_end(paired, &text), 0);
	kt_text_flush(&text);
	fclose(before);
	assert_int_equal(size, 0);
	for (tid = 0; tid < TASKS; tid++)
		if (outputs[tid].to)
			fclose(outputs[tid].to);
	free_lines();
}

static void assert_output(int tid, const char *expected)
{
	assert_string_equal(outputs[tid].text ? outputs[tid].text : "", expected);
	free(outputs[tid].text);
	outputs[tid] = (struct output){0};
}

/* Other tasks' events do not end a line; those of the task do. */
static void lines_apart(void **state)
{
	(void)state;
	begin((struct kt_strace_form){.detaches = true});
	put(1, ENTER_READ, 3, 9);
	put(2, ENTER_READ, 4, 9);
	put(3, TICK, 5, 0);
	put(2, EXIT_READ, -2, 0);
	put(1, TICK, 6, 0);
	put(1, EXIT_READ, 1, 0);
	put(2, ENTER_READ, 5, 9);
	put(3, ENTER_READ, 6, 9);
	end();
	assert_output(1, "read(3, 9 <unfinished ...>\n"
			 "tick: n=6\n"
			 "<... read resumed>)           = 1\n");
	assert_output(2, "read(4, 9)                    = -1 ENOENT (No such file or directory)\n"
			 "read(5, 9 <detached ...>\n");
	assert_output(3, "tick: n=5\n"
			 "read(6, 9 <detached ...>\n");
}

/* A line that was shown to a reader who waits is continued, and its return is in its column. */
static void shown_lines(void **state)
{
	(void)state;
	begin((struct kt_strace_form){.prefix = {.relative = true, .relative_digits = 9}});
	put(1, ENTER_READ, 3, 9);
	kt_syscall_lines_show(paired, &text);
	put(2, ENTER_READ, 123456, 9);
	kt_syscall_lines_show(paired, &text);
	put(2, EXIT_READ, 2, 0);
	put(1, EXIT_READ, 1, 0);
	end();
	assert_output(1, "     0.000000000 read(3, 9)   = 1\n");
	assert_output(2, "     0.000000000 read(123456, 9) = 2\n");
}

/* Any task that lives may have lost them. */
static void lost_events(void **state)
{
	(void)state;
	begin((struct kt_strace_form){0});
	put(1, ENTER_READ, 3, 9);
	put(2, TICK, 5, 0);
	put(3, TICK, 5, 0);
	put(2, PROCESS_EXIT, 0, 0);
	lose();
	put(1, EXIT_READ, 1, 0);
	end();
	assert_output(1, "read(3, 9 <unfinished ...>\n"
			 "CPU:0 [LOST 3 EVENTS]\n"
			 "<... read resumed>)           = 1\n");
	assert_output(2, "tick: n=5\n"
			 "+++ exited with 0 +++\n");
	assert_output(3, "tick: n=5\n"
			 "CPU:0 [LOST 3 EVENTS]\n");
}

/* A thread that calls execve returns from it with the first thread's number. */
static void new_number(void **state)
{
	(void)state;
	begin((struct kt_strace_form){.detaches = true});
	put(1, ENTER_READ, 3, 9);
	put(2, ENTER_BECOME, 4, 9);
	put(3, TICK, 5, 0);
	put(1, EXIT_BECOME, 0, 2);
	put(1, TICK, 6, 0);
	end();
	assert_output(1, "read(3, 9 <unfinished ...>\n"
			 "<... become resumed>)         = 0\n"
			 "tick: n=6\n");
	assert_output(2, "become(4, 9 <unfinished ...>\n");
	assert_output(3, "tick: n=5\n");
}

/* With calls selected by their outcome. */
static void selected_calls(void **state)
{
	(void)state;
	begin((struct kt_strace_form){.hidden = KT_FAILED});
	put(1, ENTER_READ, 3, 9);
	put(2, ENTER_READ, 4, 9);
	put(3, ENTER_READ, 5, 9);
	put(3, EXIT_READ, 1, 0);
	put(2, EXIT_READ, -2, 0);
	end();
	assert_output(1, "read(3, 9 <unfinished ...>\n");
	assert_output(2, "");
	assert_output(3, "read(5, 9)                    = 1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_apart),    cmocka_unit_test(shown_lines),
		cmocka_unit_test(lost_events),    cmocka_unit_test(new_number),
		cmocka_unit_test(selected_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
