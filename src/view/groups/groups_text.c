// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/groups/groups_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "values/text.h"
#include "view/groups/hit_groups.h"

enum { COLUMN = 12 };

/* What a column shows of a value. */
struct statistic {
	const char *title;
	enum kt_group_value value;
	unsigned int per_mille; /* of a quantile; 0: the sum */
};

static const struct statistic all_statistics[] = {
	{"sum", KT_GROUP_SUM, 0},         {"total", KT_GROUP_QUANTILES, 0},
	{"p50", KT_GROUP_QUANTILES, 500}, {"p90", KT_GROUP_QUANTILES, 900},
	{"p99", KT_GROUP_QUANTILES, 990}, {"max", KT_GROUP_QUANTILES, 1000},
};

enum { N_STATISTICS = sizeof(all_statistics) / sizeof(*all_statistics) };

static bool is_wanted(const struct kt_hit_groups *g, const struct statistic *s)
{
	return s->value == KT_GROUP_SUM ? g->grouping.sum : g->grouping.quantiles;
}

static void put_left(struct kt_text *t, const char *title)
{
	kt_text_fill(t, COLUMN - strlen(title), ' ');
	kt_text_string(t, title);
}

/* Puts a number of up to 128 bits. */
static void put_number(struct kt_text *t, __int128 number)
{
	unsigned __int128 left =
		number < 0 ? -(unsigned __int128)number : (unsigned __int128)number;
	char digits[40], *end = digits + sizeof(digits), *at = end;
	size_t width;

	do
		*--at = '0' + (int)(left % 10);
	while (left /= 10);
	if (number < 0)
		*--at = '-';
	width = end - at;
	kt_text_fill(t, width < COLUMN ? COLUMN - width : 1, ' ');
	kt_text_put(t, at, width);
}

static void put_statistic(struct kt_text *t, const struct kt_hit_groups *g,
			  const struct kt_hit_group *group, const struct statistic *s)
{
	const struct kt_value_summary *values = &group->values[s->value];
	__int128 number =
		s->per_mille ? kt_value_summary_quantile(values, s->per_mille) : values->sum;

	if (values->n == 0)
		put_left(t, "-");
	else if (kt_hit_groups_is_time(g, s->value) && number <= INT64_MAX)
		kt_text_scaled_time(t, number, COLUMN);
	else
		put_number(t, number);
}

/* Widths of the columns of fields. */
static void measure_cells(const struct kt_hit_groups *g, size_t max, size_t *widths)
{
	struct kt_group_cell cell;
	const char *at;
	size_t i, k;

	for (k = 0; k < g->grouping.n_by; k++)
		widths[k] = strlen(g->grouping.by[k]);
	for (i = 0; i < g->n && i < max; i++)
		for (at = g->of[i]->cells, k = 0; k < g->grouping.n_by; k++) {
			cell = kt_hit_group_next(&at);
			if (cell.len > widths[k])
				widths[k] = cell.len;
		}
}

/* Puts a field's text; the last one ends the line. */
static void put_cell(struct kt_text *t, const struct kt_hit_groups *g, const size_t *widths,
		     size_t k, struct kt_group_cell cell)
{
	kt_text_string(t, "  ");
	if (cell.is_missing)
		cell = (struct kt_group_cell){.text = "-", .len = 1};
	kt_text_put(t, cell.text, cell.len);
	if (k + 1 == g->grouping.n_by)
		kt_text_char(t, '\n');
	else
		kt_text_fill(t, widths[k] - cell.len, ' ');
}

static void put_header(struct kt_text *t, const struct kt_hit_groups *g, const size_t *widths)
{
	const char *const *by = g->grouping.by;
	size_t i;

	kt_text_color(t, KT_COLOR_HEADING);
	put_left(t, "count");
	if (g->has_errors)
		put_left(t, "errors");
	for (i = 0; i < N_STATISTICS; i++)
		if (is_wanted(g, &all_statistics[i]))
			put_left(t, all_statistics[i].title);
	for (i = 0; i < g->grouping.n_by; i++)
		put_cell(t, g, widths, i,
			 (struct kt_group_cell){.text = by[i], .len = strlen(by[i])});
	kt_text_color_end(t);
}

static void put_group(struct kt_text *t, const struct kt_hit_groups *g,
		      const struct kt_hit_group *group, const size_t *widths)
{
	const char *at = group->cells;
	size_t i;

	kt_text_padded(t, group->count, COLUMN, ' ');
	if (g->has_errors)
		kt_text_padded(t, group->errors, COLUMN, ' ');
	for (i = 0; i < N_STATISTICS; i++)
		if (is_wanted(g, &all_statistics[i]))
			put_statistic(t, g, group, &all_statistics[i]);
	for (i = 0; i < g->grouping.n_by; i++)
		put_cell(t, g, widths, i, kt_hit_group_next(&at));
}

static void put_rest(struct kt_text *t, const struct kt_hit_groups *g, size_t max)
{
	uint64_t count = 0;
	size_t i;

	if (g->n <= max)
		return;
	for (i = max; i < g->n; i++)
		count += g->of[i]->count;
	kt_text_string(t, "  ");
	kt_text_counted(t, g->n - max, "more group");
	kt_text_string(t, ", count ");
	kt_text_number(t, count);
	kt_text_string(t, "; --all has all\n");
}

void kt_groups_text_print(struct kt_text *to, const struct kt_hit_groups *g, size_t max)
{
	size_t widths[KT_GROUP_FIELDS_MAX], i;

	measure_cells(g, max, widths);
	put_header(to, g, widths);
	for (i = 0; i < g->n && i < max; i++)
		put_group(to, g, g->of[i], widths);
	put_rest(to, g, max);
}
