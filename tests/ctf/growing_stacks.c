// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks of a growing trace, whose names come after them. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>

#include <cmocka.h>

#include "tests/ctf/stacks.h"
#include "trace/read/trace_reader.h"
#include "values/text.h"
#include "view/stack_text.h"

#define BINARY(n, more) "{\"binary\":" #n more "}\n"

#define FUNCTION(n, first, last, name) \
	BINARY(n, ",\"first\":" #first ",\"last\":" #last ",\"function\":\"" name "\"")

struct growing {
	struct made *m;
	struct kt_trace_reader *reader;
	int lock;
};

/* Opens a trace with these stacks, and a hit with one of each kind at every time up to 20. */
static struct growing start_growing(struct made *m, const char *stacks)
{
	struct growing g = {.m = m, .lock = open(m->dir.path, O_RDONLY | O_DIRECTORY)};
	uint64_t time, fields[3];

	assert_int_equal(flock(g.lock, LOCK_EX), 0);
	m->events[NUMBER]->stacks =
		KT_CALLSTACK_BIT(KT_CALLSTACK_KERNEL) | KT_CALLSTACK_BIT(KT_CALLSTACK_USER);
	rewrite_metadata(m);
	go_to_cpu(m, 0);
	begin(m, 10, 0);
	for (time = 10; time <= 20; time++) {
		fields[0] = 7;
		fields[1] = 8;
		fields[2] = time;
		record(m, NUMBER, time, fields, sizeof(fields));
	}
	assert_int_equal(end(m, 20), 0);
	write_stacks(m, stacks);
	g.reader = kt_trace_reader_open(m->dir.path, &m->err);
	assert_non_null(g.reader);
	return g;
}

static void end_growing(struct growing *g)
{
	kt_trace_reader_free(g->reader);
	close(g->lock);
}

/* Appends lines to the file of names. */
static void append_names(struct growing *g, const char *text)
{
	FILE *f = fdopen(openat(g->m->dir.fd, BINARIES_NAME, O_WRONLY | O_CREAT | O_APPEND, 0666),
			 "a");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* Asserts the stacks of the hit at that time. */
static void assert_printed(struct growing *g, uint64_t time, const char *expected)
{
	static struct kt_text text;
	char *printed = NULL;
	struct kt_hit hit;
	size_t size;

	kt_trace_reader_resume(g->reader, time);
	assert_int_equal(kt_trace_reader_next(g->reader, &hit, &g->m->err), 1);
	assert_int_equal(hit.time, time);
	text.to = open_memstream(&printed, &size);
	kt_stack_text_lines(&text, &hit);
	kt_text_flush(&text);
	fclose(text.to);
	assert_string_equal(printed, expected);
	free(printed);
}

static const char stacks[] = HEAD BINARY(1, ",\"build_id\":\"00ff\"")
	BINARY(2, ",\"build_id\":\"01\"") "{\"stack\":7,\"frames\":[4100,8200]}\n"
					  "{\"stack\":8,\"frames\":[[1,16],[2,64],[1,33]]}\n";

static void names_as_they_come(void **state)
{
	struct growing g = start_growing(*state, stacks);

	assert_printed(&g, 10,
		       " => 0x1004\n => 0x2008\n"
		       " => build_id:00ff+0x10\n => build_id:01+0x40\n => build_id:00ff+0x21\n");
	append_names(&g, HEAD);
	assert_printed(&g, 11,
		       " => 0x1004\n => 0x2008\n"
		       " => build_id:00ff+0x10\n => build_id:01+0x40\n => build_id:00ff+0x21\n");
	append_names(&g,
		     BINARY(1, "") BINARY(2, ",\"path\":\"/b\"") FUNCTION(0, 8192, 8447, "high"));
	assert_printed(&g, 12,
		       " => 0x1004\n => high+0x8\n"
		       " => build_id:00ff+0x10\n => /b+0x40\n => build_id:00ff+0x21\n");
	append_names(&g, FUNCTION(0, 4096, 4351, "low") BINARY(1, ",\"path\":\"/a\"")
				 FUNCTION(1, 32, 39, "second") FUNCTION(1, 16, 23, "first"));
	assert_printed(&g, 13,
		       " => low+0x4\n => high+0x8\n"
		       " => first (/a)\n => /b+0x40\n => second+0x1 (/a)\n");
	/* once more, and what cannot be, as the file changed meanwhile */
	append_names(&g, FUNCTION(1, 16, 23, "first") FUNCTION(1, 20, 33, "between"));
	assert_printed(&g, 14,
		       " => low+0x4\n => high+0x8\n"
		       " => first (/a)\n => /b+0x40\n => second+0x1 (/a)\n");
	end_growing(&g);
}

/* What is wrong is reported once; hits are read on. */
static void wrong_names(void **state)
{
	struct growing g = start_growing(*state, stacks);
	struct kt_hit hit;

	kt_trace_reader_resume(g.reader, 10);
	append_names(&g, HEAD FUNCTION(0, 2, 1, "f"));
	assert_int_equal(kt_trace_reader_next(g.reader, &hit, &g.m->err), -EPROTO);
	assert_string_equal(g.m->err.text,
			    "ktrace/binaries.jsonl, line 2: a function that is none");
	assert_int_equal(kt_trace_reader_next(g.reader, &hit, &g.m->err), 1);
	append_names(&g, FUNCTION(0, 4096, 4351, "low"));
	assert_printed(&g, 11,
		       " => low+0x4\n => 0x2008\n"
		       " => build_id:00ff+0x10\n => build_id:01+0x40\n => build_id:00ff+0x21\n");
	end_growing(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_as_they_come, set_up, tear_down),
		cmocka_unit_test_setup_teardown(wrong_names, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("growing_stacks", tests, NULL, NULL);
}
