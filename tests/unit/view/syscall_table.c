// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of system calls: which calls are counted, their durations, and the columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "tests/unit/metadata.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "values/text.h"
#include "view/syscall_table.h"

enum {
	ENTER_READ,
	EXIT_READ,
	ENTER_CLONE,
	EXIT_CLONE,
	ENTER_BACK,
	EXIT_BACK,
	ENTER_END,
	EXIT_END,
	ENTER_DUP,
	TICK,
	ENTER_CLOSE,
	EXIT_CLOSE,
};

#define EVENTS                                                        \
	EVENT(0, "syscalls:sys_enter_read", "s64 _fd;")               \
	EVENT(1, "syscalls:sys_exit_read", ERRORS)                    \
	EVENT(2, "syscalls:sys_enter_clone", "s64 _flags;")           \
	EVENT(3, "syscalls:sys_exit_clone", ERRORS)                   \
	EVENT(4, "syscalls:sys_enter_rt_sigreturn", "s64 _none;")     \
	EVENT(5, "syscalls:sys_exit_rt_sigreturn", ERRORS)            \
	EVENT(6, "syscalls:sys_enter_exit_group", "s64 _error_code;") \
	EVENT(7, "syscalls:sys_exit_exit_group", ERRORS)              \
	EVENT(8, "syscalls:sys_enter_dup", "s64 _fd;")                \
	EVENT(9, "a:tick", "s64 _n;")                                 \
	EVENT(10, "syscalls:sys_enter_close", "s64 _fd;")             \
	EVENT(11, "syscalls:sys_exit_close", ERRORS)

static struct kt_metadata *parsed;
static struct kt_syscall_table *counted;

static void begin(void)
{
	static const char metadata[] = HEAD ENV("") STREAM EVENTS;
	struct kt_error err;

	parsed = kt_metadata_parse(metadata, strlen(metadata), &err);
	if (!parsed)
		fail_msg("%s", err.text);
	counted = kt_syscall_table_new(parsed);
	assert_non_null(counted);
}

static void put_at(uint64_t ns, int32_t tid, int id, int64_t n)
{
	struct kt_hit hit = {.tid = tid, .time = ns, .event = &parsed->events[id]};
	struct kt_value values[1];
	char record[8];

	memcpy(record, &n, sizeof(n));
	assert_true(kt_record_layout_read(&hit.event->fields, record, sizeof(record), values) >= 0);
	hit.values = values;
	assert_int_equal(kt_syscall_table_add(counted, &hit), 0);
}

static void put(uint64_t us, int32_t tid, int id, int64_t n)
{
	put_at(us * 1000, tid, id, n);
}

static void lose(uint64_t us)
{
	struct kt_hit lost = {.time = us * 1000, .lost = 3};

	assert_int_equal(kt_syscall_table_add(counted, &lost), 0);
}

/* Puts a call of that many µs. */
static void put_call(uint64_t at, int enter, uint64_t us, int64_t ret)
{
	put(at, 7, enter, 0);
	put(at + us, 7, enter + 1, ret);
}

static void assert_table(const struct kt_syscall_table_form *form, const char *expected)
{
	static struct kt_text text;
	char *written = NULL;
	size_t size;

	text.to = open_memstream(&written, &size);
	assert_non_null(text.to);
	assert_int_equal(kt_syscall_table_print(counted, &text, form), 0);
	kt_text_flush(&text);
	fclose(text.to);
	assert_string_equal(written, expected);
	free(written);
}

static void end(void)
{
	kt_syscall_table_free(counted);
	kt_metadata_free(parsed);
}

#define RULE "------ ----------- ----------- --------- --------- ----------------\n"
#define TOP  "% time     seconds  usecs/call     calls    errors syscall\n" RULE

static const struct kt_syscall_table_form usual,
	in_brief = {
		.n = 3,
		.columns = {KT_SYSCALL_TABLE_NAME, KT_SYSCALL_TABLE_CALLS, KT_SYSCALL_TABLE_ERRORS},
};

#define BRIEF_RULE "---------------- --------- ---------\n"
#define BRIEF      "syscall              calls    errors\n" BRIEF_RULE

/* A return below -4095 is an address, not an error. */
static void calls(void **state)
{
	(void)state;
	begin();
	put_call(10, ENTER_READ, 30, 5);
	put_call(50, ENTER_READ, 5, -2);
	put_call(60, ENTER_CLOSE, 14, -512);
	put_call(80, ENTER_CLOSE, 1, -4096);
	put(90, 7, TICK, -2);
	assert_table(&usual, TOP " 70.00    0.000035          17         2         1 read\n"
				 " 30.00    0.000015           7         2         1 close\n" RULE
				 "100.00    0.000050          12         4         2 total\n");
	assert_int_equal(kt_syscall_table_untimed(counted), 0);
	assert_int_equal(kt_syscall_table_unpaired(counted), 0);
	end();
}

/* Unfinished calls are not counted; concurrent calls are separate. */
static void unfinished_calls(void **state)
{
	(void)state;
	begin();
	put(10, 7, ENTER_READ, 0);
	put(11, 8, ENTER_READ, 0);
	put(12, 9, ENTER_READ, 0);
	put(18, 8, EXIT_READ, 0);
	put(20, 7, EXIT_READ, 0);
	put(21, 7, ENTER_END, 0);
	assert_table(&usual, TOP "100.00    0.000017           8         2           read\n" RULE
				 "100.00    0.000017           8         2           total\n");
	end();
}

/*
 * A new task returns from its parent's call, and rt_sigreturn does not return: neither is counted.
 */
static void counted_once(void **state)
{
	(void)state;
	begin();
	put(10, 7, ENTER_CLONE, 0);
	put(15, 8, EXIT_CLONE, 0);
	put(20, 7, EXIT_CLONE, 8);
	put(30, 8, ENTER_BACK, 0);
	put(31, 8, ENTER_END, 0);
	assert_table(&in_brief, BRIEF "clone                    1          \n"
				      "rt_sigreturn             1          \n" BRIEF_RULE
				      "total                    2          \n");
	assert_table(&usual,
		     TOP "100.00    0.000010          10         1           clone\n"
			 "     ?           ?           ?         1           rt_sigreturn\n" RULE
			 "100.00    0.000010          10         2           total\n");
	assert_int_equal(kt_syscall_table_untimed(counted), 0);
	end();
}

/* Counted, with an unknown duration. */
static void without_entry(void **state)
{
	(void)state;
	begin();
	put(10, 7, EXIT_READ, -2);
	assert_table(&usual, TOP "     ?           ?           ?         1         1 read\n" RULE
				 "     ?           ?           ?         1         1 total\n");
	put(20, 7, ENTER_READ, 0);
	lose(25);
	put(30, 7, EXIT_READ, 0);
	put(31, 7, EXIT_CLONE, 5);
	put_call(40, ENTER_READ, 6, 0);
	assert_table(&usual, TOP "100.00    0.000006           6         3         1 read\n"
				 "     ?           ?           ?         1           clone\n" RULE
				 "100.00    0.000006           6         4         1 total\n");
	assert_int_equal(kt_syscall_table_untimed(counted), 3);
	end();
}

/* One event of a call gives neither count nor duration. */
static void single_events(void **state)
{
	(void)state;
	begin();
	put(10, 7, ENTER_DUP, 0);
	put(11, 7, ENTER_DUP, 0);
	put(12, 7, TICK, 0);
	lose(13);
	assert_table(&usual, "");
	assert_int_equal(kt_syscall_table_unpaired(counted), 2);
	end();
}

static void assert_order(enum kt_syscall_table_column by, const char *expected)
{
	struct kt_syscall_table_form form = {.by = by, .columns = {KT_SYSCALL_TABLE_NAME}, .n = 1};
	char table[256];

	snprintf(table, sizeof(table), "syscall\n----------------\n%s----------------\ntotal\n",
		 expected);
	assert_table(&form, table);
}

static void sorted(void **state)
{
	static const struct kt_syscall_table_form every = {
		.by = KT_SYSCALL_TABLE_NAME,
		.columns = {KT_SYSCALL_TABLE_MIN, KT_SYSCALL_TABLE_NAME, KT_SYSCALL_TABLE_MAX,
			    KT_SYSCALL_TABLE_SHARE, KT_SYSCALL_TABLE_TOTAL},
		.n = 5,
	};

	(void)state;
	begin();
	put_call(100, ENTER_READ, 10, 0);
	put_call(200, ENTER_READ, 10, 0);
	put_call(300, ENTER_READ, 10, 0);
	put_call(400, ENTER_CLOSE, 1, -2);
	put_call(500, ENTER_CLOSE, 21, -2);
	put_call(600, ENTER_CLONE, 15, -2);
	assert_order(KT_SYSCALL_TABLE_SHARE, "read\nclose\nclone\n");
	assert_order(KT_SYSCALL_TABLE_TOTAL, "read\nclose\nclone\n");
	assert_order(KT_SYSCALL_TABLE_MIN, "clone\nread\nclose\n");
	assert_order(KT_SYSCALL_TABLE_MAX, "close\nclone\nread\n");
	assert_order(KT_SYSCALL_TABLE_MEAN, "clone\nclose\nread\n");
	assert_order(KT_SYSCALL_TABLE_CALLS, "read\nclose\nclone\n");
	assert_order(KT_SYSCALL_TABLE_ERRORS, "close\nclone\nread\n");
	assert_order(KT_SYSCALL_TABLE_NAME, "clone\nclose\nread\n");
	assert_order(KT_SYSCALL_TABLE_COLUMNS, "read\nclone\nclose\n");
	assert_table(&every, "shortest syscall           longest % time     seconds\n"
			     "-------- ---------------- -------- ------ -----------\n"
			     "0.000015 clone            0.000015  22.39    0.000015\n"
			     "0.000001 close            0.000021  32.84    0.000022\n"
			     "0.000010 read             0.000010  44.78    0.000030\n"
			     "-------- ---------------- -------- ------ -----------\n"
			     "0.000001 total            0.000021 100.00    0.000067\n");
	end();
}

/* Wide values widen their column. */
static void wide_values(void **state)
{
	static const struct kt_syscall_table_form form = {
		.columns = {KT_SYSCALL_TABLE_MAX, KT_SYSCALL_TABLE_CALLS},
		.n = 2,
	};

	(void)state;
	begin();
	put_call(10, ENTER_READ, UINT64_C(12345678901), 0);
	put_call(UINT64_C(22345678901), ENTER_CLOSE, 0, 0);
	assert_table(&form, "     longest     calls\n"
			    "------------ ---------\n"
			    "12345.678901         1\n"
			    "    0.000000         1\n"
			    "------------ ---------\n"
			    "12345.678901         2\n");
	end();
}

/* Rounded to the nearest µs, means truncated; calls of unknown duration are not the shortest. */
static void rounding(void **state)
{
	static const struct kt_syscall_table_form form = {
		.columns = {KT_SYSCALL_TABLE_MIN, KT_SYSCALL_TABLE_MAX, KT_SYSCALL_TABLE_MEAN,
			    KT_SYSCALL_TABLE_NAME},
		.n = 4,
	};

	(void)state;
	begin();
	put_at(1000, 7, ENTER_READ, 0);
	put_at(2500, 7, EXIT_READ, 0);
	put_at(3000, 7, ENTER_READ, 0);
	put_at(5499, 7, EXIT_READ, 0);
	put_at(6000, 7, ENTER_BACK, 0);
	assert_table(&form, "shortest  longest  usecs/call syscall\n"
			    "-------- -------- ----------- ----------------\n"
			    "0.000002 0.000002           1 read\n"
			    "       ?        ?           ? rt_sigreturn\n"
			    "-------- -------- ----------- ----------------\n"
			    "0.000002 0.000002           1 total\n");
	end();
}

static void names(void **state)
{
	(void)state;
	assert_int_equal(kt_syscall_table_column("calls,name", 5), KT_SYSCALL_TABLE_CALLS);
	assert_int_equal(kt_syscall_table_column("time-percent", 12), KT_SYSCALL_TABLE_SHARE);
	assert_int_equal(kt_syscall_table_column("call", 4), KT_SYSCALL_TABLE_COLUMNS);
	assert_int_equal(kt_syscall_table_column("", 0), KT_SYSCALL_TABLE_COLUMNS);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls),         cmocka_unit_test(unfinished_calls),
		cmocka_unit_test(counted_once),  cmocka_unit_test(without_entry),
		cmocka_unit_test(single_events), cmocka_unit_test(sorted),
		cmocka_unit_test(wide_values),   cmocka_unit_test(rounding),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
