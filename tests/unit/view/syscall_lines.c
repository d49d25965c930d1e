// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries and returns as lines of calls: which belong together, and what comes between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/lines.h"
#include "tests/unit/metadata.h"

#define LENGTH     "u8 _n; u64 ___len_val[_n];"
#define CHARACTERS "integer { size = 8; encoding = UTF8; }"
#define ADDRESS    "typealias " INTEGER(64, false) " := pointer64;\n"
#define STRUCTS                                                                   \
	ADDRESS "struct inner { s64 _a; u8 __pad_8[2]; u8 _b[2]; };\n"            \
		"struct outer { struct inner _in; " CHARACTERS " _name[4]; byte " \
		"_raw[2]; struct inner _two[2]; pointer64 _p; };\n"

#define STRINGS "typealias " INTEGER(8, false) " := strings;\n"

enum {
	ENTER_READ,
	EXIT_READ,
	ENTER_CLOSE,
	EXIT_CLOSE,
	ENTER_END,
	EXIT_END,
	ENTER_LONE,
	TICK,
	ENTER_NAME,
	EXIT_NAME,
	ENTER_TIMES,
	EXIT_TIMES,
	ENTER_LEFT,
	EXIT_LEFT,
	ENTER_RUN,
	EXIT_RUN,
	ENTER_BECOME,
	EXIT_BECOME,
};

#define EVENTS                                                                                   \
	EVENT(0, "syscalls:sys_enter_read", "s64 ___syscall_nr; s64 _fd; u64 _buf; u64 _count;") \
	EVENT(1, "syscalls:sys_exit_read", ERRORS "u8 _n; byte ___buf_val[_n];")                 \
	EVENT(2, "syscalls:sys_enter_close", "s64 _fd;")                                         \
	EVENT(3, "syscalls:sys_exit_close", ERRORS)                                              \
	EVENT(4, "syscalls:sys_enter_exit_group", "s64 _error_code;")                            \
	EVENT(5, "syscalls:sys_exit_exit_group", ERRORS)                                         \
	EVENT(6, "syscalls:sys_enter_dup", "s64 _fd;")                                           \
	EVENT(7, "a:tick", "s64 _n;")                                                            \
	EVENT(8, "syscalls:sys_enter_name", "s64 _fd; u64 _len; " LENGTH)                        \
	EVENT(9, "syscalls:sys_exit_name", ERRORS LENGTH)                                        \
	STRUCTS                                                                                  \
	EVENT(10, "syscalls:sys_enter_times", "u64 _t; u8 _n; struct inner ___t_val[_n];")       \
	EVENT(11, "syscalls:sys_exit_times", ERRORS "u8 _n; struct outer ___t_val[_n];")         \
	EVENT(12, "syscalls:sys_enter_left", "u64 _t; u8 _n; struct inner ___t_val[_n];")        \
	EVENT(13, "syscalls:sys_exit_left", ERRORS "u8 _n; struct inner ___t_val[_n];")          \
	STRINGS                                                                                  \
	EVENT(14, "syscalls:sys_enter_run",                                                      \
	      "pointer64 _argv; pointer64 _envp; s64 ___argv_count; s64 ___envp_count; u8 _n; "  \
	      "strings ___argv_val[_n];")                                                        \
	EVENT(15, "syscalls:sys_exit_run", ERRORS)                                               \
	EVENT(16, "syscalls:sys_enter_become", "s64 _fd;")                                       \
	EVENT(17, "syscalls:sys_exit_become", ERRORS "s64 ___entry_tid;")

static bool is_shown; /* held-back lines are written at once */

static void begin_with(const char *metadata)
{
	begin_lines(metadata, NULL);
}

static void begin(void)
{
	begin_with(HEAD ENV("") STREAM EVENTS);
}

/* Shortens a line to TASK TIME: text. Others have the CPU and seconds, too. */
static char *shorten(char *to, char *line)
{
	char name[64], rest[512] = "";
	int task, ns;

	if (sscanf(line, " %63[^-]-%d [000] 0.%d: %511[^\n]", name, &task, &ns, rest) != 4)
		return to + sprintf(to, "%s\n", line);
	if (strcmp(name, "<...>") != 0)
		to += sprintf(to, "%s-", name);
	return to + sprintf(to, "%d %d: %s\n", task, ns, rest);
}

static void end(const char *expected)
{
	char *from, *to, *lines = malloc(2048);

	kt_syscall_lines_flush(paired, &text);
	end_lines();
	assert_true(lines && size < 2048);
	to = lines;
	for (from = strtok(written, "\n"); from; from = strtok(NULL, "\n"))
		to = shorten(to, from);
	assert_string_equal(lines, expected);
	free(lines);
	free_lines();
}

static void put_shown(int id, char *record, size_t n)
{
	put_record(id, record, n);
	if (is_shown)
		kt_syscall_lines_show(paired, &text);
}

/* Puts an event with these numbers and bytes. */
static void put(int id, int64_t a, int64_t b, int64_t c, int64_t d, const char *bytes)
{
	int64_t numbers[] = {a, b, c, d};
	char record[128] = {0};
	size_t n = strlen(bytes);

	memcpy(record, numbers, sizeof(numbers));
	if (id == EXIT_READ) {
		record[8] = (char)n;
		memcpy(record + 9, bytes, n);
	}
	put_shown(id, record, sizeof(record));
}

static void enter_read(int32_t tid, int64_t fd)
{
	hit.tid = tid;
	put(ENTER_READ, 0, fd, 0xb0f, 9, "");
}

static void exit_read(int32_t tid, const char *got)
{
	hit.tid = tid;
	put(EXIT_READ, strlen(got), 0, 0, 0, got);
}

static void put_number(int32_t tid, int id, int64_t n)
{
	hit.tid = tid;
	put(id, n, 0, 0, 0, "");
}

static void whole_calls(void **state)
{
	(void)state;
	begin();
	enter_read(7, 3);
	exit_read(7, "abc");
	enter_read(7, 3);
	exit_read(7, "");
	enter_read(7, 4);
	put_number(7, EXIT_READ, -2);
	put_number(7, ENTER_CLOSE, 4);
	put_number(7, EXIT_CLOSE, -512);
	put_number(7, ENTER_END, 1);
	put_number(8, TICK, 5);
	end("7 1: read(3, \"abc\", 9) = 3 <0.000000001>\n"
	    "7 3: read(3, \"\", 9) = 0 <0.000000001>\n"
	    "7 5: read(4, 2831, 9) = -1 ENOENT (No such file or directory) <0.000000001>\n"
	    "7 7: close(4) = ? ERESTARTSYS (To be restarted if SA_RESTART is set) <0.000000001>\n"
	    "7 9: exit_group(1) = ?\n"
	    "8 10: tick: n=5\n");
}

/* Written text is not read again from the record, and later arguments follow the comma. */
static void interrupted_calls(void **state)
{
	(void)state;
	begin();
	enter_read(7, 3);
	put_number(8, ENTER_CLOSE, 5);
	put_number(8, EXIT_CLOSE, 0);
	put_number(8, ENTER_CLOSE, 6);
	exit_read(7, "abc");
	put_number(8, EXIT_CLOSE, 0);
	put_number(8, ENTER_CLOSE, 7);
	end("7 1: read(3,  <unfinished ...>\n"
	    "8 2: close(5) = 0 <0.000000001>\n"
	    "8 4: close(6 <unfinished ...>\n"
	    "7 5: <... read resumed>\"abc\", 9) = 3 <0.000000004>\n"
	    "8 6: <... close resumed>) = 0 <0.000000002>\n"
	    "8 7: close(7 <unfinished ...>\n");
}

/* An entry without a return; a return whose entry belongs to another call or to none. */
static void single_events(void **state)
{
	(void)state;
	begin();
	exit_read(7, "abc");
	enter_read(7, 3);
	put_number(7, EXIT_CLOSE, 0);
	exit_read(7, "");
	put_number(7, ENTER_CLOSE, 1);
	put_number(7, ENTER_CLOSE, 2);
	put_number(7, EXIT_CLOSE, 0);
	put_number(7, ENTER_LONE, 2);
	end("7 1: <... read resumed>buf=\"abc\") = 3\n"
	    "7 2: read(3,  <unfinished ...>\n"
	    "7 3: <... close resumed>) = 0\n"
	    "7 4: <... read resumed>buf=\"\") = 0\n"
	    "7 5: close(1 <unfinished ...>\n"
	    "7 6: close(2) = 0 <0.000000001>\n"
	    "7 8: sys_enter_dup: fd=2\n");
}

/* After lost events a return may belong to another call. */
static void lost_events(void **state)
{
	(void)state;
	begin();
	enter_read(7, 3);
	put_number(8, ENTER_CLOSE, 5);
	lose();
	exit_read(7, "abc");
	put_number(8, EXIT_CLOSE, 0);
	enter_read(7, 3);
	exit_read(7, "x");
	end("7 1: read(3,  <unfinished ...>\n"
	    "8 2: close(5 <unfinished ...>\n"
	    "CPU:0 [LOST 3 EVENTS]\n"
	    "7 4: <... read resumed>buf=\"abc\") = 3\n"
	    "8 5: <... close resumed>) = 0\n"
	    "7 6: read(3, \"x\", 9) = 1 <0.000000001>\n");
}

/* Before the whole trace is known, and while one of both events was not recorded. */
static void incomplete_events(void **state)
{
	(void)state;
	begin_with(HEAD ENV("complete_until_0 = 4; complete_from_3 = 8;") STREAM EVENTS);
	hit.is_early = true;
	enter_read(7, 3);
	hit.is_early = false;
	exit_read(7, "a");
	enter_read(7, 3);
	exit_read(7, "b");
	enter_read(7, 3);
	exit_read(7, "c");
	put_number(7, ENTER_CLOSE, 5);
	put_number(7, EXIT_CLOSE, 0);
	end("7 1: sys_enter_read: __syscall_nr=0 fd=3 buf=2831 count=9\n"
	    "7 2: <... read resumed>buf=\"a\") = 1\n"
	    "7 3: read(3, \"b\", 9) = 1 <0.000000001>\n"
	    "7 5: sys_enter_read: __syscall_nr=0 fd=3 buf=2831 count=9\n"
	    "7 6: sys_exit_read: ret=1 buf=\"c\"\n"
	    "7 7: sys_enter_close: fd=5\n"
	    "7 8: <... close resumed>) = 0\n");
}

/* strace's format; the clock begins 5 ns after 1970. */
static void strace_format(void **state)
{
	struct kt_strace_form form = {.return_column = 40};

	(void)state;
	begin_lines(HEAD ENV("") STREAM EVENTS, &form);
	enter_read(7, 3);
	exit_read(7, "abc");
	enter_read(123456, 3);
	put_number(8, TICK, 5);
	exit_read(123456, "0123456789012345678901234567890");
	lose();
	put_number(7, ENTER_END, 1);
	end("7     read(3, \"abc\", 9)                 = 3\n"
	    "123456 read(3,  <unfinished ...>\n"
	    "8     tick: n=5\n"
	    "123456 <... read resumed>\"0123456789012345678901234567890\", 9) = 31\n"
	    "CPU:0 [LOST 3 EVENTS]\n"
	    "7     exit_group(1)                     = ?\n");

	form = (struct kt_strace_form){.prefix = {KT_TIME_SINCE_1970, .absolute_digits = 6},
				       .spent = true,
				       .spent_digits = 6,
				       .return_column = 40};
	begin_lines(HEAD ENV("") STREAM EVENTS, &form);
	hit.time = 2000000993;
	enter_read(7, 3);
	hit.time += 3000007000;
	exit_read(7, "abc");
	end("7     2.000000 read(3, \"abc\", 9)        = 3 <3.000007>\n");

	form = (struct kt_strace_form){.prefix = {.relative = true, .relative_digits = 6}};
	begin_lines(HEAD ENV("") STREAM EVENTS, &form);
	hit.time = 1000;
	put_number(7, TICK, 5);
	hit.time += 2000005999;
	enter_read(7, 3);
	put_number(8, TICK, 5);
	end("7          0.000000 tick: n=5\n"
	    "7          2.000006 read(3,  <unfinished ...>\n"
	    "8          0.000000 tick: n=5\n");
}

/* Filters on entries and returns select different calls. */
static void filtered_events(void **state)
{
	(void)state;
	begin_with(HEAD ENV("filter_0 = \"fd == 3\"; filter_1 = \"ret < 0\"; filter_2 = \"a == "
			    "1\"; filter_3 = \"a == 1\";") STREAM EVENTS);
	enter_read(7, 3);
	put_number(7, EXIT_READ, -2);
	put_number(7, ENTER_CLOSE, 5);
	put_number(7, EXIT_CLOSE, 0);
	end("7 1: sys_enter_read: __syscall_nr=0 fd=3 buf=2831 count=9\n"
	    "7 2: sys_exit_read: ret=-ENOENT\n"
	    "7 3: close(5) = 0 <0.000000001>\n");
}

/* The task's name is that at the entry, even if it has changed since. */
static void task_names(void **state)
{
	char name[] = "sh";

	(void)state;
	begin();
	hit.comm = name;
	enter_read(7, 3);
	strcpy(name, "to");
	exit_read(7, "abc");
	enter_read(7, 4);
	end("sh-7 1: read(3, \"abc\", 9) = 3 <0.000000001>\n"
	    "to-7 3: read(4,  <unfinished ...>\n");
}

/* A thread that returns with another number: the call is the one it made. */
static void renumbered_thread(void **state)
{
	(void)state;
	begin();
	put_number(7, ENTER_CLOSE, 5);
	put_number(8, ENTER_BECOME, 3);
	hit.tid = 7;
	put(EXIT_BECOME, 0, 8, 0, 0, "");
	hit.tid = 7;
	put(EXIT_BECOME, 0, -1, 0, 0, "");
	put_number(7, EXIT_CLOSE, 0);
	end("7 1: close(5 <unfinished ...>\n"
	    "8 2: become(3 <unfinished ...>\n"
	    "7 3: <... become resumed>) = 0 <0.000000001>\n"
	    "7 4: sys_exit_become: ret=0 __entry_tid=-1\n"
	    "7 5: <... close resumed>) = 0 <0.000000004>\n");
}

/* A new task with a reused PID returns from no call of the old task. */
static void reused_pid(void **state)
{
	(void)state;
	begin();
	put_number(7, ENTER_CLOSE, 5);
	hit.task = 9;
	put_number(7, EXIT_CLOSE, 0);
	put_number(7, ENTER_CLOSE, 6);
	put_number(7, EXIT_CLOSE, 0);
	hit.task = 0;
	end("7 1: close(5 <unfinished ...>\n"
	    "7 2: <... close resumed>) = 0\n"
	    "7 3: close(6) = 0 <0.000000001>\n");
}

/* Any PIDs that a trace may have. */
static void any_pids(void **state)
{
	(void)state;
	begin();
	put_number(-1, ENTER_CLOSE, 5);
	put_number(-1, EXIT_CLOSE, 0);
	put_number(4194303, ENTER_CLOSE, 5);
	put_number(4194303, EXIT_CLOSE, 0);
	end("-1 1: sys_enter_close: fd=5\n"
	    "-1 2: sys_exit_close: ret=0\n"
	    "4194303 3: close(5) = 0 <0.000000001>\n");
}

/* Puts a call with a number given and n numbers returned. */
static void put_name(int id, int64_t first, uint8_t n, uint64_t length)
{
	size_t at = id == ENTER_NAME ? 16 : 8;
	char record[64] = {0};
	int64_t address = n ? 0xabc : 0;

	memcpy(record, &first, 8);
	if (id == ENTER_NAME)
		memcpy(record + 8, &address, 8);
	record[at] = (char)n;
	memcpy(record + at + 1, &length, 8);
	put_shown(id, record, sizeof(record));
}

/* Data that a call changes is printed before and after. */
static void changed_data(void **state)
{
	(void)state;
	begin();
	put_name(ENTER_NAME, 3, 1, 128);
	put_name(EXIT_NAME, 0, 1, 16);
	put_name(ENTER_NAME, 3, 1, 16);
	put_name(EXIT_NAME, 0, 1, 16);
	put_name(ENTER_NAME, 3, 1, 16);
	put_name(EXIT_NAME, -2, 0, 0);
	put_name(ENTER_NAME, 3, 0, 0);
	put_name(EXIT_NAME, 0, 0, 0);
	put_name(ENTER_NAME, 3, 1, 128);
	put_number(8, TICK, 1);
	hit.tid = 7;
	put_name(EXIT_NAME, 0, 1, 16);
	put_name(EXIT_NAME, 0, 1, 17);
	end("7 1: name(3, [128 => 16]) = 0 <0.000000001>\n"
	    "7 3: name(3, [16]) = 0 <0.000000001>\n"
	    "7 5: name(3, [16]) = -1 ENOENT (No such file or directory) <0.000000001>\n"
	    "7 7: name(3, 0) = 0 <0.000000001>\n"
	    "7 9: name(3,  <unfinished ...>\n"
	    "8 10: tick: n=1\n"
	    "7 11: <... name resumed>[128 => 16]) = 0 <0.000000002>\n"
	    "7 12: <... name resumed>len=[17]) = 0\n");
}

/* Puts a struct whose bytes count up from the first. */
static void put_times(int id, int64_t first, uint8_t n, char begin, size_t length)
{
	char record[256] = {0};
	size_t i;

	memcpy(record, &first, 8);
	record[8] = (char)n;
	for (i = 0; i < n * length; i++)
		record[9 + i] = (char)(begin + i);
	put_shown(id, record, sizeof(record));
}

#define ENOENT_TEXT "ENOENT (No such file or directory) <0.000000001>\n"
enum { INNER = 12, OUTER = 50 };

static void structs(void **state)
{
	(void)state;
	begin();
	put_times(ENTER_TIMES, 0xabc, 1, -3, INNER);
	put_times(EXIT_TIMES, -2, 0, 0, OUTER);
	put_times(ENTER_TIMES, 0xabc, 2, 0, INNER);
	put_times(EXIT_TIMES, -2, 0, 0, OUTER);
	put_times(ENTER_TIMES, 0, 0, 0, INNER);
	put_times(EXIT_TIMES, 0, 0, 0, OUTER);
	put_times(ENTER_TIMES, 0xabc, 0, 0, INNER);
	put_times(EXIT_TIMES, 0, 1, 'A', OUTER);
	put_times(ENTER_LEFT, 0xabc, 1, 1, INNER);
	put_times(EXIT_LEFT, 0, 1, 1, INNER);
	put_times(ENTER_LEFT, 0xabc, 1, 1, INNER);
	put_times(EXIT_LEFT, 0, 1, 0, INNER);
	put_times(EXIT_LEFT, 0, 1, 0, INNER);
	end("7 1: times({a=289077004416843517, b=[7, 8]}) = -1 " ENOENT_TEXT
	    "7 3: times([{a=506097522914230528, b=[10, 11]}, {a=1374179596971150604, b=[22, 23]}]) "
	    "= -1 " ENOENT_TEXT "7 5: times(0) = 0 <0.000000001>\n"
	    "7 7: times({in={a=5208208757389214273, b=[75, 76]}, name=\"MNOP\", raw=\"QR\", "
	    "two=[{a=6510331868474594387, b=[93, 94]}, {a=7378413942531514463, b=[105, 106]}], "
	    "p=0x7271706f6e6d6c6b}) = 0 <0.000000001>\n"
	    "7 9: left({a=578437695752307201, b=[11, 12]}) = 0 <0.000000001>\n"
	    "7 11: left({a=578437695752307201 => 506097522914230528, b=[11 => 10, 12 => 11]}) = 0 "
	    "<0.000000001>\n"
	    "7 13: <... left resumed>t={a=506097522914230528, b=[10, 11]}) = 0\n");
}

/* Puts an exec with a list of arguments, and the length of the environment. */
static void put_exec(int64_t argv, int64_t n_args, const char *bytes, size_t n, int64_t envp,
		     int64_t n_vars)
{
	int64_t numbers[] = {argv, envp, n_args, n_vars};
	char record[128] = {0};

	memcpy(record, numbers, sizeof(numbers));
	record[32] = (char)n;
	memcpy(record + 33, bytes, n);
	put_shown(ENTER_RUN, record, sizeof(record));
	put_number(7, EXIT_RUN, 0);
}

/* What is known of lists, and their lengths if nothing else is. */
static void lists(void **state)
{
	(void)state;
	begin();
	put_exec(0xabc, 2, "a\0b \"c\"", 8, 0xdef, 37);
	put_exec(0xabc, 2, "a\0b \"c\"", 7, 0xdef, 1);
	put_exec(0xabc, 3, "a\0\0", 3, 0xdef, 0);
	put_exec(0xabc, -1, "a", 2, 0xdef, -1);
	put_exec(0xabc, 0, "", 0, 0, 0);
	put_exec(0xabc, 3, "", 0, 0, -1);
	put_exec(0, -1, "", 0, 0xdef, -1);
	end("7 1: run([\"a\", \"b \\\"c\\\"\"], 0xdef /* 37 vars */) = 0 <0.000000001>\n"
	    "7 3: run([\"a\", \"b \\\"c\\\"\"...], 0xdef /* 1 var */) = 0 <0.000000001>\n"
	    "7 5: run([\"a\", \"\", ...], 0xdef /* 0 vars */) = 0 <0.000000001>\n"
	    "7 7: run([\"a\", ...], 0xdef) = 0 <0.000000001>\n"
	    "7 9: run([], NULL) = 0 <0.000000001>\n"
	    "7 11: run(0xabc /* 3 vars */, NULL) = 0 <0.000000001>\n"
	    "7 13: run(NULL, 0xdef) = 0 <0.000000001>\n");
}

static int write_early(void **state)
{
	(void)state;
	is_shown = true;
	return 0;
}

static int write_late(void **state)
{
	(void)state;
	is_shown = false;
	return 0;
}

/* Printing early must not change the final lines. */
#define BOTH(test) \
	cmocka_unit_test(test), cmocka_unit_test_setup_teardown(test, write_early, write_late)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(whole_calls),       BOTH(interrupted_calls),
		BOTH(single_events),     BOTH(lost_events),
		BOTH(incomplete_events), BOTH(filtered_events),
		BOTH(strace_format),     BOTH(task_names),
		BOTH(renumbered_thread), BOTH(reused_pid),
		BOTH(any_pids),          BOTH(changed_data),
		BOTH(structs),           BOTH(lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
