// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/point_fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "ctypes/btf.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/filter.h"
#include "events/point.h"
#include "fetch/function_fields.h"
#include "fetch/usdt_fields.h"

/* Places of registers in the program's context, in words of 8 bytes. */
#if defined(__x86_64__)
static const unsigned int arguments[KT_POINT_REGISTERS] = {14, 13, 12,
							   11, 9,  8}; /* di, si, dx, cx, r8, r9 */
static const unsigned int result = 10;                                 /* ax */
#elif defined(__aarch64__)
static const unsigned int arguments[KT_POINT_REGISTERS] = {0, 1, 2, 3, 4, 5};
static const unsigned int result = 0;
#endif

struct kt_event *kt_point_event(const struct kt_event_name *name, const struct kt_point *point,
				struct kt_btf *btf, struct kt_error *err)
{
	struct kt_event *event;

	if (point->function)
		return kt_function_event(name, point, btf, err);
	event = kt_event_of_point(name, point);
	if (!event)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return event;
}

static int add_field(struct kt_event *e, const char *name, enum kt_notation notation,
		     unsigned int place)
{
	const struct kt_field field = {
		.name = name,
		.type = "long",
		.size = sizeof(uint64_t),
		.width = sizeof(uint64_t),
		.flags = KT_FIELD_SIGNED,
		.notation = notation,
	};
	struct kt_expr *expr = calloc(1, sizeof(*expr));

	if (!expr)
		return -ENOMEM;
	expr->op = KT_EXPR_PATH;
	expr->held = 1;
	expr->path = (struct kt_member_path){.arg = place, .size = field.size, .is_signed = true};
	e->curated->exprs[e->curated->n++] = expr;
	return kt_event_add_field(e, &field);
}

static int add_arguments(struct kt_event *e)
{
	char name[] = "arg0";
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < KT_POINT_REGISTERS; i++) {
		name[3] = '0' + i;
		ret = add_field(e, name, KT_WORD, arguments[i]);
	}
	return ret;
}

static int add_returned(struct kt_event *e)
{
	int ret = add_field(e, "ret", KT_WORD, result);

	if (ret < 0 || !e->point->function)
		return ret;
	e->curated->takes[KT_BTF_DURATION] = true;
	return add_field(e, "duration", KT_DECIMAL, KT_MEMBER_PATH_GLOBALS + KT_BTF_DURATION);
}

static int add_fields(struct kt_event *e)
{
	if (e->point->is_mark)
		return kt_usdt_fields_add(e);
	if (e->point->is_return)
		return add_returned(e);
	return e->point->is_inside ? 0 : add_arguments(e);
}

_Static_assert((int)KT_POINT_REGISTERS <= (int)KT_USDT_ARGUMENTS_MAX, "one expression each");

int kt_point_fields_add(struct kt_event *e, struct kt_error *err)
{
	struct kt_curated *c = calloc(1, sizeof(*c) + KT_USDT_ARGUMENTS_MAX * sizeof(*c->exprs));

	kt_uncurate(e);
	if (!c)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	c->adds = true;
	e->curated = c;
	if (add_fields(e) == 0)
		return 0;
	kt_uncurate(e);
	return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

void kt_point_path_use_registers(const struct kt_event *e, struct kt_member_path *path)
{
	if (path->arg >= KT_MEMBER_PATH_GLOBALS)
		return;
	if (e->point->is_return)
		path->arg = result;
	else if (path->arg < e->curated->n_register_words)
		path->arg = arguments[path->arg];
	else
		path->arg = KT_MEMBER_PATH_NOWHERE;
}

static void use_in_filter(const struct kt_event *e, struct kt_filter *f)
{
	if (!f)
		return;
	if (f->expr)
		kt_point_path_use_registers(e, &f->expr->path);
	use_in_filter(e, f->of[0]);
	use_in_filter(e, f->of[1]);
}

bool kt_point_is_in_registers(const struct kt_event *e)
{
	const struct kt_curated *c = e->curated;
	size_t i = 0;

	if (e->point->by_registers || e->point->is_return)
		return true;
	while (i < c->n && c->exprs[i]->path.arg < c->n_register_words)
		i++;
	return i == c->n;
}

void kt_point_use_registers(struct kt_event *e)
{
	struct kt_curated *c = e->curated;
	size_t i, n = 0;

	e->point->by_registers = true;
	c->btf_id = 0;
	for (i = 0; i < c->n; i++) {
		kt_point_path_use_registers(e, &c->exprs[i]->path);
		n += n == i && c->exprs[i]->path.arg != KT_MEMBER_PATH_NOWHERE;
	}
	use_in_filter(e, e->filter);
	use_in_filter(e, e->trigger);
	kt_event_keep_fields(e, n);
	while (c->n > n)
		kt_expr_free(c->exprs[--c->n]);
}

int kt_point_awaited_find(struct kt_event *e, struct kt_btf *btf, struct kt_error *err)
{
	struct kt_awaited *to = &e->curated->awaited;
	int ret = kt_btf_offset(btf, "task_struct", "utask", &to->utask, err);

	return ret < 0 ? ret : kt_btf_offset(btf, "uprobe_task", "depth", &to->depth, err);
}
