// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks in a trace, as read and printed. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "constants/symbols.h"
#include "tests/ctf/stacks.h"
#include "trace/read/trace_reader.h"
#include "values/text.h"
#include "view/event_json.h"
#include "view/folded_stacks.h"
#include "view/ftrace_line.h"
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
	put_stacks(m, NUMBER);
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

static void folded(void **state)
{
	static struct kt_text text;
	struct made *m = *state;
	struct kt_trace_reader *r = open_trace(m, some_stacks);
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
	assert_string_equal(printed, "<...> 1\n<...>;<lost> 2\n<...>;g;f [m_d] 2\n<...>;g;g 1\n");
	free(printed);
	kt_folded_stacks_free(f);
	kt_trace_reader_free(r);
}

/* After the error all hits are read, without further stacks. */
static void assert_refused(struct made *m, const char *stacks, const char *why)
{
	struct kt_trace_reader *r = open_trace(m, stacks);
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
	assert_int_equal(n, 7);
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
		{HEAD STACK("7", "1,\"2\""), LINE(2) "an address that is no number"},
		{HEAD STACK("8", "1") STACK("8", "2"), LINE(3) "a stack twice"},
		{HEAD "{\"stack\":7,", LINE(2) "cut off, or too long"},
	};
	struct made *m;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		assert_int_equal(set_up((void **)&m), 0);
		assert_refused(m, files[i].stacks, files[i].why);
		tear_down((void **)&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(objects, set_up, tear_down),
		cmocka_unit_test_setup_teardown(folded, set_up, tear_down),
		cmocka_unit_test(wrong),
	};

	return cmocka_run_group_tests_name("stacks", tests, NULL, NULL);
}
