// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of calls selected by their outcome. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/lines.h"
#include "tests/unit/metadata.h"

enum { ENTER_READ, EXIT_READ, ENTER_CLOSE, EXIT_CLOSE, ENTER_END, EXIT_END, ENTER_LONE, TICK };

#define EVENTS                                                        \
	EVENT(0, "syscalls:sys_enter_read", "s64 _fd; u64 _count;")   \
	EVENT(1, "syscalls:sys_exit_read", ERRORS)                    \
	EVENT(2, "syscalls:sys_enter_close", "s64 _fd;")              \
	EVENT(3, "syscalls:sys_exit_close", ERRORS)                   \
	EVENT(4, "syscalls:sys_enter_exit_group", "s64 _error_code;") \
	EVENT(5, "syscalls:sys_exit_exit_group", ERRORS)              \
	EVENT(6, "syscalls:sys_enter_dup", "s64 _fd;")                \
	EVENT(7, "a:tick", "s64 _n;")

static void begin(struct kt_strace_form form)
{
	form.return_column = 40;
	begin_lines(HEAD ENV("") STREAM EVENTS, &form);
}

static void put(int32_t tid, int id, int64_t n)
{
	int64_t record[] = {n, 9};

	hit.tid = tid;
	put_record(id, (char *)record, sizeof(record));
}

static void end(uint64_t unknown, const char *expected)
{
	assert_int_equal(kt_syscall_lines_end(paired, &text), 0);
	assert_int_equal(kt_syscall_lines_unknown(paired), unknown);
	end_lines();
	assert_string_equal(written, expected);
	free_lines();
}

static void assert_selected(unsigned int hidden, const char *expected)
{
	begin((struct kt_strace_form){.hidden = hidden});
	put(7, ENTER_READ, 3);
	put(8, ENTER_CLOSE, 5);
	put(8, EXIT_CLOSE, -2);
	put(8, ENTER_CLOSE, 6);
	put(6, ENTER_CLOSE, 7);
	put(8, TICK, 5);
	put(7, EXIT_READ, 4);
	put(9, EXIT_CLOSE, 0);
	put(9, EXIT_CLOSE, -4096);
	put(9, EXIT_CLOSE, -512);
	put(7, ENTER_LONE, 2);
	put(7, ENTER_END, 1);
	end(1, expected);
}

/* Whole lines, once the outcome is known; other events remain. */
static void by_status(void **state)
{
	(void)state;
	assert_selected(KT_FAILED | KT_UNFINISHED,
			"8     tick: n=5\n"
			"7     read(3, 9)                        = 4\n"
			"9     <... close resumed>)              = 0\n"
			"9     <... close resumed>)              = -4096\n");
	assert_selected(KT_SUCCESSFUL | KT_UNFINISHED,
			"8     close(5)                          = -1 ENOENT "
			"(No such file or directory)\n"
			"8     tick: n=5\n"
			"9     <... close resumed>)              = ? ERESTARTSYS "
			"(To be restarted if SA_RESTART is set)\n");
	assert_selected(KT_SUCCESSFUL | KT_FAILED, "8     tick: n=5\n"
						   "7     exit_group(1)                     = ?\n"
						   "8     close(6 <unfinished ...>\n"
						   "6     close(7 <unfinished ...>\n");
	assert_selected(KT_STATUSES, "8     tick: n=5\n");
}

/* A return may be among lost events. */
static void lost(void **state)
{
	(void)state;
	begin((struct kt_strace_form){.hidden = KT_FAILED});
	put(6, ENTER_CLOSE, 5);
	lose();
	put(7, ENTER_CLOSE, 6);
	put(7, ENTER_CLOSE, 7);
	end(2, "CPU:0 [LOST 3 EVENTS]\n"
	       "7     close(7 <unfinished ...>\n");
}

/* A line may begin before the line printed above it. */
static void earlier_lines(void **state)
{
	(void)state;
	begin((struct kt_strace_form){.hidden = KT_FAILED,
				      .prefix = {.relative = true, .relative_digits = 6}});
	hit.time = 2000000000;
	put(6, ENTER_CLOSE, 5);
	put(7, TICK, 1);
	hit.time += 1500000000;
	put(7, TICK, 2);
	put(6, EXIT_CLOSE, 0);
	put(7, TICK, 3);
	end(0, "7          0.000000 tick: n=1\n"
	       "7          1.500000 tick: n=2\n"
	       "6         -1.500000 close(5)            = 0\n"
	       "7          1.500000 tick: n=3\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_status),
		cmocka_unit_test(lost),
		cmocka_unit_test(earlier_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
