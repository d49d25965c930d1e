/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the views make of a trace. */
#ifndef KT_TESTS_VIEW_H
#define KT_TESTS_VIEW_H

#include "tests/ctf/made.h"
#include "trace/read/trace_reader.h"
#include "values/text.h"
#include "view/event_json.h"
#include "view/ftrace_line.h"

static inline void print_all(struct made *m, struct kt_text *lines, FILE *objects)
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

/* What both views make of a trace; the caller frees it. */
static inline void view(struct made *m, char **lines, char **objects)
{
	static struct kt_text text;
	size_t size[2];
	FILE *f = open_memstream(objects, &size[1]);

	text.to = open_memstream(lines, &size[0]);
	print_all(m, &text, f);
	kt_text_flush(&text);
	fclose(text.to);
	fclose(f);
}

static inline void assert_views(struct made *m, const char *lines, const char *objects)
{
	char *l, *o;

	view(m, &l, &o);
	assert_string_equal(l, lines);
	assert_string_equal(o, objects);
	free(l);
	free(o);
}

/* A record's fields: in a line, in an object, and in what babeltrace2 prints. */
struct shown {
	const char *line, *object, *babeltrace;
};

/* Behind what is there. Of single quotes it makes double ones. */
static inline void expect(char *text, const char *begin, const char *event, const char *end,
			  const char *fields)
{
	char *c = text + strlen(text);

	sprintf(c, "%s%s%s%s\n", begin, event, end, fields);
	for (; *c; c++)
		if (*c == '\'')
			*c = '"';
}

/* All the records that there are, each at 1000. */
static inline void assert_shown(struct made *m, const char *event, const struct shown *fields,
				size_t n)
{
	char lines[4096] = "", objects[4096] = "", babeltrace[4096] = "";
	size_t i;

	for (i = 0; i < n; i++) {
		expect(lines, "           <...>-100     [003]     0.000001000: ", event, ": ",
		       fields[i].line);
		expect(objects, "{'time':1000,'cpu':3,'tid':100,'system':'test','event':'", event,
		       "','fields':", fields[i].object);
		expect(babeltrace, "[00000000000000001000] here test:", event,
		       ": { cpu_id = 3 }, { tid = 100 }, ", fields[i].babeltrace);
	}
	assert_views(m, lines, objects);
	assert_babeltrace(&m->dir, "--clock-cycles", babeltrace);
}

#endif
