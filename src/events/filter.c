// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctypes/recipe_expr.h"

void kt_filter_free(struct kt_filter *f)
{
	if (!f)
		return;
	kt_filter_free(f->of[0]);
	kt_filter_free(f->of[1]);
	free(f->text);
	free(f->glob);
	kt_expr_free(f->expr);
	free(f->written);
	free(f);
}

struct kt_filter *kt_filter_new(enum kt_filter_op op, struct kt_filter *a, struct kt_filter *b)
{
	bool whole = a && (b || (op != KT_FILTER_AND && op != KT_FILTER_OR));
	struct kt_filter *f = whole ? malloc(sizeof(*f)) : NULL;

	if (f) {
		*f = (struct kt_filter){.op = op, .of = {a, b}};
	} else {
		kt_filter_free(a);
		kt_filter_free(b);
	}
	return f;
}

bool kt_filter_uses_marks(const struct kt_filter *f)
{
	return kt_filter_has(f, KT_FILTER_MARK_SET) || kt_filter_has(f, KT_FILTER_MARK_TEST);
}

struct kt_filter *kt_filter_either(struct kt_filter *a, struct kt_filter *b)
{
	struct kt_filter *f = kt_filter_uses_marks(b) ? kt_filter_new(KT_FILTER_OR, b, a)
						      : kt_filter_new(KT_FILTER_OR, a, b);

	if (f && asprintf(&f->written, "(%s) || (%s)", a->written, b->written) < 0) {
		f->written = NULL;
		kt_filter_free(f);
		return NULL;
	}
	return f;
}

struct kt_filter *kt_filter_mark_entry(struct kt_filter *f)
{
	struct kt_filter *whole = kt_filter_new(KT_FILTER_MARK_SET, f, NULL);

	if (whole) {
		whole->written = f->written;
		f->written = NULL;
	}
	return whole;
}

struct kt_filter *kt_filter_mark_return(const char *written)
{
	struct kt_filter *f = malloc(sizeof(*f));

	if (!f)
		return NULL;
	*f = (struct kt_filter){.op = KT_FILTER_MARK_TEST, .written = strdup(written)};
	if (f->written)
		return f;
	free(f);
	return NULL;
}

bool kt_filter_has(const struct kt_filter *f, enum kt_filter_op op)
{
	return f && (f->op == op || kt_filter_has(f->of[0], op) || kt_filter_has(f->of[1], op));
}

bool kt_filter_tests_fields(const struct kt_filter *f)
{
	if (!f)
		return false;
	return (f->op >= KT_FILTER_EQUAL && f->source == KT_FILTER_FIELD) ||
	       kt_filter_tests_fields(f->of[0]) || kt_filter_tests_fields(f->of[1]);
}

static bool is_behind(const struct kt_filter *test, size_t n)
{
	if (test->expr)
		return test->expr->path.arg == KT_MEMBER_PATH_NOWHERE;
	return test->source == KT_FILTER_FIELD && test->field >= n;
}

bool kt_filter_tests_behind(const struct kt_filter *f, size_t n)
{
	if (!f)
		return false;
	return is_behind(f, n) || kt_filter_tests_behind(f->of[0], n) ||
	       kt_filter_tests_behind(f->of[1], n);
}

size_t kt_filter_globs(const struct kt_filter *f, const struct kt_glob **globs)
{
	size_t n = 0;
	int i;

	if (!f)
		return 0;
	if (f->glob && globs)
		*globs = f->glob;
	for (i = 0; i < 2 && f->of[i]; i++)
		n += kt_filter_globs(f->of[i], globs ? globs + n : NULL);
	return n + (f->glob ? 1 : 0);
}
