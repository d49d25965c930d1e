// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/curated.h"

#include <stdlib.h>

#include "events/event.h"

size_t kt_curated_element_size(const struct kt_expr *e)
{
	size_t a, b;

	if (e->op != KT_EXPR_CHOICE)
		return e->op == KT_EXPR_BYTES ? e->number : 1;
	a = kt_curated_element_size(e->of[1]);
	b = kt_curated_element_size(e->of[2]);
	return a > b ? a : b;
}

bool kt_curated_is_fixed(const struct kt_expr *e, size_t *most)
{
	size_t other;

	if (e->op == KT_EXPR_CHOICE) {
		if (!kt_curated_is_fixed(e->of[1], most) || !kt_curated_is_fixed(e->of[2], &other))
			return false;
		*most = *most > other ? *most : other;
		return true;
	}
	if (e->op == KT_EXPR_PADDED || e->op == KT_EXPR_UPTO || e->op == KT_EXPR_UPTO_AT)
		*most = e->number;
	else if (e->op == KT_EXPR_BYTES && e->of[1]->op == KT_EXPR_NUMBER)
		*most = e->of[1]->number;
	else
		return false;
	return true;
}

bool kt_curated_is_led(const struct kt_curated *c, size_t field)
{
	return c->exprs[field]->op == KT_EXPR_BUFFERS ||
	       kt_expr_any(c->exprs[field], kt_expr_is_member);
}

bool kt_curated_leads(const struct kt_curated *c, size_t field)
{
	return field + 1 < c->n && kt_expr_any(c->exprs[field + 1], kt_expr_is_member) &&
	       !kt_curated_is_led(c, field);
}

void kt_curated_free(struct kt_curated *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < c->n; i++)
		kt_expr_free(c->exprs[i]);
	for (i = 0; i < c->n_computed; i++)
		kt_expr_free(c->computed[i]);
	kt_expr_free(c->foreign);
	free(c);
}

void kt_uncurate(struct kt_event *e)
{
	if (e->curated && e->curated->adds)
		kt_event_remove_added(e);
	kt_curated_free(e->curated);
	e->curated = NULL;
}

bool kt_curated_is_late(const struct kt_curated *c)
{
	size_t i = c->n - c->n_pointed;
	const struct kt_expr *e;

	for (; i < c->n; i++) {
		e = c->exprs[i];
		if (e->op != KT_EXPR_CHOICE || e->of[0]->op != KT_EXPR_PATH ||
		    e->of[0]->path.arg != KT_MEMBER_PATH_GLOBALS + KT_BTF_LATE)
			return false;
	}
	return c->n_pointed > 0;
}

/* Returns the share of a field of variable size, after those of fixed size have theirs. */
static size_t compute_share(const struct kt_curated *c, struct kt_geometry geometry)
{
	size_t room = kt_record_call_data_max(geometry), n = 0, most, i;

	for (i = c->n - c->n_pointed; i < c->n; i++) {
		if (kt_curated_is_fixed(c->exprs[i], &most))
			room -= most;
		else
			n++;
	}
	return n ? room / n : 0;
}

/* Returns whether the byte limit of `record -s` does not apply to this data. */
static bool ignores_limit(const struct kt_expr *e)
{
	return kt_expr_any(e, kt_expr_is_string) || e->op == KT_EXPR_STRINGS ||
	       e->op == KT_EXPR_BUFFERS;
}

size_t kt_curated_socket(const struct kt_curated *c)
{
	size_t i = 0;

	while (i < c->n && c->exprs[i]->op != KT_EXPR_SOCKET)
		i++;
	return i;
}

/* Returns how much is wanted: `record -s` bytes of data, or elements, but not too few of these. */
static size_t get_wanted(const struct kt_curated *c, size_t size)
{
	enum { ELEMENTS_LEAST = 32 };

	if (size == 1 && kt_curated_socket(c) < c->n)
		return KT_CURATED_MESSAGES_MAX;
	return (size > 1 && c->bytes_max < ELEMENTS_LEAST ? ELEMENTS_LEAST : c->bytes_max) * size;
}

size_t kt_curated_pointed_max(const struct kt_curated *c, size_t field, struct kt_geometry geometry)
{
	const struct kt_expr *e = c->exprs[field];
	size_t size = kt_curated_element_size(e), wanted = get_wanted(c, size), max;

	if (kt_curated_is_fixed(e, &max))
		return max;
	max = compute_share(c, geometry) - 1;
	if (max > KT_CURATED_POINTED_MAX)
		max = KT_CURATED_POINTED_MAX;
	if (kt_expr_any(e, kt_expr_is_string) && max > KT_CURATED_STRING_MAX)
		max = KT_CURATED_STRING_MAX;
	if (!ignores_limit(e) && max > wanted)
		max = wanted;
	return max / size * size;
}

size_t kt_curated_strings_max(const struct kt_curated *c)
{
	return c->bytes_max < KT_CURATED_STRINGS_MAX ? c->bytes_max : KT_CURATED_STRINGS_MAX;
}

size_t kt_curated_data_max(const struct kt_curated *c, struct kt_geometry geometry)
{
	size_t sum = c->text_max, most, i;

	for (i = c->n - c->n_pointed; i < c->n; i++)
		sum += kt_curated_pointed_max(c, i, geometry) +
		       !kt_curated_is_fixed(c->exprs[i], &most);
	return sum;
}
