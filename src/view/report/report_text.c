// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report/report_text.h"

#include <errno.h>
#include <string.h>

#include "trace/event_counts.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"
#include "values/text.h"
#include "view/groups/groups_text.h"
#include "view/losses.h"
#include "view/report/report_events.h"
#include "view/report/report_rows.h"
#include "view/report/report_tasks.h"
#include "view/report/trace_report.h"

/* A report of groups has one table. */
enum { GROUP_ROWS = 20 };

/* Prints "ktrace.out: 3.021 s from 2026-11-22 14:03:07 on here, Linux 6.18.44" */
static void put_summary(struct kt_text *t, const struct kt_trace_report *r)
{
	uint64_t ms = kt_trace_report_length(r) / 1000000;

	kt_text_escaped_string(t, r->path);
	kt_text_string(t, ": ");
	kt_text_number(t, ms / 1000);
	kt_text_char(t, '.');
	kt_text_padded(t, ms % 1000, 3, '0');
	kt_text_string(t, " s from ");
	kt_text_date(t, r->extent.begin + r->summary.metadata->since_1970);
	kt_text_string(t, " on ");
	kt_text_escaped_string(t, r->summary.metadata->hostname);
	kt_text_string(t, ", Linux ");
	kt_text_escaped_string(t, r->summary.metadata->kernel_release);
	kt_text_string(t, r->summary.metadata->follows ? ", followed processes only\n" : "\n");
	if (r->is_growing)
		kt_text_string(t, "still being recorded; this is its state when it was read\n");
	else if (!r->counts)
		kt_text_string(t, "event counts are missing, as after a kill: only losses in the "
				  "rings are known\n");
}

/* Prints a time as an offset from the trace's begin, which may be after its end. */
static void put_moment(struct kt_text *t, const struct kt_trace_report *r, uint64_t time)
{
	uint64_t begin = r->extent.begin;

	kt_text_string(t, time < begin ? " " : " at ");
	kt_report_rows_seconds(t, time < begin ? begin - time : time - begin, 0);
	kt_text_string(t, time < begin ? " s before the trace" : " s");
}

/* Prints an occasion: its event, which may be unknown, and its time if that is another one. */
static void put_occasion(struct kt_text *t, const struct kt_trace_report *r,
			 const struct kt_occasion *o, bool has_moment)
{
	if (o->system)
		kt_report_rows_event(t, o->system, o->event, o->filter);
	else
		kt_text_string(t, "a trigger");
	if (has_moment) {
		kt_text_string(t, ", hit");
		put_moment(t, r, o->hit);
	}
	kt_text_char(t, '\n');
}

/* Prints "frozen at 2.500000 s by sched:sched_process_exit where prio < 100, hit at 2.300000 s" */
static void put_frozen(struct kt_text *t, const struct kt_trace_report *r)
{
	const struct kt_provenance *from = &r->summary.metadata->from;
	bool is_frozen = kt_provenance_is_frozen(from, r->extent.end);

	if (!from->frozen.hit)
		return;
	kt_text_string(t, is_frozen ? "frozen" : "will freeze");
	put_moment(t, r, from->frozen_at);
	kt_text_string(t, ", by ");
	put_occasion(t, r, &from->frozen, from->frozen.hit != from->frozen_at);
}

static void put_provenance(struct kt_text *t, const struct kt_trace_report *r)
{
	const struct kt_provenance *from = &r->summary.metadata->from;

	if (from->session) {
		kt_text_string(t, "a snapshot of '");
		kt_text_escaped_string(t, from->session);
		kt_text_string(t, "'\n");
	}
	if (from->clock_set) {
		kt_text_clock_set(t, from->clock_set);
		kt_text_string(t, " while it was recorded\n");
	}
	put_frozen(t, r);
	if (from->taken.hit) {
		kt_text_string(t, "taken for ");
		put_occasion(t, r, &from->taken, true);
	}
}

/* Prints "412 of 600 lost; 80 overwritten; 3 filtered" */
static void put_event_counts(struct kt_text *t, const struct kt_event_counts *b)
{
	struct kt_outcome sum = kt_event_counts_sum(b);
	uint64_t lost = kt_outcome_lost(&sum);

	if (lost) {
		kt_text_color(t, KT_COLOR_LOST);
		kt_text_number(t, lost);
		kt_text_string(t, " of ");
		kt_text_number(t, sum.hits);
	} else {
		kt_text_string(t, b->missed_unknown || kt_event_counts_miss(b) ? "none known to be"
									       : "none");
	}
	kt_text_string(t, " lost");
	if (lost)
		kt_text_color_end(t);
	if (sum.overwritten) {
		kt_text_string(t, "; ");
		kt_text_number(t, sum.overwritten);
		kt_text_string(t, " overwritten");
	}
	if (sum.filtered) {
		kt_text_string(t, "; ");
		kt_text_number(t, sum.filtered);
		kt_text_string(t, " filtered");
	}
	kt_text_char(t, '\n');
	kt_losses_put_notes(t, b, "");
}

/* Prints losses that the streams report, if the trace has no event counts. */
static void put_dropped(struct kt_text *t, const struct kt_report_counts *s)
{
	size_t i;

	if (!s->lost)
		kt_text_string(t, "none");
	else
		kt_text_number(t, s->lost);
	kt_text_string(t, " lost in the rings\n");
	for (i = 0; i < s->lost_on.n; i++) {
		kt_text_string(t, "  CPU ");
		kt_text_number(t, s->lost_on.counts[i].key);
		kt_text_string(t, ": ");
		kt_text_number(t, s->lost_on.counts[i].count);
		kt_text_string(t, " lost\n");
	}
}

/* Prints "12 events, 4.0/s, …", or "12 events selected, 4.0/s; in the whole trace …" */
static void put_sums(struct kt_text *t, const struct kt_trace_report *r)
{
	kt_text_counted(t, r->summary.records, "event");
	if (r->is_partial)
		kt_text_string(t, " selected");
	kt_text_string(t, ", ");
	kt_text_tenths(t, kt_trace_report_rate(r, r->summary.records), 0);
	kt_text_string(t, r->is_partial ? "/s; in the whole trace " : "/s, ");
	if (r->counts)
		put_event_counts(t, r->counts);
	else
		put_dropped(t, &r->summary);
}

/* Prints how many events are from before the trace's begin. */
static void put_early(struct kt_text *t, const struct kt_trace_report *r)
{
	uint64_t from = kt_trace_reader_rare_from(r->reader);

	if (!r->summary.early)
		return;
	kt_text_counted(t, r->summary.early, "earlier event");
	if (from && from < r->extent.begin) {
		kt_text_string(t, "; rare events complete since ");
		kt_report_rows_seconds(t, r->extent.begin - from, 0);
		kt_text_string(t, " s before the trace");
	}
	kt_text_char(t, '\n');
}

static void put_cpu(struct kt_text *t, const struct kt_trace_report *r, const struct kt_count *cpu)
{
	const struct kt_cpu_time *u = &r->times.cpu;

	kt_report_rows_rate(t, r, cpu->count);
	if (u->known) {
		kt_report_rows_share(t, kt_count_table_get(&u->busy_on, cpu->key),
				     kt_trace_report_length(r), KT_REPORT_COLUMN);
		kt_report_rows_share(t, kt_count_table_get(&u->unknown_on, cpu->key),
				     kt_trace_report_length(r), KT_REPORT_COLUMN);
	}
	kt_text_string(t, "  ");
	kt_text_number(t, cpu->key);
	kt_text_char(t, '\n');
}

static void put_cpus(struct kt_text *t, const struct kt_trace_report *r)
{
	const struct kt_report_counts *s = &r->summary;
	uint64_t rest;
	size_t n;

	if (!r->times.cpu.known)
		kt_report_rows_heading(t, "       count      rate/s  CPU");
	else if (s->metadata->follows)
		kt_report_rows_heading(t, "       count      rate/s    followed     unknown  CPU");
	else
		kt_report_rows_heading(t, "       count      rate/s        busy     unknown  CPU");
	n = kt_report_rows_put(t, r, &s->on_cpu, put_cpu, &rest);
	kt_report_rows_rest(t, n, "more CPU", rest, "event");
}

static void put_loss(struct kt_text *t, const struct kt_trace_report *r,
		     const struct kt_count *loss)
{
	const struct kt_row *row = kt_trace_report_row(r, loss);
	const struct kt_event_class *e = &r->summary.metadata->events[row->event];

	kt_text_padded(t, loss->count, KT_REPORT_COLUMN, ' ');
	kt_text_padded(t, row->outcome.hits, KT_REPORT_COLUMN, ' ');
	if (row->cpu == KT_NO_CPU)
		kt_text_string(t, "    -");
	else
		kt_text_padded(t, row->cpu, 5, ' ');
	kt_text_string(t, "  ");
	kt_report_rows_event(t, e->system, e->name, NULL);
	kt_text_string(t, ", ");
	kt_text_string(t, kt_loss_why(kt_trace_report_cause(loss)));
	kt_text_char(t, '\n');
}

static void put_losses(struct kt_text *t, const struct kt_trace_report *r,
		       const struct kt_count_table *losses)
{
	uint64_t rest;
	size_t n;

	if (!losses->n)
		return;
	kt_report_rows_heading(t, "        lost     of hits  cpu  event and cause");
	n = kt_report_rows_put(t, r, losses, put_loss, &rest);
	kt_report_rows_rest(t, n, "more row", rest, "lost event");
}

/* Prints what the report is of, and its sums. */
static void put_head(struct kt_text *t, const struct kt_trace_report *r)
{
	put_summary(t, r);
	put_provenance(t, r);
	put_sums(t, r);
	put_early(t, r);
}

/* Prints all tables but that of losses. */
static int put_tables(struct kt_text *t, const struct kt_trace_report *r)
{
	int ret;

	if (r->groups) {
		kt_text_char(t, '\n');
		kt_groups_text_print(t, r->groups, r->all ? SIZE_MAX : GROUP_ROWS);
		return 0;
	}
	kt_report_events_print(t, r);
	ret = kt_report_calls_print(t, r);
	if (ret == 0)
		ret = kt_report_tasks_print(t, r);
	if (ret < 0)
		return ret;
	kt_report_spans_print(t, r);
	put_cpus(t, r);
	return 0;
}

int kt_report_text_print(struct kt_text *t, const struct kt_trace_report *r)
{
	struct kt_count_table losses = {0};
	int ret = kt_trace_report_losses(r, &losses) ? 0 : -ENOMEM;

	put_head(t, r);
	if (ret == 0)
		ret = put_tables(t, r);
	if (ret == 0)
		put_losses(t, r, &losses);
	kt_text_flush(t);
	kt_count_table_free(&losses);
	return ret;
}
