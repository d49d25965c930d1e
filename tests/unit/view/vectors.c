// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Buffers of an array of struct iovec in a trace, and as printed: complete, partial and absent; and
 * metadata that only resembles them.
 */
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
#include "values/record/field_text.h"
#include "values/text.h"
#include "view/event_json.h"

#define TYPES                                                                                   \
	ALIAS(INTEGER(64, false), "pointer64")                                                  \
	ALIAS(INTEGER(8, false), "buffers")                                                     \
	"struct iovec { pointer64 _iov_base; u64 _iov_len; }; struct three { pointer64 _a; "    \
	"u64 _b; u64 _c; }; struct swapped { u64 _a; pointer64 _b; }; struct many { pointer64 " \
	"_a; u64 _b[2]; }; struct "                                                             \
	"within { pointer64 _a; struct swapped _b; };\n"
#define VECTOR(type) "u8 _n; struct " type " ___vec_val[_n]; "
#define DATA(type)   "u8 _m; " type " ___vec_data[_m];"

enum { GIVEN, TAKEN, LOOKS_SO, N_EVENTS = LOOKS_SO + 7 };

#define EVENTS                                                                                   \
	EVENT(0, "syscalls:sys_enter_a",                                                         \
	      "pointer64 _vec; u64 _vlen; " VECTOR("iovec") DATA("buffers"))                     \
	EVENT(1, "syscalls:sys_exit_a", "s64 _ret; u64 _vlen; " VECTOR("iovec") DATA("buffers")) \
	EVENT(2, "syscalls:b2", "pointer64 _vec; " VECTOR("three") DATA("buffers"))              \
	EVENT(3, "syscalls:b3", "pointer64 _vec; " VECTOR("swapped") DATA("buffers"))            \
	EVENT(4, "syscalls:b4", "pointer64 _vec; " VECTOR("many") DATA("buffers"))               \
	EVENT(5, "syscalls:b5", "pointer64 _vec; " VECTOR("iovec") DATA("byte"))                 \
	EVENT(6, "syscalls:b6", VECTOR("iovec") DATA("buffers"))                                 \
	EVENT(7, "syscalls:b7", "pointer64 _vec; " DATA("buffers"))                              \
	EVENT(8, "syscalls:b8", "pointer64 _vec; " VECTOR("within") DATA("buffers"))

static int open_parsed(void **state)
{
	static const char text[] = HEAD ENV("") STREAM TYPES EVENTS;

	(void)state;
	return parse(text);
}

/* An element, and how many bytes of its buffer the trace has. */
struct element {
	uint64_t base, length;
	uint32_t recorded;
	const char *data;
};

static char record[512];
static struct kt_value values[4];

/* Makes an entry with a count, or a return with a result, of which n elements have data. */
static struct kt_hit make_event(int event, int64_t first, uint64_t vlen, const struct element *of,
				size_t n)
{
	char *at = record;
	size_t i, size = 0;
	char *length;

	at = mempcpy(at, &first, 8);
	at = mempcpy(at, &vlen, 8);
	*at++ = (char)n;
	for (i = 0; i < n; i++)
		at = mempcpy(at, &of[i], 16);
	length = at++;
	for (i = 0; i < n && of[i].data; i++) {
		memcpy(length + 1 + size, &of[i].recorded, 4);
		memcpy(length + 5 + size, of[i].data, strlen(of[i].data));
		size += 4 + strlen(of[i].data);
	}
	*length = (char)size;
	assert_true(kt_record_layout_read(&parsed->events[event].fields, record, sizeof(record),
					  values) >= 0);
	return (struct kt_hit){.event = &parsed->events[event], .values = values};
}

static char *written;
static size_t written_size;

static void assert_written(const char *expected)
{
	assert_string_equal(written, expected);
	free(written);
}

/* Asserts the printed pointer, with at most that many bytes or elements. */
static void assert_shown(const struct kt_hit *hit, int limit, const char *expected)
{
	static struct kt_text text;

	text = (struct kt_text){
		.escapes = KT_ESCAPE_OCTAL, .is_limited = limit >= 0, .limit = limit};
	text.to = open_memstream(&written, &written_size);
	assert_non_null(text.to);
	if (hit->event == &parsed->events[GIVEN])
		kt_field_text_show(&text, hit, 0);
	else
		kt_field_text_copy(&text, hit, 2);
	kt_text_flush(&text);
	fclose(text.to);
	assert_written(expected);
}

static void assert_object(const struct kt_hit *hit, const char *expected)
{
	static struct kt_text text;
	char *at;

	text = (struct kt_text){.to = open_memstream(&written, &written_size)};
	assert_non_null(text.to);
	assert_int_equal(kt_event_json_print(&text, hit), 0);
	kt_text_flush(&text);
	fclose(text.to);
	at = strstr(written, "\"__vec_data\":");
	assert_non_null(at);
	memmove(written, at, strlen(at) + 1);
	written[strcspn(written, "}")] = '\0';
	assert_written(expected);
}

static void buffers_given(void **state)
{
	static const struct element of[] = {
		{0x1000, 3, 3, "abc"}, {0, 0, 0, ""},      {0x2000, 0, 0, ""},
		{0x3000, 9, 2, "d\n"}, {0x4000, 5, 0, ""}, {0x5000, UINT64_MAX, 1, "e"},
	};
	struct kt_hit hit;

	(void)state;
	hit = make_event(GIVEN, 0x10, 6, of, 6);
	assert_shown(&hit, -1,
		     "[{iov_base=\"abc\", iov_len=3}, {iov_base=NULL, iov_len=0}, "
		     "{iov_base=\"\", iov_len=0}, {iov_base=\"d\\n\"..., iov_len=9}, "
		     "{iov_base=0x4000, iov_len=5}, "
		     "{iov_base=\"e\"..., iov_len=18446744073709551615}]");
	assert_shown(&hit, 2, "[{iov_base=\"ab\"..., iov_len=3}, {iov_base=NULL, iov_len=0}, ...]");
	assert_shown(&hit, 0, "[...]");
	assert_object(&hit, "\"__vec_data\":[\"abc\",\"\",\"\",\"d\\n\",null,\"e\"]");
	hit = make_event(GIVEN, 0x10, 9, of, 1);
	assert_shown(&hit, -1, "[{iov_base=\"abc\", iov_len=3}, ...]");
	hit = make_event(GIVEN, 0x10, 0, of, 0);
	assert_shown(&hit, -1, "[]");
	assert_object(&hit, "\"__vec_data\":[]");
	hit = make_event(GIVEN, 0x10, 1, of, 0);
	assert_shown(&hit, -1, "0x10");
	assert_object(&hit, "\"__vec_data\":null");
}

/* Returned buffers have as many bytes as the call returned. */
static void buffers_returned(void **state)
{
	static const struct element of[] = {
		{0x1000, 3, 3, "abc"}, {0x2000, 4, 1, "\xff"}, {0x3000, 9, 0, ""}};
	struct kt_hit hit;

	(void)state;
	hit = make_event(TAKEN, 4, 3, of, 3);
	assert_shown(&hit, -1,
		     "[{iov_base=\"abc\", iov_len=3}, {iov_base=\"\\377\", iov_len=4}, "
		     "{iov_base=\"\", iov_len=9}]");
	assert_object(&hit, "\"__vec_data\":[\"abc\",[255],\"\"]");
	hit = make_event(TAKEN, 5, 3, of, 3);
	assert_shown(&hit, -1,
		     "[{iov_base=\"abc\", iov_len=3}, {iov_base=\"\\377\"..., iov_len=4}, "
		     "{iov_base=\"\", iov_len=9}]");
	hit = make_event(TAKEN, 8, 3, of, 3);
	assert_shown(&hit, -1,
		     "[{iov_base=\"abc\", iov_len=3}, {iov_base=\"\\377\"..., iov_len=4}, "
		     "{iov_base=0x3000, iov_len=9}]");
	hit = make_event(TAKEN, 0, 1, of + 2, 1);
	assert_shown(&hit, -1, "[{iov_base=\"\", iov_len=9}]");
	hit = make_event(TAKEN, -14, 1, of, 0);
	assert_object(&hit, "\"__vec_data\":null");
}

/* Truncated data is printed as far as it goes. */
static void damaged(void **state)
{
	static const struct element of[] = {
		{0x1000, 3, 3, "abc"}, {0x2000, 9, 9, "de"}, {0x3000, 9, 0, NULL}};
	static const struct element huge[] = {{0x1000, UINT64_MAX, UINT32_MAX, "abc"}};
	struct kt_hit hit;

	(void)state;
	hit = make_event(GIVEN, 0x10, 3, of, 3);
	assert_shown(&hit, -1,
		     "[{iov_base=\"abc\", iov_len=3}, {iov_base=\"de\"..., iov_len=9}, "
		     "{iov_base=0x3000, iov_len=9}]");
	hit = make_event(GIVEN, 0x10, 1, huge, 1);
	assert_shown(&hit, -1, "[{iov_base=\"abc\"..., iov_len=18446744073709551615}]");
}

static void similar_metadata(void **state)
{
	const struct kt_member *m;
	size_t i, k;

	(void)state;
	m = parsed->events[GIVEN].fields.members;
	assert_int_equal(m[2].buffers, 3);
	assert_int_equal(m[3].structs, 2);
	assert_true(m[3].is_pointed);
	for (i = LOOKS_SO; i < N_EVENTS; i++) {
		m = parsed->events[i].fields.members;
		for (k = 0; k < parsed->events[i].fields.n_members; k++)
			assert_true(!m[k].buffers && !m[k].structs);
		assert_false(m[k - 1].is_pointed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buffers_given),
		cmocka_unit_test(buffers_returned),
		cmocka_unit_test(damaged),
		cmocka_unit_test(similar_metadata),
	};

	return cmocka_run_group_tests(tests, open_parsed, free_parsed);
}
