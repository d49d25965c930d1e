/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the views make of a trace. */
#ifndef KT_TESTS_VIEW_H
#define KT_TESTS_VIEW_H

#include "tests/ctf/made.h"
#include "trace/reader.h"
#include "view/line.h"
#include "view/object.h"
#include "view/text.h"

static inline void print_all(struct made *m, struct kt_text *lines, FILE *objects)
{
	struct kt_reader *r = kt_reader_open(m->dir.path, &m->err);
	struct kt_hit hit;

	assert_non_null(r);
	while (kt_reader_next(r, &hit, &m->err) == 1) {
		kt_line_print(lines, &hit);
		assert_int_equal(kt_object_print(objects, &hit), 0);
	}
	kt_reader_free(r);
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

#endif
