// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report/report_rows.h"

#include "values/text.h"
#include "view/report/trace_report.h"

#define SECOND UINT64_C(1000000000)

size_t kt_report_rows_max(const struct kt_trace_report *r)
{
	return r->all ? SIZE_MAX : KT_REPORT_ROWS;
}

void kt_report_rows_heading(struct kt_text *t, const char *heading)
{
	kt_text_char(t, '\n');
	kt_text_color(t, KT_COLOR_HEADING);
	kt_text_string(t, heading);
	kt_text_color_end(t);
	kt_text_char(t, '\n');
}

size_t kt_report_rows_put(struct kt_text *t, const struct kt_trace_report *r,
			  const struct kt_count_table *c, kt_report_row_fn *put, uint64_t *rest)
{
	size_t i, max = kt_report_rows_max(r);

	*rest = 0;
	for (i = 0; i < c->n; i++)
		if (i < max)
			put(t, r, &c->counts[i]);
		else
			*rest += c->counts[i].count;
	return c->n < max ? 0 : c->n - max;
}

void kt_report_rows_rest_name(struct kt_text *t, size_t n, const char *noun)
{
	kt_text_string(t, "  ");
	kt_text_counted(t, n, noun);
	kt_text_string(t, " with ");
}

void kt_report_rows_rest(struct kt_text *t, size_t n, const char *noun, uint64_t sum,
			 const char *of)
{
	if (!n)
		return;
	kt_report_rows_rest_name(t, n, noun);
	kt_text_counted(t, sum, of);
	kt_text_string(t, KT_REPORT_HAS_ALL);
}

void kt_report_rows_rate(struct kt_text *t, const struct kt_trace_report *r, uint64_t n)
{
	kt_text_padded(t, n, KT_REPORT_COLUMN, ' ');
	kt_text_tenths(t, kt_trace_report_rate(r, n), KT_REPORT_COLUMN);
}

void kt_report_rows_share(struct kt_text *t, uint64_t n, uint64_t sum, size_t width)
{
	kt_text_tenths(t, sum ? (unsigned __int128)n * 1000 / sum : 0, width - 2);
	kt_text_string(t, " %");
}

void kt_report_rows_seconds(struct kt_text *t, uint64_t ns, size_t width)
{
	kt_text_padded(t, ns / SECOND, width > 7 ? width - 7 : 1, ' ');
	kt_text_char(t, '.');
	kt_text_padded(t, ns % SECOND / 1000, 6, '0');
}

void kt_report_rows_event(struct kt_text *t, const char *system, const char *name,
			  const char *filter)
{
	kt_text_string(t, system);
	kt_text_char(t, ':');
	kt_text_string(t, name);
	if (filter) {
		kt_text_string(t, " where ");
		kt_text_escaped_string(t, filter);
	}
}
