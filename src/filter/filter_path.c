// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/filter_path.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/scan.h"
#include "ctypes/recipe_expr.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/filter.h"
#include "events/point.h"
#include "fetch/point_fields.h"

static bool is_step(const char *at)
{
	return strncmp(at, "->", 2) == 0 || *at == '.' || *at == '[';
}

bool kt_filter_path_is_next(const struct kt_scan *scan)
{
	struct kt_scan s = *scan;
	struct kt_word first;

	if (kt_scan_next(&s, "*"))
		return true;
	first = kt_scan_word(&s);
	return first.len && !isdigit((unsigned char)*first.start) && is_step(s.at);
}

/* Checks the syntax alone, as kt_member_path_find() does. */
static int skip(struct kt_scan *s)
{
	bool is_element;

	kt_scan_next(s, "*");
	if (!kt_scan_word(s).len)
		return kt_scan_fail_here(s, "a name is missing here");
	while (is_step(s->at)) {
		is_element = *s->at == '[';
		s->at += *s->at == '-' ? 2 : 1;
		if (!kt_scan_word(s).len)
			return kt_scan_fail_here(s, is_element ? "a number is missing here"
							       : "a name is missing here");
		if (is_element && !kt_scan_next(s, "]"))
			return kt_scan_fail_here(s, "expected ']' here");
	}
	return 0;
}

/* Returns why filters cannot test the value; NULL: they can. */
static const char *get_why_not(const struct kt_member_path *path)
{
	if (path->arg >= KT_MEMBER_PATH_GLOBALS)
		return "filters follow arguments only";
	if (path->is_array && !path->is_text)
		return "an array; filters test numbers and text";
	return NULL;
}

/* At the return the kernel may have changed the arguments, and only some programs have them. */
static int check_start(const struct kt_event *e, struct kt_scan s)
{
	struct kt_word first;

	kt_scan_next(&s, "*");
	first = kt_scan_word(&s);
	if (!e->point->is_return || kt_word_is(first, "ret"))
		return 0;
	return kt_scan_fail(&s, EOPNOTSUPP, first, "at the return only 'ret' can be followed");
}

static int find(struct kt_expr *expr, const struct kt_event *e, struct kt_scan *s)
{
	const char *start = s->at, *why_not;

	if (check_start(e, *s) < 0 || kt_member_path_find(&expr->path, &e->curated->target, s) < 0)
		return -s->err->code;
	why_not = get_why_not(&expr->path);
	if (why_not)
		return kt_scan_fail(s, EOPNOTSUPP, kt_scan_since(s, start), "%s", why_not);
	expr->op = expr->path.is_guarded && !expr->path.is_text ? KT_EXPR_PROBE : KT_EXPR_PATH;
	expr->held = 1;
	if (e->point->by_registers)
		kt_point_path_use_registers(e, &expr->path);
	return 0;
}

int kt_filter_path_parse(struct kt_expr **expr, const struct kt_event *event, bool checks_syntax,
			 struct kt_scan *s)
{
	const char *start = s->at;
	int ret;

	*expr = NULL;
	if (checks_syntax || !event) {
		ret = skip(s);
		return ret < 0 || checks_syntax
			       ? ret
			       : kt_scan_fail(s, EOPNOTSUPP, kt_scan_since(s, start),
					      "only arguments of functions of the kernel can be "
					      "followed, if it tells their types");
	}
	*expr = calloc(1, sizeof(**expr));
	return *expr ? find(*expr, event, s) : kt_fail(s->err, ENOMEM, "%s", strerror(ENOMEM));
}

unsigned int kt_filter_path_bits(const struct kt_expr *expr)
{
	return expr->path.bits ? expr->path.bits : 8 * expr->path.size;
}

size_t kt_filter_path_text_max(const struct kt_expr *expr)
{
	return expr->path.is_array ? expr->path.size : KT_FILTER_TEXT_MAX;
}
