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

/* Returns the columns that a value takes: the longest frame of a stack. */
static size_t measure_cell(struct kt_group_cell cell)
{
	size_t width = 0;
	struct kt_group_cell frame;

	if (!cell.is_stack)
		return cell.len;
	while (cell.len > 0) {
		frame = kt_group_cell_frame(&cell);
		if (frame.len > width)
			width = frame.len;
	}
	return width;
}

/* Widths of the columns of fields. */
static void measure_cells(const struct kt_hit_groups *g, size_t max, size_t *widths)
{
	const char *at;
	size_t i, k, width;

	for (k = 0; k < g->grouping.n_by; k++)
		widths[k] = strlen(g->grouping.by[k]);
	for (i = 0; i < g->n && i < max; i++)
		for (at = g->of[i]->cells, k = 0; k < g->grouping.n_by; k++) {
			width = measure_cell(kt_hit_group_next(&at));
			if (width > widths[k])
				widths[k] = width;
		}
}

/* Takes from a field's value what the next line has of it: a frame of a stack, or all. */
static struct kt_group_cell take_line(struct kt_group_cell *cell)
{
	struct kt_group_cell line = *cell;

	if (cell->is_stack)
		return kt_group_cell_frame(cell);
	cell->len = 0;
	return line;
}

/* Puts a line of the fields, and takes that from them; the last text ends the line. */
static void put_fields(struct kt_text *t, const size_t *widths, struct kt_group_cell *cells,
		       size_t n)
{
	struct kt_group_cell line;
	size_t i, blanks = 0;

	for (i = 0; i < n; i++) {
		line = take_line(&cells[i]);
		blanks += 2;
		if (line.len > 0) {
			kt_text_fill(t, blanks, ' ');
			kt_text_put(t, line.text, line.len);
			blanks = 0;
		}
		blanks += widths[i] - line.len;
	}
	kt_text_char(t, '\n');
}

static bool have_more(const struct kt_group_cell *cells, size_t n)
{
	while (n > 0 && !cells[n - 1].len)
		n--;
	return n;
}

static void put_header(struct kt_text *t, const struct kt_hit_groups *g, const size_t *widths)
{
	struct kt_group_cell titles[KT_GROUP_FIELDS_MAX];
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
		titles[i] = (struct kt_group_cell){.text = by[i], .len = strlen(by[i])};
	put_fields(t, widths, titles, g->grouping.n_by);
	kt_text_color_end(t);
}

/* Returns the width of the columns before the fields. */
static size_t measure_numbers(const struct kt_hit_groups *g)
{
	size_t i, n = 1 + g->has_errors;

	for (i = 0; i < N_STATISTICS; i++)
		n += is_wanted(g, &all_statistics[i]);
	return n * COLUMN;
}

static void put_group(struct kt_text *t, const struct kt_hit_groups *g,
		      const struct kt_hit_group *group, const size_t *widths)
{
	struct kt_group_cell cells[KT_GROUP_FIELDS_MAX];
	size_t i, n = g->grouping.n_by;
	const char *at = group->cells;

	kt_text_padded(t, group->count, COLUMN, ' ');
	if (g->has_errors)
		kt_text_padded(t, group->errors, COLUMN, ' ');
	for (i = 0; i < N_STATISTICS; i++)
		if (is_wanted(g, &all_statistics[i]))
			put_statistic(t, g, group, &all_statistics[i]);
	for (i = 0; i < n; i++) {
		cells[i] = kt_hit_group_next(&at);
		if (cells[i].is_missing)
			cells[i] = (struct kt_group_cell){.text = "-", .len = 1};
	}
	for (put_fields(t, widths, cells, n); have_more(cells, n); put_fields(t, widths, cells, n))
		kt_text_fill(t, measure_numbers(g), ' ');
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
