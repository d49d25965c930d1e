/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Views of a trace made by a test. */
#ifndef KT_TESTS_VIEW_H
#define KT_TESTS_VIEW_H

#include "tests/ctf/made_trace.h"
#include "trace/read/trace_reader.h"
#include "values/text.h"
#include "view/event_json.h"
#include "view/ftrace_line.h"

static inline void print_all(struct made *m, struct kt_text *lines, struct kt_text *objects)
{
	struct kt_trace_reader *r = kt_trace_reader_open(m->dir.path, &m->err);
	struct kt_hit hit;

	assert_non_null(r);
	while (kt_trace_reader_next(r, &hit, &m->err) == 1) {
		kt_ftrace_line_print(lines, &hit);
		assert_int_equal(kt_event_json_print(objects, &hit), 0);
	}
	kt_trace_reader_free(r);
}

/* Writes both views of a trace, for the caller to free. */
static inline void view_trace(struct made *m, char **lines, char **objects)
{
	static struct kt_text texts[2];
	size_t size[2];

	texts[0].to = open_memstream(lines, &size[0]);
	texts[1].to = open_memstream(objects, &size[1]);
	print_all(m, &texts[0], &texts[1]);
	kt_text_flush(&texts[0]);
	kt_text_flush(&texts[1]);
	fclose(texts[0].to);
	fclose(texts[1].to);
}

static inline void assert_views(struct made *m, const char *lines, const char *objects)
{
	char *l, *o;

	view_trace(m, &l, &o);
	assert_string_equal(l, lines);
	assert_string_equal(o, objects);
	free(l);
	free(o);
}

/* A record's fields: in a line, in an object, and as babeltrace2 prints them. */
struct shown {
	const char *line, *object, *babeltrace;
};

/* Appends to the text, with single quotes as double ones. */
static inline void append_expected(char *text, const char *begin, const char *event,
				   const char *end, const char *fields)
{
	char *c = text + strlen(text);

	sprintf(c, "%s%s%s%s\n", begin, event, end, fields);
	for (; *c; c++)
		if (*c == '\'')
			*c = '"';
}

/* Asserts all records of an event, each at 1000. */
static inline void assert_shown(struct made *m, const char *event, const struct shown *fields,
				size_t n)
{
	char lines[4096] = "", objects[4096] = "", babeltrace[4096] = "";
	size_t i;

	for (i = 0; i < n; i++) {
		append_expected(lines, "           <...>-100     [003]     0.000001000: ", event,
				": ", fields[i].line);
		append_expected(objects, "{'time':1000,'cpu':3,'tid':100,'system':'test','event':'",
				event, "','fields':", fields[i].object);
		append_expected(babeltrace, "[00000000000000001000] here test:", event,
				": { cpu_id = 3 }, { tid = 100 }, ", fields[i].babeltrace);
	}
	assert_views(m, lines, objects);
	assert_babeltrace(&m->dir, "--clock-cycles", babeltrace);
}

#endif
