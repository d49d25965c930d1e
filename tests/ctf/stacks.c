// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks in a trace, as read and printed. */
#include <errno.h>
#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "constants/symbols.h"
#include "tests/ctf/stacks.h"
#include "trace/read/trace_reader.h"
#include "values/text.h"
#include "view/event_json.h"
#include "view/folded_stacks.h"
#include "view/ftrace_line.h"
#include "view/groups/groups_json.h"
#include "view/groups/groups_text.h"
#include "view/groups/hit_groups.h"
#include "view/stack_text.h"

#define STACK(id, frames) "{\"stack\":" id ",\"frames\":[" frames "]}\n"

/*
 * A program at 0x3000, which has no symbol; what calls it, from 0x1000 on; functions f and g: f
 * ends with a call, so that it returns to the padding before g. An interrupt came at the begin of
 * g.
 */
static struct kt_trace_reader *open_trace(struct made *m, const char *stacks)
{
	static const uint64_t ids[] = {7, 0, 1, UINT64_MAX, 7, 9};
	struct kt_symbols symbols = {};
	struct kt_trace_reader *r;
	size_t i;

	assert_int_equal(kt_symbols_add(&symbols, 0x1000, 0x10ff, "bpf_trace_run2"), 0);
	assert_int_equal(kt_symbols_add(&symbols, 0x1100, 0x11ff, "f [m;d]"), 0);
	assert_int_equal(kt_symbols_add(&symbols, 0x1200, 0x120f, "__pfx_g"), 0);
	assert_int_equal(kt_symbols_add(&symbols, 0x1210, 0x12ff, "g"), 0);
	m->metadata.symbols = &symbols;
	put_stacks(m, NUMBER, KT_CALLSTACK_KERNEL);
	rewrite_metadata(m);
	kt_symbols_clear(&symbols);
	go_to_cpu(m, 0);
	begin(m, 10, 0);
	for (i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		number_with_stack(m, NUMBER, 10 + i, ids[i], i);
	record(m, NOTHING, 20, "", 0);
	assert_int_equal(end(m, 20), 0);
	if (stacks)
		write_stacks(m, stacks);
	r = kt_trace_reader_open(m->dir.path, &m->err);
	assert_non_null(r);
	return r;
}

static const char some_stacks[] =
	HEAD STACK("7", "12288,4128,4608,4660") STACK("18446744073709551615", "4624,4624");

/* Asserts what is printed for each hit. */
static void assert_lines(struct made *m, bool json, const char *expected)
{
	static struct kt_text text;
	struct kt_trace_reader *r = open_trace(m, some_stacks);
	char *printed = NULL;
	struct kt_hit hit;
	size_t size;
	int ret;

	text.to = open_memstream(&printed, &size);
	while ((ret = kt_trace_reader_next(r, &hit, &m->err)) > 0)
		if (json)
			kt_event_json_print(&text, &hit);
		else
			kt_ftrace_line_end(&text, &hit), kt_stack_text_lines(&text, &hit);
	assert_int_equal(ret, 0);
	kt_text_flush(&text);
	fclose(text.to);
	assert_string_equal(printed, expected);
	free(printed);
	kt_trace_reader_free(r);
}

static void lines(void **state)
{
	assert_lines(*state, false,
		     "number: n=0\n => f+0x100 [m;d]\n => g+0x24\n"
		     "number: n=1\n"
		     "number: n=2\n => <lost>\n"
		     "number: n=3\n => g\n => g\n"
		     "number: n=4\n => f+0x100 [m;d]\n => g+0x24\n"
		     "number: n=5\n => <lost>\n"
		     "nothing:\n");
}

#define OBJECT(n, event, fields, more)                                                        \
	"{\"time\":" #n ",\"cpu\":0,\"tid\":100,\"system\":\"test\",\"event\":\"" event "\"," \
	"\"fields\":{" fields "}" more "}\n"
#define NUMBERED(n, value, more) OBJECT(n, "number", "\"n\":" #value, ",\"kernel_stack\":" more)

static void objects(void **state)
{
	assert_lines(*state, true,
		     NUMBERED(10, 0, "[\"f+0x100 [m;d]\",\"g+0x24\"]") NUMBERED(11, 1, "[]")
			     NUMBERED(12, 2, "null") NUMBERED(13, 3, "[\"g\",\"g\"]")
				     NUMBERED(14, 4, "[\"f+0x100 [m;d]\",\"g+0x24\"]")
					     NUMBERED(15, 5, "null") OBJECT(20, "nothing", "", ""));
}

/* Asserts what is printed for all hits; frees the reader. */
static void assert_folded(struct made *m, struct kt_trace_reader *r, const char *expected)
{
	static struct kt_text text;
	struct kt_folded_stacks *f = kt_folded_stacks_new();
	char *printed = NULL;
	struct kt_hit hit;
	size_t size;

	assert_non_null(f);
	assert_false(kt_folded_stacks_has_any(f));
	while (kt_trace_reader_next(r, &hit, &m->err) > 0)
		assert_int_equal(kt_folded_stacks_add(f, &hit), 0);
	assert_true(kt_folded_stacks_has_any(f));
	text.to = open_memstream(&printed, &size);
	kt_folded_stacks_print(f, &text);
	kt_text_flush(&text);
	fclose(text.to);
	assert_string_equal(printed, expected);
	free(printed);
	kt_folded_stacks_free(f);
	kt_trace_reader_free(r);
}

static void folded(void **state)
{
	assert_folded(*state, open_trace(*state, some_stacks),
		      "<...> 1\n<...>;<lost> 2\n<...>;g;f [m_d] 2\n<...>;g;g 1\n");
}

/* Hits in user space, with stacks 7 and 8. */
static struct kt_trace_reader *open_user_trace(struct made *m, const char *stacks,
					       const char *binaries)
{
	struct kt_trace_reader *r;
	uint64_t i;

	put_stacks(m, NUMBER, KT_CALLSTACK_USER);
	rewrite_metadata(m);
	go_to_cpu(m, 0);
	begin(m, 10, 0);
	for (i = 0; i < 4; i++)
		number_with_stack(m, NUMBER, 10 + i, i < 2 ? i : 5 + i, i);
	assert_int_equal(end(m, 20), 0);
	write_stacks(m, stacks);
	if (binaries)
		write_beside(m, BINARIES_NAME, binaries);
	r = kt_trace_reader_open(m->dir.path, &m->err);
	assert_non_null(r);
	return r;
}

#define BUILD_ID        "0123456789abcdef0123456789abcdef01234567"
#define BINARY(n, more) "{\"binary\":" #n more "}\n"

#define FUNCTION(n, first, last, name) \
	BINARY(n, ",\"first\":" first ",\"last\":" last ",\"function\":" name)

/* In a program whose path is unknown, in two that have paths, and where no file is. */
static const char user_stacks[] = HEAD BINARY(1, ",\"build_id\":\"" BUILD_ID "\"")
	BINARY(2, ",\"build_id\":\"\"") STACK("7", "[1,4096],[2,4112],[2,8192],4660,22136") BINARY(
		3, ",\"path\":\"/opt/b c\"") "{\"stack\":8,\"cut\":true,\"frames\":[[3,16],[3,17],"
					     "[3,33],305419896]}\n",
		  user_binaries[] = HEAD BINARY(1, "") BINARY(2, ",\"path\":\"/bin/a;b\"")
			  FUNCTION(2, "4096", "4111", "\"main\"") FUNCTION(3, "16", "16", "\"f\"")
				  FUNCTION(3, "17", "32", "\"g;h\"");

/* Prints all hits, in one of three forms. */
static char *print_hits(struct made *m, struct kt_trace_reader *r,
			void print(struct kt_text *to, const struct kt_hit *hit))
{
	static struct kt_text text;
	char *printed = NULL;
	struct kt_hit hit;
	size_t size;
	int ret;

	text.to = open_memstream(&printed, &size);
	while ((ret = kt_trace_reader_next(r, &hit, &m->err)) > 0)
		print(&text, &hit);
	assert_int_equal(ret, 0);
	kt_text_flush(&text);
	fclose(text.to);
	return printed;
}

static void user_lines(void **state)
{
	struct made *m = *state;
	struct kt_trace_reader *r = open_user_trace(m, user_stacks, user_binaries);
	char *printed = print_hits(m, r, kt_stack_text_lines);

	assert_string_equal(printed, " => <lost>\n"
				     " => build_id:" BUILD_ID "+0x1000\n"
				     " => main+0x10 (/bin/a;b)\n"
				     " => /bin/a;b+0x2000\n"
				     " => 0x1234\n => 0x5678\n"
				     " => f (/opt/b c)\n"
				     " => f+0x1 (/opt/b c)\n"
				     " => g;h+0x10 (/opt/b c)\n"
				     " => 0x12345678\n => ...\n");
	free(printed);
	kt_trace_reader_free(r);
}

static void strace_lines(void **state)
{
	struct made *m = *state;
	struct kt_trace_reader *r = open_user_trace(m, user_stacks, user_binaries);
	char *printed = print_hits(m, r, kt_stack_text_strace_lines);

	assert_string_equal(printed, " > <lost>\n"
				     " > build_id:" BUILD_ID "() [0x1000]\n"
				     " > /bin/a;b(main+0x10) [0x1010]\n"
				     " > /bin/a;b() [0x2000]\n"
				     " > [unknown] [0x1234]\n > [unknown] [0x5678]\n"
				     " > /opt/b c(f+0x0) [0x10]\n"
				     " > /opt/b c(f+0x1) [0x11]\n"
				     " > /opt/b c(g;h+0x10) [0x21]\n"
				     " > [unknown] [0x12345678]\n > ...\n");
	free(printed);
	kt_trace_reader_free(r);
}

static void user_objects(void **state)
{
	struct made *m = *state;
	struct kt_trace_reader *r = open_user_trace(m, user_stacks, user_binaries);
	char *printed = print_hits(m, r, kt_stack_text_json);

	assert_string_equal(
		printed,
		",\"user_stack\":[],\"user_stack\":null"
		",\"user_stack\":[\"build_id:" BUILD_ID "+0x1000\",\"main+0x10 (/bin/a;b)\","
		"\"/bin/a;b+0x2000\",\"0x1234\",\"0x5678\"]"
		",\"user_stack\":[\"f (/opt/b c)\",\"f+0x1 (/opt/b c)\",\"g;h+0x10 (/opt/b c)\","
		"\"0x12345678\",\"...\"]");
	free(printed);
	kt_trace_reader_free(r);
}

/* Frames at the outer end of which nothing is known are left out. */
static void user_folded(void **state)
{
	assert_folded(*state, open_user_trace(*state, user_stacks, user_binaries),
		      "<...> 1\n<...>;...;g_h;f;f 1\n<...>;<lost> 1\n"
		      "<...>;[a_b];main;[build_id:" BUILD_ID "] 1\n");
}

/* Returns the groups of all hits by these fields, as a table or JSON. */
static char *print_groups(struct made *m, struct kt_trace_reader *r, const char *const *by,
			  size_t n_by, bool json)
{
	const struct kt_grouping grouping = {.by = by, .n_by = n_by};
	struct kt_hit_groups *g = kt_hit_groups_new(kt_trace_reader_metadata(r), &grouping);
	struct json_object *o = json_object_new_object();
	static struct kt_text text;
	char *printed = NULL;
	struct kt_hit hit;
	size_t size;
	int ret;

	assert_non_null(g);
	while ((ret = kt_trace_reader_next(r, &hit, &m->err)) > 0)
		assert_int_equal(kt_hit_groups_add(g, NULL, &hit, NULL), 0);
	assert_int_equal(ret, 0);
	assert_int_equal(kt_hit_groups_sort(g), 0);
	text.to = open_memstream(&printed, &size);
	if (json && kt_groups_json_add(o, g))
		kt_text_string(&text, json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN));
	else
		kt_groups_text_print(&text, g, g->n);
	kt_text_flush(&text);
	fclose(text.to);
	json_object_put(o);
	kt_hit_groups_free(g);
	kt_trace_reader_free(r);
	return printed;
}

static void grouped(void **state)
{
	static const char *const by[] = {"user_stack", "event", "stack"};
	struct made *m = *state;
	char *printed;

	printed = print_groups(m, open_user_trace(m, user_stacks, user_binaries), by, 2, false);
	assert_string_equal(printed, "       count  user_stack"
				     "                                           event\n"
				     "           1  -         "
				     "                                           number\n"
				     "           1  <lost>    "
				     "                                           number\n"
				     "           1  [build_id:" BUILD_ID "]  number\n"
				     "              main\n"
				     "              [a_b]\n"
				     "           1  f         "
				     "                                           number\n"
				     "              f\n"
				     "              g_h\n"
				     "              ...\n");
	free(printed);
}

static void grouped_objects(void **state)
{
	static const char *const by[] = {"event", "stack"};
	struct made *m = *state;
	char *printed =
		print_groups(m, open_user_trace(m, user_stacks, user_binaries), by, 2, true);

#define GROUP(stack) "{\"by\":{\"event\":\"number\",\"stack\":" stack "},\"count\":1,\"errors\":0}"
	assert_string_equal(
		printed,
		"{\"groups\":[" GROUP("null") "," GROUP("[\"<lost>\"]") "," GROUP(
			"[\"[build_id:" BUILD_ID
			"]\",\"main\",\"[a_b]\"]") "," GROUP("[\"f\",\"f\",\"g_h\",\"...\"]") "]}");
	free(printed);
}

/* Of the kernel's stacks, frames of tracing are left out; equal functions are one group. */
static void grouped_in_kernel(void **state)
{
	static const char *const by[] = {"kernel_stack"};
	struct made *m = *state;
	char *printed = print_groups(m, open_trace(m, some_stacks), by, 1, false);

	assert_string_equal(printed, "       count  kernel_stack\n"
				     "           2  -\n"
				     "           2  <lost>\n"
				     "           2  f [m_d]\n"
				     "              g\n"
				     "           1  g\n"
				     "              g\n");
	free(printed);
}

/* A recording that was killed has no names, and no file for them. */
static void without_names(void **state)
{
	struct made *m = *state;
	struct kt_trace_reader *r = open_user_trace(m, user_stacks, NULL);
	char *printed = print_hits(m, r, kt_stack_text_lines);

	assert_non_null(strstr(printed, "\n => /opt/b c+0x10\n => /opt/b c+0x11\n"));
	free(printed);
	kt_trace_reader_free(r);
}

/* The longest path that the kernel has, of characters that JSON writes as six. */
static void long_path(void **state)
{
	enum { N = 4095 };
	static char text[256 + 6 * N] = HEAD "{\"binary\":1,\"path\":\"";
	struct made *m = *state;
	struct kt_trace_reader *r;
	struct kt_hit hit;
	size_t i;
	int ret;

	for (i = 0; i < N; i++)
		strcat(text, "\\u0001");
	strcat(text, "\"}\n");
	r = open_user_trace(m, user_stacks, text);
	while ((ret = kt_trace_reader_next(r, &hit, &m->err)) > 0)
		;
	assert_int_equal(ret, 0);
	kt_trace_reader_free(r);
}

/* After the error all hits are read, without further stacks. */
static void assert_refused(struct made *m, struct kt_trace_reader *r, const char *why, int expected)
{
	struct kt_hit hit;
	int ret, n = 0, errors = 0;

	while ((ret = kt_trace_reader_next(r, &hit, &m->err)) != 0) {
		if (ret < 0) {
			assert_string_equal(m->err.text, why);
			errors++;
		} else {
			n += hit.event != NULL;
		}
	}
	assert_int_equal(errors, 1);
	assert_int_equal(n, expected);
	kt_trace_reader_free(r);
}

#define LINE(n) "ktrace/stacks.jsonl, line " #n ": "

static void wrong(void **state)
{
	static const struct {
		const char *stacks, *why;
	} files[] = {
		{NULL, "ktrace/stacks.jsonl: No such file or directory"},
		{"{\"trace\":\"\"}\n", LINE(1) "belongs to another trace"},
		{HEAD STACK("1", "1"), LINE(2) "no stack's id"},
		{HEAD STACK("\"7\"", "1"), LINE(2) "no stack's id"},
		{HEAD "{\"stack\":7}\n", LINE(2) "no frames"},
		{HEAD "{\"stack\":7,\"frames\":8}\n", LINE(2) "no frames"},
		{HEAD STACK("7", ""), LINE(2) "a stack of no frames, or of too many"},
		{HEAD STACK("7", "1,\"2\""), LINE(2) "a frame that is no address, nor in a binary"},
		{HEAD STACK("8", "1") STACK("8", "2"), LINE(3) "a stack twice"},
		{HEAD "{\"stack\":7,", LINE(2) "cut off, or too long"},
	};
	struct made *m;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		assert_int_equal(set_up((void **)&m), 0);
		assert_refused(m, open_trace(m, files[i].stacks), files[i].why, 7);
		tear_down((void **)&m);
	}
}

#undef LINE
#define LINE(n)     "ktrace/binaries.jsonl, line " #n ": "
#define NO_FUNCTION "a function that is none"

static void wrong_binaries(void **state)
{
	static const struct {
		const char *binaries, *why;
	} files[] = {
		{"{\"trace\":\"\"}\n", LINE(1) "belongs to another trace"},
		{HEAD BINARY(0, ""), LINE(2) "no binary's number"},
		{HEAD BINARY(2, ""), LINE(2) "no binary's number"},
		{HEAD "{\"path\":\"/a\"}\n", LINE(2) "no binary's number"},
		{HEAD FUNCTION(1, "\"7\"", "8", "\"f\""), LINE(2) NO_FUNCTION},
		{HEAD FUNCTION(1, "7", "-8", "\"f\""), LINE(2) NO_FUNCTION},
		{HEAD FUNCTION(1, "7", "6", "\"f\""), LINE(2) NO_FUNCTION},
		{HEAD FUNCTION(0, "8", "7", "\"f\""), LINE(2) NO_FUNCTION},
		{HEAD BINARY(1, ",\"first\":7,\"function\":\"f\""), LINE(2) NO_FUNCTION},
	};
	struct made *m;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		assert_int_equal(set_up((void **)&m), 0);
		assert_refused(m, open_user_trace(m, user_stacks, files[i].binaries), files[i].why,
			       4);
		tear_down((void **)&m);
	}
}

#undef LINE
#define LINE(n)  "ktrace/stacks.jsonl, line " #n ": "
#define NO_FRAME LINE(2) "a frame that is no address, nor in a binary"

static void wrong_user_frames(void **state)
{
	static const struct {
		const char *stacks, *why;
	} files[] = {
		{HEAD STACK("7", "[1,2]"), NO_FRAME},
		{HEAD STACK("7", "[]"), NO_FRAME},
		{HEAD STACK("7", "[\"1\",2]"), NO_FRAME},
		{HEAD BINARY(2, ""), LINE(2) "no binary's number"},
		{HEAD BINARY(1, "") STACK("7", "[1]"),
		 LINE(3) "a frame that is no address, nor in a binary"},
	};
	struct made *m;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		assert_int_equal(set_up((void **)&m), 0);
		assert_refused(m, open_user_trace(m, files[i].stacks, HEAD), files[i].why, 4);
		tear_down((void **)&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(objects, set_up, tear_down),
		cmocka_unit_test_setup_teardown(folded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(user_lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(strace_lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(user_objects, set_up, tear_down),
		cmocka_unit_test_setup_teardown(user_folded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(grouped, set_up, tear_down),
		cmocka_unit_test_setup_teardown(grouped_objects, set_up, tear_down),
		cmocka_unit_test_setup_teardown(grouped_in_kernel, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(long_path, set_up, tear_down),
		cmocka_unit_test(wrong),
		cmocka_unit_test(wrong_binaries),
		cmocka_unit_test(wrong_user_frames),
	};

	return cmocka_run_group_tests_name("stacks", tests, NULL, NULL);
}
