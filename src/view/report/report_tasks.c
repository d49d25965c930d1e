// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report/report_tasks.h"

#include <errno.h>
#include <stdlib.h>

#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"
#include "values/text.h"
#include "view/report/group_by_comm.h"
#include "view/report/report_rows.h"
#include "view/report/trace_report.h"
#include "view/task_comm.h"

/* What the tables are made of. */
struct tables {
	struct kt_count_table active; /* records by comm */
	struct kt_count_table ran;    /* ns by comm */
	struct kt_count_table groups; /* by task: the index in waits + 1 */
	struct kt_task_wait *waits;   /* sums by comm, in the order of ran */
};

/* Puts a task: bash-4711; the idle task has no number. */
static void put_task(struct kt_text *t, const struct kt_trace_report *r, uint32_t task)
{
	struct kt_known_task known = kt_trace_reader_known(r->reader, task);

	kt_text_escaped_string(t, kt_task_comm(known.tid, known.comm));
	if (!task)
		return;
	kt_text_char(t, '-');
	kt_text_signed(t, (int32_t)known.tid);
}

/* Puts tasks of one comm: "bash-4711", or "cc1, 95 tasks". */
static void put_tasks(struct kt_text *t, const struct kt_trace_report *r,
		      const struct kt_count *tasks)
{
	struct kt_known_task known = kt_trace_reader_known(r->reader, tasks->key);

	kt_text_string(t, "  ");
	if (tasks->times > 1) {
		kt_text_escaped_string(t, kt_task_comm(known.tid, known.comm));
		kt_text_string(t, ", ");
		kt_text_counted(t, tasks->times, "task");
	} else {
		put_task(t, r, tasks->key);
	}
	if (kt_trace_report_is_unfollowed(r, tasks->key))
		kt_text_string(t, ", not followed");
}

/* Returns the number of tasks in rows that are not printed. */
static uint64_t count_hidden_tasks(const struct kt_trace_report *r,
				   const struct kt_count_table *names)
{
	uint64_t n = 0;
	size_t i;

	for (i = kt_report_rows_max(r); i < names->n; i++)
		n += names->counts[i].times;
	return n;
}

static void put_task_count(struct kt_text *t, const struct kt_trace_report *r,
			   const struct kt_count *tasks)
{
	kt_text_padded(t, tasks->count, KT_REPORT_COLUMN, ' ');
	kt_report_rows_share(t, tasks->count, r->summary.records, KT_REPORT_COLUMN);
	put_tasks(t, r, tasks);
	kt_text_char(t, '\n');
}

static void put_task_counts(struct kt_text *t, const struct kt_trace_report *r,
			    const struct kt_count_table *names)
{
	uint64_t rest;

	if (!names->n)
		return;
	kt_report_rows_heading(t, "       count       share  task");
	kt_report_rows_put(t, r, names, put_task_count, &rest);
	kt_report_rows_rest(t, count_hidden_tasks(r, names), "more task", rest, "event");
}

enum { WIDTH = 10 };

/* Puts a time; "-" for none. */
static void put_time(struct kt_text *t, uint64_t ns)
{
	if (ns) {
		kt_text_scaled_time(t, ns, WIDTH);
		return;
	}
	kt_text_fill(t, WIDTH - 1, ' ');
	kt_text_char(t, '-');
}

static void put_state(struct kt_text *t, const struct kt_task_wait *w, enum kt_task_state state)
{
	put_time(t, w->total[state]);
	put_time(t, w->longest[state]);
}

/* Puts how long tasks did not run, if it is not known why. */
static void put_off_cpu(struct kt_text *t, const struct kt_task_wait *w)
{
	uint64_t runnable = w->longest[KT_TASK_RUNNABLE], blocked = w->longest[KT_TASK_BLOCKED];

	put_time(t, w->total[KT_TASK_RUNNABLE] + w->total[KT_TASK_BLOCKED]);
	put_time(t, runnable > blocked ? runnable : blocked);
}

/* Puts who ended most of the time that the tasks were blocked: "; woken by make-812 (82 %)" */
static void put_waker(struct kt_text *t, const struct kt_trace_report *r,
		      const struct kt_task_wait *w)
{
	const struct kt_count *top = kt_task_wait_top_waker(w);

	if (!top)
		return;
	kt_text_string(t, "; woken by ");
	if (top->key)
		put_task(t, r, top->key);
	else
		kt_text_string(t, "interrupts");
	kt_text_string(t, " (");
	kt_text_number(t, (unsigned __int128)top->count * 100 / w->total[KT_TASK_BLOCKED]);
	kt_text_string(t, " %)");
}

static void put_waits(struct kt_text *t, const struct kt_trace_report *r,
		      const struct kt_task_wait *w)
{
	put_time(t, w->longest[KT_TASK_RUNNING]);
	if (!r->times.waits.has_wakeups) {
		put_off_cpu(t, w);
		return;
	}
	put_state(t, w, KT_TASK_RUNNABLE);
	put_state(t, w, KT_TASK_BLOCKED);
}

static void put_heading(struct kt_text *t, const struct kt_task_waits *w)
{
	kt_report_rows_heading(
		t, !w->is_known     ? "   running  of 1 CPU  task"
		   : w->has_wakeups ? "   running  of 1 CPU   longest  runnable   longest   "
				      "blocked   longest  task"
				    : "   running  of 1 CPU   longest   off CPU   longest  task");
}

static void put_row(struct kt_text *t, const struct kt_trace_report *r, const struct tables *c,
		    size_t i)
{
	const struct kt_count *ran = &c->ran.counts[i];

	put_time(t, ran->count);
	kt_report_rows_share(t, ran->count, kt_trace_report_length(r), WIDTH);
	if (r->times.waits.is_known)
		put_waits(t, r, &c->waits[i]);
	put_tasks(t, r, ran);
	put_waker(t, r, &c->waits[i]);
	kt_text_char(t, '\n');
}

/* Puts times that belong to no task or state. */
static void put_unknown(struct kt_text *t, const struct kt_trace_report *r)
{
	bool follows = r->summary.metadata->follows;
	uint64_t unknown = r->times.cpu.unknown, waits = kt_task_waits_unknown(&r->times.waits);

	if (unknown) {
		kt_text_string(t, follows ? "  unattributed: up to " : "  unattributed: ");
		kt_text_scaled_time(t, unknown, 0);
		kt_text_string(t, " of CPU time (switches are missing)\n");
	}
	if (waits) {
		kt_text_string(t, "  unattributed: ");
		kt_text_scaled_time(t, waits, 0);
		kt_text_string(t, " of waits (switches or wakeups are missing)\n");
	}
}

static void put_times(struct kt_text *t, const struct kt_trace_report *r, const struct tables *c)
{
	size_t i, max = kt_report_rows_max(r);
	uint64_t rest = 0;

	if (r->times.cpu.event && !r->times.cpu.known)
		kt_report_rows_heading(t, "no CPU times: sched:sched_switch has a filter");
	if (!c->ran.n && !r->times.cpu.unknown)
		return;
	put_heading(t, &r->times.waits);
	for (i = 0; i < c->ran.n; i++)
		if (i < max)
			put_row(t, r, c, i);
		else
			rest += c->ran.counts[i].count;
	if (c->ran.n > max) {
		kt_report_rows_rest_name(t, count_hidden_tasks(r, &c->ran), "more task");
		kt_text_scaled_time(t, rest, 0);
		kt_text_string(t, KT_REPORT_HAS_ALL);
	}
	put_unknown(t, r);
}

/* Sums up the waits of tasks of one comm. */
static bool sum_waits(struct tables *c, const struct kt_task_waits *w)
{
	struct kt_count_table index = {0};
	uint64_t first, at;
	bool ok = true;
	size_t i;

	for (i = 0; ok && i < c->ran.n; i++)
		ok = kt_count_table_add(&index, c->ran.counts[i].key, i + 1);
	for (i = 0; ok && i < w->n; i++) {
		first = kt_count_table_get(&c->groups, w->tasks[i].task);
		at = first ? kt_count_table_get(&index, first - 1) : 0;
		if (at)
			ok = kt_task_wait_merge(&c->waits[at - 1], &w->tasks[i]);
	}
	kt_count_table_free(&index);
	return ok;
}

static bool make_tables(struct tables *c, const struct kt_trace_report *r)
{
	if (!kt_group_by_comm(&c->active, NULL, &r->summary.tasks, r) ||
	    !kt_group_by_comm(&c->ran, &c->groups, &r->times.cpu.tasks, r))
		return false;
	c->waits = calloc(c->ran.n + 1, sizeof(*c->waits));
	return c->waits && sum_waits(c, &r->times.waits);
}

static void free_tables(struct tables *c)
{
	size_t i;

	for (i = 0; c->waits && i < c->ran.n; i++)
		kt_count_table_free(&c->waits[i].wakers);
	free(c->waits);
	kt_count_table_free(&c->active);
	kt_count_table_free(&c->ran);
	kt_count_table_free(&c->groups);
}

int kt_report_tasks_print(struct kt_text *t, const struct kt_trace_report *r)
{
	struct tables c = {0};
	bool ok = make_tables(&c, r);

	if (ok && (!c.ran.n || r->all))
		put_task_counts(t, r, &c.active);
	if (ok)
		put_times(t, r, &c);
	free_tables(&c);
	return ok ? 0 : -ENOMEM;
}
