// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report/report_events.h"

#include <stdlib.h>

#include "trace/read/metadata_reader.h"
#include "values/text.h"
#include "view/report/report_rows.h"
#include "view/report/trace_report.h"
#include "view/syscall_table.h"

/* Prints when the event's hits are complete, if that is not the whole time. */
static void put_complete(struct kt_text *t, const struct kt_trace_report *r,
			 const struct kt_event_class *e)
{
	struct kt_time_span s = kt_trace_report_complete(r, e);
	bool ends = s.until < kt_trace_report_length(r);

	if (s.from == s.until) {
		kt_text_string(t, ", incomplete");
		return;
	}
	kt_text_string(t, ", complete");
	if (s.from) {
		kt_text_string(t, " from ");
		kt_report_rows_seconds(t, s.from, 0);
	}
	if (ends) {
		kt_text_string(t, s.from ? " to " : " until ");
		kt_report_rows_seconds(t, s.until, 0);
	}
	kt_text_string(t, ends ? " s" : " s on");
}

static void put_event(struct kt_text *t, const struct kt_trace_report *r, const struct kt_count *c)
{
	const struct kt_event_class *e = &r->summary.metadata->events[c->key];

	if (kt_trace_report_is_complete(r, e)) {
		kt_report_rows_rate(t, r, c->count);
	} else {
		kt_text_padded(t, c->count, KT_REPORT_COLUMN, ' ');
		kt_text_string(t, "           -");
	}
	kt_text_string(t, "  ");
	kt_report_rows_event(t, e->system, e->name, e->filter);
	if (!kt_trace_report_is_complete(r, e))
		put_complete(t, r, e);
	if (kt_trace_report_early(r, e)) {
		kt_text_string(t, ", ");
		kt_text_number(t, kt_trace_report_early(r, e));
		kt_text_string(t, " more before");
	}
	kt_text_char(t, '\n');
}

/* What the table of events says of one. */
enum event_row {
	ROW_PUT,
	ROW_OF_CALL,     /* a row of the next table has it */
	ROW_WITHOUT_HIT, /* these are counted */
	ROW_DISABLED,
	ROWS
};

static enum event_row choose_row(const struct kt_trace_report *r, const struct kt_count *c)
{
	const struct kt_event_class *e = &r->summary.metadata->events[c->key];
	struct kt_time_span complete = kt_trace_report_complete(r, e);

	if (!e->filter && kt_trace_report_is_complete(r, e) && r->times.calls &&
	    kt_syscall_table_has(r->times.calls, c->key))
		return ROW_OF_CALL;
	if (c->count || kt_trace_report_early(r, e))
		return ROW_PUT;
	if (kt_trace_report_is_complete(r, e))
		return ROW_WITHOUT_HIT;
	return complete.from == complete.until ? ROW_DISABLED : ROW_PUT;
}

static void put_more(struct kt_text *t, size_t n, size_t is_more, const char *what)
{
	if (!n)
		return;
	kt_text_string(t, "  ");
	kt_text_counted(t, n, is_more ? "more event" : "event");
	kt_text_string(t, what);
}

void kt_report_events_print(struct kt_text *t, const struct kt_trace_report *r)
{
	const struct kt_report_counts *s = &r->summary;
	size_t i, n[ROWS] = {0}, max = kt_report_rows_max(r);
	enum event_row row;
	uint64_t rest = 0;

	kt_report_rows_heading(t, "       count      rate/s  event");
	for (i = 0; i < s->n_events; i++) {
		row = choose_row(r, &s->events[i]);
		n[row]++;
		if (row == ROW_PUT && n[row] <= max)
			put_event(t, r, &s->events[i]);
		else if (row == ROW_PUT)
			rest += s->events[i].count;
	}
	kt_report_rows_rest(t, n[ROW_PUT] > max ? n[ROW_PUT] - max : 0, "more event", rest,
			    "record");
	if (!r->is_partial)
		put_more(t, n[ROW_WITHOUT_HIT], n[ROW_PUT], " without a hit\n");
	put_more(t, n[ROW_DISABLED], n[ROW_PUT] + n[ROW_WITHOUT_HIT],
		 ": disabled, paused, PID filter, filter changed or broken\n");
}

/* Puts a total and the longest time. */
static void put_times(struct kt_text *t, uint64_t total, uint64_t longest)
{
	kt_text_scaled_time(t, total, KT_REPORT_COLUMN);
	kt_text_scaled_time(t, longest, KT_REPORT_COLUMN);
	kt_text_string(t, "  ");
}

/* Puts how many rows are left, and their total time. */
static void put_rest(struct kt_text *t, size_t n, const char *noun, uint64_t total)
{
	kt_report_rows_rest_name(t, n, noun);
	kt_text_scaled_time(t, total, 0);
	kt_text_string(t, KT_REPORT_HAS_ALL);
}

static void put_call(struct kt_text *t, const struct kt_syscall_count *c)
{
	kt_text_padded(t, c->calls, KT_REPORT_COLUMN, ' ');
	kt_text_padded(t, c->errors, KT_REPORT_COLUMN, ' ');
	put_times(t, c->ns, c->max);
	kt_text_string(t, c->name);
	kt_text_char(t, '\n');
}

static void put_calls(struct kt_text *t, const struct kt_trace_report *r,
		      const struct kt_syscall_count *rows, size_t n)
{
	size_t i, max = kt_report_rows_max(r);
	uint64_t rest = 0;

	if (n)
		kt_report_rows_heading(
			t, "       calls      errors       total     longest  system call");
	for (i = 0; i < n; i++)
		if (i < max)
			put_call(t, &rows[i]);
		else
			rest += rows[i].ns;
	if (n > max)
		put_rest(t, n - max, "more call", rest);
}

int kt_report_calls_print(struct kt_text *t, const struct kt_trace_report *r)
{
	struct kt_syscall_count *rows;
	ssize_t n, open;

	if (!r->times.calls)
		return 0;
	open = kt_syscall_table_open(r->times.calls);
	if (open < 0)
		return open;
	n = kt_syscall_table_rows(r->times.calls, KT_SYSCALL_TABLE_TOTAL, &rows);
	if (n < 0)
		return n;
	put_calls(t, r, rows, n);
	free(rows);
	if (n && open) {
		kt_text_string(t, "  ");
		kt_text_counted(t, open, "call");
		kt_text_string(t, " had not returned\n");
	}
	return 0;
}

static const char *const kinds[] = {
	[KT_SPAN_DISK] = "disk ",       [KT_SPAN_INTERRUPT] = "interrupt ",
	[KT_SPAN_SOFTIRQ] = "softirq ", [KT_SPAN_HRTIMER] = "timer ",
	[KT_SPAN_TIMER] = "timer ",
};

static void put_span(struct kt_text *t, const struct kt_span_row *row)
{
	kt_text_padded(t, row->count, KT_REPORT_COLUMN, ' ');
	put_times(t, row->total, row->longest);
	kt_text_string(t, kinds[row->kind]);
	kt_text_escaped_string(t, row->name);
	kt_text_char(t, '\n');
}

void kt_report_spans_print(struct kt_text *t, const struct kt_trace_report *r)
{
	const struct kt_span_times *s = &r->times.spans;
	size_t i, max = kt_report_rows_max(r);
	uint64_t rest = 0;

	if (s->n)
		kt_report_rows_heading(t, "       count       total     longest  "
					  "disk, interrupt, softirq or timer");
	for (i = 0; i < s->n; i++)
		if (i < max)
			put_span(t, s->rows[i]);
		else
			rest += s->rows[i]->total;
	if (s->n > max)
		put_rest(t, s->n - max, "more row", rest);
}
