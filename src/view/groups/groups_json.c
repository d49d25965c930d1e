// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/groups/groups_json.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/json.h"
#include "view/groups/hit_groups.h"

/* Makes a number; beyond 64 bits its nearest fraction. */
static struct json_object *make_number(__int128 number)
{
	if (number >= INT64_MIN && number <= INT64_MAX)
		return json_object_new_int64(number);
	if (number >= 0 && number <= UINT64_MAX)
		return json_object_new_uint64(number);
	return json_object_new_double(number);
}

/* Makes a number of 64 bits, with a sign or without, of its digits. */
static struct json_object *make_printed_number(const char *digits)
{
	return *digits == '-' ? json_object_new_int64(strtoll(digits, NULL, 10))
			      : json_object_new_uint64(strtoull(digits, NULL, 10));
}

static bool add_stack(struct json_object *o, const char *name, struct kt_group_cell stack)
{
	struct json_object *frames = json_object_new_array();
	struct kt_group_cell frame;

	if (!kt_json_add(o, name, frames))
		return false;
	while (stack.len > 0) {
		frame = kt_group_cell_frame(&stack);
		if (!kt_json_append(frames, kt_json_text(frame.text, frame.len)))
			return false;
	}
	return true;
}

static bool add_cell(struct json_object *o, const char *name, struct kt_group_cell cell)
{
	if (cell.is_missing)
		return kt_json_add_null(o, name);
	if (cell.is_stack)
		return add_stack(o, name, cell);
	return kt_json_add(o, name,
			   cell.is_number ? make_printed_number(cell.text)
					  : kt_json_text(cell.text, cell.len));
}

static bool add_by(struct json_object *o, const struct kt_hit_groups *g,
		   const struct kt_hit_group *group)
{
	struct json_object *by = json_object_new_object();
	const char *at = group->cells;
	size_t i;

	if (!kt_json_add(o, "by", by))
		return false;
	for (i = 0; i < g->grouping.n_by; i++)
		if (!add_cell(by, g->grouping.by[i], kt_hit_group_next(&at)))
			return false;
	return true;
}

static bool add_quantiles(struct json_object *o, const struct kt_value_summary *s)
{
	struct json_object *q = json_object_new_object();

	return kt_json_add(o, "quantiles", q) && kt_json_add_number(q, "n", s->n) &&
	       (s->n == 0 ||
		(kt_json_add(q, "total", make_number(s->sum)) &&
		 kt_json_add(q, "min", make_number(s->min)) &&
		 kt_json_add(q, "p50", make_number(kt_value_summary_quantile(s, 500))) &&
		 kt_json_add(q, "p90", make_number(kt_value_summary_quantile(s, 900))) &&
		 kt_json_add(q, "p99", make_number(kt_value_summary_quantile(s, 990))) &&
		 kt_json_add(q, "max", make_number(s->max))));
}

static bool add_group(struct json_object *o, const struct kt_hit_groups *g,
		      const struct kt_hit_group *group)
{
	const struct kt_value_summary *sum = &group->values[KT_GROUP_SUM];

	return add_by(o, g, group) && kt_json_add_number(o, "count", group->count) &&
	       kt_json_add_number(o, "errors", group->errors) &&
	       (!g->grouping.sum || kt_json_add(o, "sum", make_number(sum->sum))) &&
	       (!g->grouping.quantiles || add_quantiles(o, &group->values[KT_GROUP_QUANTILES]));
}

bool kt_groups_json_add(struct json_object *o, const struct kt_hit_groups *g)
{
	struct json_object *array = json_object_new_array(), *group;
	size_t i;

	if (!kt_json_add(o, "groups", array))
		return false;
	for (i = 0; i < g->n; i++) {
		group = json_object_new_object();
		if (!kt_json_append(array, group) || !add_group(group, g, g->of[i]))
			return false;
	}
	return true;
}
