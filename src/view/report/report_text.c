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
#include "view/report/group_by_comm.h"
#include "view/report/trace_report.h"
#include "view/task_comm.h"

enum { ROWS_MAX = 20, COLUMN = 12 };

#define HAS_ALL "; --all has all\n"

#define SECOND UINT64_C(1000000000)

/* Prints seconds to the microsecond. */
static void put_time(struct kt_text *t, uint64_t ns, size_t width)
{
	kt_text_padded(t, ns / SECOND, width > 7 ? width - 7 : 1, ' ');
	kt_text_char(t, '.');
	kt_text_padded(t, ns % SECOND / 1000, 6, '0');
}

/* Prints the event's name, and its filter if it has one. */
static void put_event_name(struct kt_text *t, const char *system, const char *name,
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
	put_time(t, time < begin ? begin - time : time - begin, 0);
	kt_text_string(t, time < begin ? " s before the trace" : " s");
}

/* Prints an occasion: its event, which may be unknown, and its time if that is another one. */
static void put_occasion(struct kt_text *t, const struct kt_trace_report *r,
			 const struct kt_occasion *o, bool has_moment)
{
	if (o->system)
		put_event_name(t, o->system, o->event, o->filter);
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
		kt_text_number(t, lost);
		kt_text_string(t, " of ");
		kt_text_number(t, sum.hits);
	} else {
		kt_text_string(t, b->missed_unknown ? "none known to be" : "none");
	}
	kt_text_string(t, " lost");
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
		put_time(t, r->extent.begin - from, 0);
		kt_text_string(t, " s before the trace");
	}
	kt_text_char(t, '\n');
}

static void put_heading(struct kt_text *t, const char *heading)
{
	kt_text_char(t, '\n');
	kt_text_string(t, heading);
	kt_text_char(t, '\n');
}

/* Returns how many rows of a table are printed. */
static size_t get_rows_max(const struct kt_trace_report *r)
{
	return r->all ? SIZE_MAX : ROWS_MAX;
}

/* Prints the first rows of a table. Returns how many are left, and their sum. */
typedef void put_row_fn(struct kt_text *t, const struct kt_trace_report *r,
			const struct kt_count *c);

static size_t put_rows(struct kt_text *t, const struct kt_trace_report *r,
		       const struct kt_count_table *c, put_row_fn *put, uint64_t *rest)
{
	size_t i, max = get_rows_max(r);

	*rest = 0;
	for (i = 0; i < c->n; i++)
		if (i < max)
			put(t, r, &c->counts[i]);
		else
			*rest += c->counts[i].count;
	return c->n < max ? 0 : c->n - max;
}

static void put_rest_name(struct kt_text *t, size_t n, const char *noun)
{
	kt_text_string(t, "  ");
	kt_text_counted(t, n, noun);
	kt_text_string(t, " with ");
}

static void put_rest(struct kt_text *t, size_t n, const char *noun, uint64_t sum, const char *of)
{
	if (!n)
		return;
	put_rest_name(t, n, noun);
	kt_text_counted(t, sum, of);
	kt_text_string(t, HAS_ALL);
}

static void put_count_and_rate(struct kt_text *t, const struct kt_trace_report *r, uint64_t n)
{
	kt_text_padded(t, n, COLUMN, ' ');
	kt_text_tenths(t, kt_trace_report_rate(r, n), COLUMN);
}

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
		put_time(t, s.from, 0);
	}
	if (ends) {
		kt_text_string(t, s.from ? " to " : " until ");
		put_time(t, s.until, 0);
	}
	kt_text_string(t, ends ? " s" : " s on");
}

static void put_event(struct kt_text *t, const struct kt_trace_report *r, const struct kt_count *c)
{
	const struct kt_event_class *e = &r->summary.metadata->events[c->key];

	if (kt_trace_report_is_complete(r, e)) {
		put_count_and_rate(t, r, c->count);
	} else {
		kt_text_padded(t, c->count, COLUMN, ' ');
		kt_text_string(t, "           -");
	}
	kt_text_string(t, "  ");
	put_event_name(t, e->system, e->name, e->filter);
	if (!kt_trace_report_is_complete(r, e))
		put_complete(t, r, e);
	if (kt_trace_report_early(r, e)) {
		kt_text_string(t, ", ");
		kt_text_number(t, kt_trace_report_early(r, e));
		kt_text_string(t, " more before");
	}
	kt_text_char(t, '\n');
}

static void put_more(struct kt_text *t, size_t n, size_t is_more, const char *what)
{
	if (!n)
		return;
	kt_text_string(t, "  ");
	kt_text_counted(t, n, is_more ? "more event" : "event");
	kt_text_string(t, what);
}

static void put_events(struct kt_text *t, const struct kt_trace_report *r)
{
	const struct kt_report_counts *s = &r->summary;
	size_t i, shown = 0, without_hit = 0, disabled = 0;
	const struct kt_event_class *e;
	struct kt_time_span complete;

	put_heading(t, "       count      rate/s  event");
	for (i = 0; i < s->n_events; i++) {
		e = &s->metadata->events[s->events[i].key];
		complete = kt_trace_report_complete(r, e);
		if (s->events[i].count || kt_trace_report_early(r, e)) {
			put_event(t, r, &s->events[i]);
			shown++;
		} else if (kt_trace_report_is_complete(r, e)) {
			without_hit++;
		} else if (complete.from == complete.until) {
			disabled++;
		} else {
			put_event(t, r, &s->events[i]);
			shown++;
		}
	}
	if (!r->is_partial)
		put_more(t, without_hit, shown, " without a hit\n");
	put_more(t, disabled, shown + without_hit,
		 ": disabled, paused, PID filter, filter changed or broken\n");
}

static void put_share(struct kt_text *t, uint64_t n, uint64_t sum)
{
	kt_text_tenths(t, sum ? (unsigned __int128)n * 1000 / sum : 0, COLUMN - 2);
	kt_text_string(t, " %");
}

/* Prints tasks of one comm: bash-4711, or their number. */
static void put_tasks(struct kt_text *t, const struct kt_trace_report *r,
		      const struct kt_count *tasks)
{
	struct kt_known_task known = kt_trace_reader_known(r->reader, tasks->key);

	kt_text_string(t, "  ");
	kt_text_escaped_string(t, kt_task_comm(known.tid, known.comm));
	if (tasks->times > 1) {
		kt_text_string(t, ", ");
		kt_text_counted(t, tasks->times, "task");
	} else if (tasks->key) {
		kt_text_char(t, '-');
		kt_text_signed(t, (int32_t)known.tid);
	}
	kt_text_string(t, kt_trace_report_is_unfollowed(r, tasks->key) ? ", not followed\n" : "\n");
}

/* Returns the number of tasks in rows that are not printed. */
static uint64_t count_hidden_tasks(const struct kt_trace_report *r,
				   const struct kt_count_table *names)
{
	uint64_t n = 0;
	size_t i;

	for (i = get_rows_max(r); i < names->n; i++)
		n += names->counts[i].times;
	return n;
}

static void put_task_count(struct kt_text *t, const struct kt_trace_report *r,
			   const struct kt_count *tasks)
{
	kt_text_padded(t, tasks->count, COLUMN, ' ');
	put_share(t, tasks->count, r->summary.records);
	put_tasks(t, r, tasks);
}

static void put_task_counts(struct kt_text *t, const struct kt_trace_report *r,
			    const struct kt_count_table *names)
{
	uint64_t rest;

	if (!names->n)
		return;
	put_heading(t, "       count       share  task");
	put_rows(t, r, names, put_task_count, &rest);
	put_rest(t, count_hidden_tasks(r, names), "more task", rest, "event");
}

static void put_task_time(struct kt_text *t, const struct kt_trace_report *r,
			  const struct kt_count *tasks)
{
	put_time(t, tasks->count, COLUMN);
	put_share(t, tasks->count, kt_trace_report_length(r));
	put_tasks(t, r, tasks);
}

static void put_unknown(struct kt_text *t, const struct kt_trace_report *r)
{
	bool follows = r->summary.metadata->follows;

	kt_text_string(t, follows ? "  unattributed: up to " : "  unattributed: ");
	put_time(t, r->usage.unknown, 0);
	kt_text_string(t, " s (switches were lost)\n");
}

static void put_times(struct kt_text *t, const struct kt_trace_report *r,
		      const struct kt_count_table *names)
{
	const struct kt_cpu_time *u = &r->usage;
	uint64_t rest;

	if (u->event && !u->known)
		put_heading(t, "no CPU times: sched:sched_switch has a filter");
	if (!names->n && !u->unknown)
		return;
	put_heading(t, " CPU seconds  % of 1 CPU  task");
	if (put_rows(t, r, names, put_task_time, &rest)) {
		put_rest_name(t, count_hidden_tasks(r, names), "more task");
		put_time(t, rest, 0);
		kt_text_string(t, HAS_ALL);
	}
	if (u->unknown)
		put_unknown(t, r);
}

static void put_cpu(struct kt_text *t, const struct kt_trace_report *r, const struct kt_count *cpu)
{
	const struct kt_cpu_time *u = &r->usage;

	put_count_and_rate(t, r, cpu->count);
	if (u->known) {
		put_share(t, kt_count_table_get(&u->busy_on, cpu->key), kt_trace_report_length(r));
		put_share(t, kt_count_table_get(&u->unknown_on, cpu->key),
			  kt_trace_report_length(r));
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

	if (!r->usage.known)
		put_heading(t, "       count      rate/s  CPU");
	else if (s->metadata->follows)
		put_heading(t, "       count      rate/s    followed     unknown  CPU");
	else
		put_heading(t, "       count      rate/s        busy     unknown  CPU");
	n = put_rows(t, r, &s->on_cpu, put_cpu, &rest);
	put_rest(t, n, "more CPU", rest, "event");
}

static void put_loss(struct kt_text *t, const struct kt_trace_report *r,
		     const struct kt_count *loss)
{
	const struct kt_row *row = kt_trace_report_row(r, loss);
	const struct kt_event_class *e = &r->summary.metadata->events[row->event];

	kt_text_padded(t, loss->count, COLUMN, ' ');
	kt_text_padded(t, row->outcome.hits, COLUMN, ' ');
	if (row->cpu == KT_NO_CPU)
		kt_text_string(t, "    -");
	else
		kt_text_padded(t, row->cpu, 5, ' ');
	kt_text_string(t, "  ");
	put_event_name(t, e->system, e->name, NULL);
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
	put_heading(t, "        lost     of hits  cpu  event and cause");
	n = put_rows(t, r, losses, put_loss, &rest);
	put_rest(t, n, "more row", rest, "lost event");
}

/* Counts that are made before printing, since memory may run out. */
struct counted {
	struct kt_count_table active, usages, losses;
};

static bool make_counts(struct counted *c, const struct kt_trace_report *r)
{
	return kt_group_by_comm(&c->active, &r->summary.tasks, r) &&
	       kt_group_by_comm(&c->usages, &r->usage.tasks, r) &&
	       kt_trace_report_losses(r, &c->losses);
}

static void print_tables(struct kt_text *t, const struct kt_trace_report *r,
			 const struct counted *c)
{
	put_summary(t, r);
	put_provenance(t, r);
	put_sums(t, r);
	put_early(t, r);
	if (r->groups) {
		kt_text_char(t, '\n');
		kt_groups_text_print(t, r->groups, get_rows_max(r));
	} else {
		put_events(t, r);
		put_task_counts(t, r, &c->active);
		put_times(t, r, &c->usages);
		put_cpus(t, r);
	}
	put_losses(t, r, &c->losses);
	kt_text_flush(t);
}

int kt_report_text_print(struct kt_text *t, const struct kt_trace_report *r)
{
	struct counted counted = {0};
	bool ok = make_counts(&counted, r);

	if (ok)
		print_tables(t, r, &counted);
	kt_count_table_free(&counted.active);
	kt_count_table_free(&counted.usages);
	kt_count_table_free(&counted.losses);
	return ok ? 0 : -ENOMEM;
}
