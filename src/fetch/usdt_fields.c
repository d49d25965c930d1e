// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/usdt_fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "events/curated.h"
#include "events/event.h"
#include "events/point.h"

/* Makes an expression that owns its operands; of[0] or of[1] may be NULL if op has none. */
static struct kt_expr *make(enum kt_expr_op op, struct kt_expr *a, struct kt_expr *b)
{
	struct kt_expr *e = calloc(1, sizeof(*e));

	if (!e) {
		kt_expr_free(a);
		kt_expr_free(b);
		return NULL;
	}
	e->op = op;
	e->of[0] = a;
	e->of[1] = b;
	e->held = 1;
	return e;
}

/* The same of two operands, either of which may have failed. */
static struct kt_expr *make_pair(enum kt_expr_op op, struct kt_expr *a, struct kt_expr *b)
{
	if (a && b)
		return make(op, a, b);
	kt_expr_free(a);
	kt_expr_free(b);
	return NULL;
}

static struct kt_expr *make_number(int64_t number)
{
	struct kt_expr *e = make(KT_EXPR_NUMBER, NULL, NULL);

	if (e)
		e->number = number;
	return e;
}

/* Makes 8 bytes of the program's context, or what was computed before. */
static struct kt_expr *make_path(unsigned int arg)
{
	struct kt_expr *e = make(KT_EXPR_PATH, NULL, NULL);

	if (e)
		e->path = (struct kt_member_path){.arg = arg, .size = sizeof(uint64_t)};
	return e;
}

/* Makes a value of the argument's size and sign from e, which may have failed. */
static struct kt_expr *make_sized(enum kt_expr_op op, struct kt_expr *of,
				  const struct kt_usdt_argument *a)
{
	struct kt_expr *e = of ? make(op, of, NULL) : NULL;

	if (e)
		e->path = (struct kt_member_path){.size = a->size, .is_signed = a->is_signed};
	return e;
}

/* Makes base + index * 2^scale + number. */
static struct kt_expr *make_address(const struct kt_usdt_argument *a)
{
	struct kt_expr *e = make_number(a->number), *index;

	if (a->index != KT_USDT_NO_REGISTER) {
		index = make_pair(KT_EXPR_LEFT, make_path(a->index), make_number(a->scale));
		e = make_pair(KT_EXPR_PLUS, index, e);
	}
	return a->base == KT_USDT_NO_REGISTER ? e : make_pair(KT_EXPR_PLUS, make_path(a->base), e);
}

static struct kt_expr *make_register(const struct kt_usdt_argument *a)
{
	struct kt_expr *e = make_path(a->base);

	return a->first_bit ? make_pair(KT_EXPR_SHIFT, e, make_number(a->first_bit)) : e;
}

static struct kt_expr *make_value(const struct kt_usdt_argument *a)
{
	if (a->place == KT_USDT_CONSTANT)
		return make_sized(KT_EXPR_CAST, make_number(a->number), a);
	if (a->place == KT_USDT_REGISTER)
		return make_sized(KT_EXPR_CAST, make_register(a), a);
	return make_sized(KT_EXPR_CAST, make_sized(KT_EXPR_USER, make_address(a), a), a);
}

static const struct kt_usdt_argument *get_argument(const struct kt_point *p, size_t row, size_t i)
{
	return &p->arguments[row * p->n_arguments + i];
}

/* Makes the choice by the site's row: the first computed value. */
static struct kt_expr *make_choice(const struct kt_point *p, size_t i)
{
	struct kt_expr *e = make_value(get_argument(p, 0, i)), *is_row, *value;
	size_t row;

	for (row = 1; row < p->n_rows; row++) {
		is_row = make_pair(KT_EXPR_EQUAL, make_path(KT_MEMBER_PATH_COMPUTED),
				   make_number(row));
		value = make_value(get_argument(p, row, i));
		is_row = make_pair(KT_EXPR_CHOICE, is_row, value);
		if (!is_row || !e) {
			kt_expr_free(is_row);
			kt_expr_free(e);
			return NULL;
		}
		is_row->of[2] = e;
		e = is_row;
	}
	return e;
}

/* Adds a value to those that are computed first. */
static int add_computed(struct kt_curated *c, struct kt_expr *e)
{
	if (e)
		c->computed[c->n_computed++] = e;
	return e ? 0 : -ENOMEM;
}

/* What the rows have in common of one argument. */
struct column {
	bool is_known, is_same, is_memory;
};

static struct column describe(const struct kt_point *p, size_t i)
{
	const struct kt_usdt_argument *first = get_argument(p, 0, i), *a;
	struct column c = {.is_known = true, .is_same = true};
	size_t row;

	for (row = 0; row < p->n_rows; row++) {
		a = get_argument(p, row, i);
		c.is_known = c.is_known && a->place != KT_USDT_UNKNOWN;
		c.is_memory = c.is_memory || a->place == KT_USDT_MEMORY;
		c.is_same = c.is_same && a->size == first->size && a->is_signed == first->is_signed;
	}
	return c;
}

/* A size and sign that are not the same at all sites become 64 bits. */
static int add_field(struct kt_event *e, const struct kt_usdt_argument *like, struct column c,
		     const char *name)
{
	static const char *const types[][2] = {{"u8", "s8"}, {"u16", "s16"}, {"u32", "s32"}};
	unsigned int size = c.is_same ? like->size : sizeof(uint64_t);
	bool is_word = size == sizeof(uint64_t) && (!c.is_same || !like->is_signed);
	const struct kt_field field = {
		.name = name,
		.type = size == sizeof(uint64_t) ? "long"
						 : types[__builtin_ctz(size)][like->is_signed],
		.size = size,
		.width = size,
		.flags = is_word || like->is_signed ? KT_FIELD_SIGNED : 0,
		.notation = is_word ? KT_WORD : KT_DECIMAL,
	};

	return kt_event_add_field(e, &field);
}

static int add_argument(struct kt_event *e, size_t i)
{
	struct column c = describe(e->point, i);
	struct kt_curated *to = e->curated;
	struct kt_expr *value;
	char name[32];

	if (!c.is_known)
		return 0;
	value = e->point->n_rows > 1 ? make_choice(e->point, i)
				     : make_value(get_argument(e->point, 0, i));
	if (c.is_memory || e->point->n_rows > 1) {
		if (add_computed(to, value) < 0)
			return -ENOMEM;
		value = make_path(KT_MEMBER_PATH_COMPUTED + to->n_computed - 1);
		to->reads_user = to->reads_user || c.is_memory;
	}
	if (!value)
		return -ENOMEM;
	to->exprs[to->n++] = value;
	snprintf(name, sizeof(name), "arg%zu", i);
	return add_field(e, get_argument(e->point, 0, i), c, name);
}

int kt_usdt_fields_add(struct kt_event *e)
{
	int ret = 0;
	size_t i;

	if (e->point->n_rows > 1)
		ret = add_computed(e->curated, make(KT_EXPR_COOKIE, NULL, NULL));
	for (i = 0; ret == 0 && i < e->point->n_arguments; i++)
		ret = add_argument(e, i);
	return ret;
}
