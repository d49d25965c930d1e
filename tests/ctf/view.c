// SPDX-License-Identifier: GPL-2.0-or-later
/* Traces made by tests, as lines and as JSON objects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/ctf/made_trace.h"
#include "tests/ctf/view.h"

static void fields_of_every_kind(void **state)
{
	struct made *m = *state;

	begin(m, 5000000001, 0);
	record(m, KINDS, 5000000001, &kinds_low, sizeof(kinds_low));
	record(m, NOTHING, 123456000000000, "", 0);
	record(m, KINDS, 123456999999999, &kinds_high, sizeof(kinds_high));
	assert_int_equal(end(m, 123456999999999), 0);
	assert_views(
		m,
		"           <...>-100     [003]     5.000000001: kinds: u8=0 s8=-128 event=0 "
		"string=-32768 u32=0 s32=-2147483648 u64=0 s64=-9223372036854775808 ptr=0x0 comm= "
		"ip={0,0,0,0} two={-2147483648,1} odd={0,0,0}\n"
		"           <...>-100     [003] 123456.000000000: nothing:\n"
		"           <...>-100     [003] 123456.999999999: kinds: u8=255 s8=127 event=65535 "
		"string=32767 u32=4294967295 s32=2147483647 u64=18446744073709551615 "
		"s64=9223372036854775807 ptr=0xffffffff81000000 comm=hello "
		"ip={127,0,0,255} two={-1,2} odd={7,8,9}\n",
		"{\"time\":5000000001,\"cpu\":3,\"tid\":100,\"system\":\"test\",\"event\":"
		"\"kinds\",\"fields\":{\"u8\":0,\"s8\":-128,\"event\":0,\"string\":-32768,"
		"\"u32\":0,\"s32\":-2147483648,\"u64\":0,\"s64\":-9223372036854775808,"
		"\"ptr\":\"0x0\",\"comm\":\"\",\"ip\":[0,0,0,0],\"two\":[-2147483648,1],"
		"\"odd\":[0,0,0]}}\n"
		"{\"time\":123456000000000,\"cpu\":3,\"tid\":100,\"system\":\"test\",\"event\":"
		"\"nothing\",\"fields\":{}}\n"
		"{\"time\":123456999999999,\"cpu\":3,\"tid\":100,\"system\":\"test\",\"event\":"
		"\"kinds\",\"fields\":{\"u8\":255,\"s8\":127,\"event\":65535,\"string\":32767,"
		"\"u32\":4294967295,\"s32\":2147483647,\"u64\":18446744073709551615,"
		"\"s64\":9223372036854775807,\"ptr\":\"0xffffffff81000000\",\"comm\":\"hello\","
		"\"ip\":[127,0,0,255],\"two\":[-1,2],\"odd\":[7,8,9]}}\n");
}

static void varying_fields(void **state)
{
	static const struct varying none = {.u8 = 2};
	struct made *m = *state;

	begin(m, 1000, 0);
	record(m, VARYING, 1000, &some, sizeof(some));
	record(m, VARYING, 1001, &none, sizeof(none));
	assert_int_equal(end(m, 1001), 0);
	assert_views(
		m,
		"           <...>-100     [003]     0.000001000: varying: name=hello u8=1 "
		"s16s={-32768,32767} u64s={18446744073709551615} last=255\n"
		"           <...>-100     [003]     0.000001001: varying: name= u8=2 s16s={} "
		"u64s={} last=0\n",
		"{\"time\":1000,\"cpu\":3,\"tid\":100,\"system\":\"test\",\"event\":\"varying\","
		"\"fields\":{\"name\":\"hello\",\"u8\":1,\"s16s\":[-32768,32767],"
		"\"u64s\":[18446744073709551615],\"last\":255}}\n"
		"{\"time\":1001,\"cpu\":3,\"tid\":100,\"system\":\"test\",\"event\":\"varying\","
		"\"fields\":{\"name\":\"\",\"u8\":2,\"s16s\":[],\"u64s\":[],\"last\":0}}\n");
}

static void losses(void **state)
{
	struct made *m = *state;

	begin(m, 1000, 4);
	number(m, 1000, 1);
	assert_int_equal(end(m, 1000), 0);
	begin(m, 2000, UINT64_MAX);
	assert_int_equal(end(m, 2000), 0);
	assert_views(
		m,
		"CPU:3 [LOST 4 EVENTS]\n"
		"           <...>-100     [003]     0.000001000: number: n=1\n"
		"CPU:3 [LOST 18446744073709551611 EVENTS]\n",
		"{\"time\":1000,\"cpu\":3,\"lost\":4}\n"
		"{\"time\":1000,\"cpu\":3,\"tid\":100,\"system\":\"test\",\"event\":\"number\","
		"\"fields\":{\"n\":1}}\n"
		"{\"time\":2000,\"cpu\":3,\"lost\":18446744073709551611}\n");
}

/* Any PID that a trace may have, not only Linux's. */
static void any_pids(void **state)
{
	static const int32_t tids[] = {0, 4194304, INT32_MAX, -1};
	struct made *m = *state;
	struct kt_record *r;
	size_t i;

	begin(m, 1, 0);
	for (i = 0; i < 4; i++) {
		number(m, 1, 0);
		r = (struct kt_record *)((char *)m->records + m->packet.size -
					 kt_record_size(sizeof(*r) + 8));
		r->tid = tids[i];
	}
	assert_int_equal(end(m, 1), 0);
	assert_views(
		m,
		"          <idle>-0       [003]     0.000000001: number: n=0\n"
		"           <...>-4194304 [003]     0.000000001: number: n=0\n"
		"           <...>-2147483647 [003]     0.000000001: number: n=0\n"
		"           <...>--1      [003]     0.000000001: number: n=0\n",
		"{\"time\":1,\"cpu\":3,\"tid\":0,\"comm\":\"<idle>\",\"system\":\"test\",\"event\":"
		"\"number\","
		"\"fields\":{\"n\":0}}\n"
		"{\"time\":1,\"cpu\":3,\"tid\":4194304,\"system\":\"test\",\"event\":\"number\","
		"\"fields\":{\"n\":0}}\n"
		"{\"time\":1,\"cpu\":3,\"tid\":2147483647,\"system\":\"test\",\"event\":"
		"\"number\",\"fields\":{\"n\":0}}\n"
		"{\"time\":1,\"cpu\":3,\"tid\":-1,\"system\":\"test\",\"event\":\"number\","
		"\"fields\":{\"n\":0}}\n");
}

static void record_name(struct made *m, const char *name, size_t size)
{
	char fields[sizeof(struct varying) + 20000] = {};
	struct varying header = {.name_length = size};

	memcpy(fields, &header, sizeof(header));
	memcpy(fields + sizeof(header), name, size);
	record(m, VARYING, 1, fields, sizeof(header) + size);
}

/* No text breaks a line, controls a terminal, or is invalid JSON. */
static void hostile_text(void **state)
{
	static const struct {
		const char *name, *text, *json;
	} cases[] = {
		{"two words", "two words", "two words"},
		{"a\nb\tc\rd", "a\\nb\\tc\\x0dd", "a\\nb\\tc\\rd"},
		{"\x1b[2J\x7f", "\\x1b[2J\\x7f", "\\u001b[2J\\u007f"},
		{"\\n \"q\" /", "\\\\n \"q\" /", "\\\\n \\\"q\\\" /"},
		{"na\xc3\xafve \xe2\x82\xac \xf0\x9d\x84\x9e",
		 "na\xc3\xafve \xe2\x82\xac \xf0\x9d\x84\x9e",
		 "na\xc3\xafve \xe2\x82\xac \xf0\x9d\x84\x9e"},
		{"\xc2\x9b"
		 "2J",
		 "\\xc2\\x9b"
		 "2J",
		 "\\u009b2J"},
		{"\xe2\x80\xaexe", "\\xe2\\x80\\xaexe", "\\u202exe"},
		{"\xc2\xa0", "\xc2\xa0", "\xc2\xa0"},
		{"\x9b"
		 "a\xff",
		 "\\x9b"
		 "a\\xff",
		 "\xef\xbf\xbd"
		 "a\xef\xbf\xbd"},
		{"\xe2\x82", "\\xe2\\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
	};
	char lines[4096], objects[4096];
	struct made *m = *state;
	size_t i, l = 0, o = 0;

	begin(m, 1, 0);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		record_name(m, cases[i].name, strlen(cases[i].name) + i % 2);
		l += snprintf(
			lines + l, sizeof(lines) - l,
			"           <...>-100     [003]     0.000000001: varying: name=%s u8=0 "
			"s16s={} u64s={} last=0\n",
			cases[i].text);
		o += snprintf(objects + o, sizeof(objects) - o,
			      "{\"time\":1,\"cpu\":3,\"tid\":100,\"system\":\"test\",\"event\":"
			      "\"varying\",\"fields\":{\"name\":\"%s\",\"u8\":0,\"s16s\":[],"
			      "\"u64s\":[],\"last\":0}}\n",
			      cases[i].json);
	}
	assert_int_equal(end(m, 1), 0);
	assert_views(m, lines, objects);
}

/* Lines that end around the end of the text buffer. */
static void long_lines(void **state)
{
	static const char header[] =
		"           <...>-100     [003]     0.000000001: varying: name=";
	static const char tail[] = " u8=0 s16s={} u64s={} last=0";
	struct made *m = *state;
	char *lines, *objects, *at, *newline;
	char name[20000];
	size_t i;

	memset(name, 'x', sizeof(name));
	for (i = 0; i < 600; i++) {
		begin(m, 1, 0);
		record_name(m, name, sizeof(name) - i);
		assert_int_equal(end(m, 1), 0);
	}
	view_trace(m, &lines, &objects);
	for (i = 0, at = lines; i < 600; i++, at = newline + 1) {
		newline = strchr(at, '\n');
		assert_non_null(newline);
		assert_int_equal(newline - at, strlen(header) + sizeof(name) - i + strlen(tail));
		assert_memory_equal(at, header, strlen(header));
		assert_memory_equal(at + strlen(header), name, sizeof(name) - i);
		assert_memory_equal(newline - strlen(tail), tail, strlen(tail));
	}
	assert_string_equal(at, "");
	free(lines);
	free(objects);
}

/* Longer than the text buffer. */
static void long_text(void **state)
{
	static struct kt_text text;
	char bytes[sizeof(text.bytes) + 1], *out;
	size_t size;

	(void)state;
	memset(bytes, 'x', sizeof(bytes));
	text.to = open_memstream(&out, &size);
	kt_text_string(&text, "begin ");
	kt_text_escaped(&text, bytes, sizeof(bytes));
	kt_text_string(&text, " end");
	kt_text_flush(&text);
	fclose(text.to);
	assert_int_equal(size, 6 + sizeof(bytes) + 4);
	assert_memory_equal(out, "begin ", 6);
	assert_memory_equal(out + 6, bytes, sizeof(bytes));
	assert_string_equal(out + 6 + sizeof(bytes), " end");
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(fields_of_every_kind, set_up, tear_down),
		cmocka_unit_test_setup_teardown(varying_fields, set_up, tear_down),
		cmocka_unit_test_setup_teardown(losses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(any_pids, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_text, set_up, tear_down),
		cmocka_unit_test_setup_teardown(long_lines, set_up, tear_down),
		cmocka_unit_test(long_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
