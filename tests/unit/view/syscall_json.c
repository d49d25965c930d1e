// SPDX-License-Identifier: GPL-2.0-or-later
/* System calls as objects: arguments, what the call wrote, its return value, and what they mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/metadata.h"
#include "tests/unit/parsed.h"
#include "trace/read/stream_reader.h"
#include "values/text.h"
#include "view/syscall_json.h"

#define TEXT "integer { size = 8; encoding = UTF8; }"

enum { ENTER_OPEN, EXIT_OPEN, ENTER_WAIT, EXIT_WAIT, ENTER_END, EXIT_END, TICK };

#define EVENTS                                                                          \
	EVENT(0, "syscalls:sys_enter_open",                                             \
	      "s64 ___syscall_nr; pointer64 _filename; enum : s64 { \"O_RDONLY\" = 0, " \
	      "\"O_CREAT\" = 64 } _flags; u8 _n; " TEXT " ___filename_val[_n];")        \
	EVENT(1, "syscalls:sys_exit_open", ERRORS)                                      \
	EVENT(2, "syscalls:sys_enter_wait", "s64 _pid; pointer64 _status;")             \
	EVENT(3, "syscalls:sys_exit_wait", ERRORS "u8 _n; s64 ___status_val[_n];")      \
	EVENT(4, "syscalls:sys_enter_exit_group", "s64 _error_code;")                   \
	EVENT(5, "syscalls:sys_exit_exit_group", ERRORS)                                \
	EVENT(6, "a:tick", "s64 _n;")

static struct kt_syscall_json *calls;
static struct kt_text text;
static char *written;
static size_t size;
static struct kt_hit hit;

static int set_up(void **state)
{
	(void)state;
	parse(HEAD ENV("") STREAM "typealias " INTEGER(64, false) " := pointer64;\n" EVENTS);
	calls = kt_syscall_json_new(parsed);
	assert_non_null(calls);
	text.to = open_memstream(&written, &size);
	assert_non_null(text.to);
	hit = (struct kt_hit){.tid = 7};
	return 0;
}

static int tear_down(void **state)
{
	free(written);
	kt_syscall_json_free(calls);
	return free_parsed(state);
}

/* Puts an event 1 ns after the last one. The record is invalid afterwards. */
static void put(int id, char *record, size_t n)
{
	const struct kt_event_class *e = &parsed->events[id];
	struct kt_value values[8];

	assert_true(kt_record_layout_read(&e->fields, record, n, values) >= 0);
	hit.event = e;
	hit.values = values;
	hit.time++;
	assert_int_equal(kt_syscall_json_print(calls, &text, &hit), 0);
	memset(record, 'X', n);
}

/* Puts an event with numbers, and a length and bytes after the first n of them. */
static void put_event(int id, size_t n, const int64_t *numbers, size_t length, const char *bytes)
{
	char record[128] = {0};

	memcpy(record, numbers, n * sizeof(*numbers));
	record[n * sizeof(*numbers)] = (char)length;
	memcpy(record + n * sizeof(*numbers) + 1, bytes, strlen(bytes));
	put(id, record, sizeof(record));
}

static void put_number(int id, int64_t number)
{
	put_event(id, 1, &number, 0, "");
}

static void enter_open(const char *name, int64_t flags)
{
	put_event(ENTER_OPEN, 3, (int64_t[]){2, 0x1000, flags}, strlen(name) + 1, name);
}

static void enter_wait(void)
{
	put_event(ENTER_WAIT, 2, (int64_t[]){-1, 0x2000}, 0, "");
}

static void end(const char *expected)
{
	assert_int_equal(kt_syscall_json_end(calls, &text), 0);
	kt_text_flush(&text);
	fclose(text.to);
	assert_string_equal(written, expected);
}

/* Text instead of its address, if it could be read; labels; an error by name. The time is that of
 * the entry. */
static void whole_calls(void **state)
{
	(void)state;
	hit.comm = "a\"b";
	enter_open("x\x1b", 64);
	put_number(EXIT_OPEN, -2);
	enter_open("", 1);
	put_number(EXIT_OPEN, 3);
	enter_wait();
	put_event(EXIT_WAIT, 1, (int64_t[]){4711}, 1, "\1\2");
	enter_wait();
	put_event(EXIT_WAIT, 1, (int64_t[]){-512}, 0, "");
	put_event(ENTER_OPEN, 3, (int64_t[]){2, 0x1000, 1}, 0, "");
	put_number(EXIT_OPEN, -14);
	put_event(ENTER_OPEN, 3, (int64_t[]){2, 0x1000, 1}, 2, "ab");
	put_number(EXIT_OPEN, 4);
	end("{\"time\":1,\"cpu\":0,\"tid\":7,\"comm\":\"a\\\"b\",\"call\":\"open\","
	    "\"args\":{\"filename\":\"x\\u001b\",\"flags\":64},\"ret\":-2,\"error\":\"ENOENT\","
	    "\"duration\":1,\"labels\":{\"flags\":\"O_CREAT\"}}\n"
	    "{\"time\":3,\"cpu\":0,\"tid\":7,\"comm\":\"a\\\"b\",\"call\":\"open\","
	    "\"args\":{\"filename\":\"\",\"flags\":1},\"ret\":3,\"duration\":1}\n"
	    "{\"time\":5,\"cpu\":0,\"tid\":7,\"comm\":\"a\\\"b\",\"call\":\"wait\","
	    "\"args\":{\"pid\":-1,\"status\":\"0x2000\"},\"out\":{\"status\":513},\"ret\":4711,"
	    "\"duration\":1}\n"
	    "{\"time\":7,\"cpu\":0,\"tid\":7,\"comm\":\"a\\\"b\",\"call\":\"wait\","
	    "\"args\":{\"pid\":-1,\"status\":\"0x2000\"},\"ret\":-512,\"error\":\"ERESTARTSYS\","
	    "\"duration\":1}\n"
	    "{\"time\":9,\"cpu\":0,\"tid\":7,\"comm\":\"a\\\"b\",\"call\":\"open\","
	    "\"args\":{\"filename\":\"0x1000\",\"flags\":1},\"ret\":-14,\"duration\":1}\n"
	    "{\"time\":11,\"cpu\":0,\"tid\":7,\"comm\":\"a\\\"b\",\"call\":\"open\","
	    "\"args\":{\"filename\":\"ab\",\"flags\":1},\"ret\":4,\"duration\":1,"
	    "\"truncated\":[\"filename\"]}\n");
}

/* Calls of several tasks; a return without its entry; calls that do not return, or not yet. */
static void parts_of_calls(void **state)
{
	struct kt_hit lost = {.cpu = 1, .time = 9, .lost = 3};

	(void)state;
	put_event(EXIT_WAIT, 1, (int64_t[]){4711}, 1, "\1");
	enter_wait();
	hit.tid = 8;
	put_number(TICK, 5);
	put_number(ENTER_END, 1);
	hit.tid = 7;
	put_event(EXIT_WAIT, 1, (int64_t[]){8}, 0, "");
	enter_wait();
	assert_int_equal(kt_syscall_json_print(calls, &text, &lost), 0);
	hit.tid = 9;
	hit.time = 9;
	enter_open("y", 0);
	end("{\"time\":1,\"cpu\":0,\"tid\":7,\"call\":\"wait\",\"ret\":4711}\n"
	    "{\"time\":3,\"cpu\":0,\"tid\":8,\"system\":\"a\",\"event\":\"tick\","
	    "\"fields\":{\"n\":5}}\n"
	    "{\"time\":4,\"cpu\":0,\"tid\":8,\"call\":\"exit_group\",\"args\":{\"error_code\":1}}\n"
	    "{\"time\":2,\"cpu\":0,\"tid\":7,\"call\":\"wait\","
	    "\"args\":{\"pid\":-1,\"status\":\"0x2000\"},\"ret\":8,\"duration\":3}\n"
	    "{\"time\":9,\"cpu\":1,\"lost\":3}\n"
	    "{\"time\":10,\"cpu\":0,\"tid\":9,\"call\":\"open\","
	    "\"args\":{\"filename\":\"y\",\"flags\":0},\"labels\":{\"flags\":\"O_RDONLY\"},"
	    "\"unfinished\":true}\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(whole_calls, set_up, tear_down),
		cmocka_unit_test_setup_teardown(parts_of_calls, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
