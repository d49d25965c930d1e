// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report/report_json.h"

#include <errno.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/time_span.h"
#include "trace/event_counts.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"
#include "view/groups/groups_json.h"
#include "view/report/trace_report.h"
#include "view/syscall_table.h"
#include "view/task_comm.h"

/* Adds one count to an object of an array. */
typedef bool add_count_fn(struct json_object *o, const struct kt_trace_report *r,
			  const struct kt_count *c);

static bool add_name(struct json_object *o, const struct kt_event_class *e)
{
	return kt_json_add_text(o, "system", e->system) && kt_json_add_text(o, "event", e->name);
}

/* Adds when the event's hits are complete, if that is not the whole time. */
static bool add_complete(struct json_object *o, const struct kt_trace_report *r,
			 const struct kt_event_class *e)
{
	struct kt_time_span s = kt_trace_report_span(r, e);

	return (s.from <= r->extent.begin || kt_json_add_number(o, "complete_from", s.from)) &&
	       (s.until >= r->extent.end || kt_json_add_number(o, "complete_until", s.until));
}

static bool add_event(struct json_object *o, const struct kt_trace_report *r,
		      const struct kt_count *c)
{
	const struct kt_event_class *e = &r->summary.metadata->events[c->key];

	if (!add_name(o, e) || (e->filter && !kt_json_add_text(o, "filter", e->filter)) ||
	    !kt_json_add_number(o, "count", c->count))
		return false;
	if (kt_trace_report_early(r, e) &&
	    !kt_json_add_number(o, "early", kt_trace_report_early(r, e)))
		return false;
	if (kt_trace_report_is_complete(r, e))
		return kt_json_add_tenths(o, "per_second", kt_trace_report_rate(r, c->count));
	return add_complete(o, r, e);
}

static bool add_tid(struct json_object *o, const struct kt_trace_report *r, uint32_t task)
{
	struct kt_known_task known = kt_trace_reader_known(r->reader, task);

	return kt_json_add(o, "tid", json_object_new_int64((int32_t)known.tid)) &&
	       kt_task_comm_add(o, known.tid, known.comm) &&
	       (!kt_trace_report_is_followed(r, task) ||
		kt_json_add(o, "followed", json_object_new_boolean(true)));
}

static bool add_task(struct json_object *o, const struct kt_trace_report *r,
		     const struct kt_count *c)
{
	return add_tid(o, r, c->key) && kt_json_add_number(o, "count", c->count);
}

static bool add_task_time(struct json_object *o, const struct kt_trace_report *r,
			  const struct kt_count *c)
{
	return add_tid(o, r, c->key) && kt_json_add_number(o, "cpu_time", c->count);
}

/* Adds a CPU's counts; times as add_usages(). */
static bool add_cpu(struct json_object *o, const struct kt_trace_report *r,
		    const struct kt_count *c)
{
	const struct kt_cpu_time *u = &r->times.cpu;

	return kt_json_add_number(o, "cpu", c->key) && kt_json_add_number(o, "count", c->count) &&
	       kt_json_add_tenths(o, "per_second", kt_trace_report_rate(r, c->count)) &&
	       (!u->known ||
		(kt_json_add_number(o, "cpu_time", kt_count_table_get(&u->busy_on, c->key)) &&
		 kt_json_add_number(o, "cpu_time_unknown",
				    kt_count_table_get(&u->unknown_on, c->key))));
}

static bool add_loss(struct json_object *o, const struct kt_trace_report *r,
		     const struct kt_count *c)
{
	const struct kt_row *row = kt_trace_report_row(r, c);
	const char *cause = kt_loss_name(kt_trace_report_cause(c));

	return add_name(o, &r->summary.metadata->events[row->event]) &&
	       (row->cpu == KT_NO_CPU || kt_json_add_number(o, "cpu", row->cpu)) &&
	       kt_json_add_number(o, "hits", row->outcome.hits) &&
	       kt_json_add_number(o, "lost", c->count) && kt_json_add_text(o, "cause", cause);
}

static bool add_dropped(struct json_object *o, const struct kt_trace_report *r,
			const struct kt_count *c)
{
	(void)r;
	return kt_json_add_number(o, "cpu", c->key) && kt_json_add_number(o, "lost", c->count);
}

static bool append_count(struct json_object *array, const struct kt_trace_report *r,
			 const struct kt_count *c, add_count_fn *add)
{
	struct json_object *o = json_object_new_object();

	return kt_json_append(array, o) && add(o, r, c);
}

static bool add_counts(struct json_object *o, const char *key, const struct kt_trace_report *r,
		       const struct kt_count *c, size_t n, add_count_fn *add)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	if (!kt_json_add(o, key, array))
		return false;
	for (i = 0; i < n; i++)
		if (!append_count(array, r, &c[i], add))
			return false;
	return true;
}

/* Adds an occasion, if there was a hit. Its event may be unknown. */
static bool add_occasion(struct json_object *o, const char *key, const struct kt_occasion *occasion)
{
	struct json_object *hit;

	if (!occasion->hit)
		return true;
	hit = json_object_new_object();
	return kt_json_add(o, key, hit) && kt_json_add_number(hit, "hit", occasion->hit) &&
	       (!occasion->system || (kt_json_add_text(hit, "system", occasion->system) &&
				      kt_json_add_text(hit, "event", occasion->event))) &&
	       (!occasion->filter || kt_json_add_text(hit, "trigger", occasion->filter));
}

/* Adds what a snapshot was taken of. */
static bool add_provenance(struct json_object *o, const struct kt_provenance *from)
{
	return (!from->session || kt_json_add_text(o, "session", from->session)) &&
	       (!from->frozen.hit || kt_json_add_number(o, "frozen_at", from->frozen_at)) &&
	       add_occasion(o, "frozen_by", &from->frozen) &&
	       add_occasion(o, "taken_for", &from->taken) &&
	       (!from->clock_set ||
		kt_json_add(o, "clock_set", json_object_new_int64(from->clock_set)));
}

static bool add_summary(struct json_object *o, const struct kt_trace_report *r)
{
	const struct kt_metadata *metadata = r->summary.metadata;

	return kt_json_add_text(o, "trace", r->path) &&
	       kt_json_add_text(o, "hostname", metadata->hostname) &&
	       kt_json_add_text(o, "kernel_release", metadata->kernel_release) &&
	       kt_json_add_text(o, "tracer_version", metadata->tracer_version) &&
	       kt_json_add(o, "since_1970", json_object_new_int64(metadata->since_1970)) &&
	       kt_json_add_number(o, "begin", r->extent.begin) &&
	       kt_json_add_number(o, "end", r->extent.end) &&
	       kt_json_add(o, "follows", json_object_new_boolean(metadata->follows)) &&
	       (!r->is_partial || kt_json_add(o, "partial", json_object_new_boolean(true))) &&
	       kt_json_add(o, "growing", json_object_new_boolean(r->is_growing));
}

static bool add_event_counts(struct json_object *o, const struct kt_trace_report *r)
{
	struct kt_outcome sum = kt_event_counts_sum(r->counts);
	struct kt_count_table losses = {0};
	bool ok = kt_trace_report_losses(r, &losses) && kt_json_add_number(o, "hits", sum.hits) &&
		  kt_json_add_number(o, "lost", kt_outcome_lost(&sum)) &&
		  kt_json_add_number(o, "overwritten", sum.overwritten) &&
		  kt_json_add_number(o, "filtered", sum.filtered) &&
		  kt_json_add_number(o, "lost_stacks", sum.lost_stacks) &&
		  kt_json_add_number(o, "missed_forks", r->counts->missed_forks) &&
		  kt_json_add_number(o, "missed_functions", r->counts->missed_functions) &&
		  kt_json_add_number(o, "missed_calls", r->counts->missed_calls) &&
		  kt_json_add(o, "missed_unknown",
			      json_object_new_boolean(r->counts->missed_unknown)) &&
		  add_counts(o, "losses", r, losses.counts, losses.n, add_loss);

	kt_count_table_free(&losses);
	return ok;
}

/* Adds losses as far as the streams report them. */
static bool add_all_dropped(struct json_object *o, const struct kt_trace_report *r)
{
	const struct kt_report_counts *s = &r->summary;

	return kt_json_add_number(o, "lost", s->lost) &&
	       add_counts(o, "losses", r, s->lost_on.counts, s->lost_on.n, add_dropped);
}

/* Adds times in ns. */
static bool add_times(struct json_object *o, const struct kt_trace_report *r)
{
	const struct kt_cpu_time *u = &r->times.cpu;

	return !u->known ||
	       (add_counts(o, "cpu_times", r, u->tasks.counts, u->tasks.n, add_task_time) &&
		kt_json_add_number(o, "cpu_time_unknown", u->unknown));
}

static const char *const state_names[KT_TASK_STATES][2] = {
	[KT_TASK_RUNNING] = {"running", "running_longest"},
	[KT_TASK_RUNNABLE] = {"runnable", "runnable_longest"},
	[KT_TASK_BLOCKED] = {"blocked", "blocked_longest"},
};

/* Adds the time in a state, and the longest one. */
static bool add_state(struct json_object *o, const struct kt_task_wait *t, enum kt_task_state state)
{
	return kt_json_add_number(o, state_names[state][0], t->total[state]) &&
	       kt_json_add_number(o, state_names[state][1], t->longest[state]);
}

/* Adds a waker; an interrupt is none of the tasks. */
static bool add_waker(struct json_object *o, const struct kt_trace_report *r,
		      const struct kt_count *c)
{
	return (c->key ? add_tid(o, r, c->key)
		       : kt_json_add(o, "interrupt", json_object_new_boolean(true))) &&
	       kt_json_add_number(o, "blocked", c->count);
}

static bool add_wait(struct json_object *o, const struct kt_trace_report *r,
		     const struct kt_task_wait *t)
{
	return add_tid(o, r, t->task) && add_state(o, t, KT_TASK_RUNNING) &&
	       add_state(o, t, KT_TASK_RUNNABLE) && add_state(o, t, KT_TASK_BLOCKED) &&
	       kt_json_add_number(o, "unknown", t->unknown) &&
	       add_counts(o, "wakers", r, t->wakers.counts, t->wakers.n, add_waker);
}

/* Adds how long tasks waited, in ns. Without wakeups "blocked" includes the wait for a CPU. */
static bool add_waits(struct json_object *o, const struct kt_trace_report *r)
{
	struct json_object *array, *wait;
	size_t i;

	if (!r->times.waits.is_known)
		return true;
	array = json_object_new_array();
	if (!kt_json_add(o, "wakeups_known", json_object_new_boolean(r->times.waits.has_wakeups)) ||
	    !kt_json_add(o, "waits", array))
		return false;
	for (i = 0; i < r->times.waits.n; i++) {
		wait = json_object_new_object();
		if (!kt_json_append(array, wait) || !add_wait(wait, r, &r->times.waits.tasks[i]))
			return false;
	}
	return true;
}

static bool add_call(struct json_object *o, const struct kt_syscall_count *c)
{
	return kt_json_add_text(o, "call", c->name) && kt_json_add_number(o, "calls", c->calls) &&
	       kt_json_add_number(o, "errors", c->errors) &&
	       kt_json_add_number(o, "timed", c->timed) && kt_json_add_number(o, "total", c->ns) &&
	       kt_json_add_number(o, "longest", c->max);
}

static bool add_calls(struct json_object *o, const struct kt_trace_report *r)
{
	struct json_object *array = json_object_new_array(), *call;
	struct kt_syscall_count *rows = NULL;
	ssize_t i, n = -1;
	bool ok = kt_json_add(o, "calls", array);

	if (ok)
		n = kt_syscall_table_rows(r->times.calls, KT_SYSCALL_TABLE_TOTAL, &rows);
	for (i = 0; ok && i < n; i++) {
		call = json_object_new_object();
		ok = kt_json_append(array, call) && add_call(call, &rows[i]);
	}
	free(rows);
	return ok && n >= 0;
}

static const char *const span_kinds[KT_SPAN_KINDS] = {
	[KT_SPAN_DISK] = "disk",       [KT_SPAN_INTERRUPT] = "interrupt",
	[KT_SPAN_SOFTIRQ] = "softirq", [KT_SPAN_HRTIMER] = "hrtimer",
	[KT_SPAN_TIMER] = "timer",
};

static bool add_span(struct json_object *o, const struct kt_span_row *row)
{
	return kt_json_add_text(o, "kind", span_kinds[row->kind]) &&
	       kt_json_add_text(o, "name", row->name) &&
	       kt_json_add_number(o, "count", row->count) &&
	       kt_json_add_number(o, "total", row->total) &&
	       kt_json_add_number(o, "longest", row->longest);
}

/* Adds what took time between two events, in ns. */
static bool add_spans(struct json_object *o, const struct kt_trace_report *r)
{
	const struct kt_span_times *s = &r->times.spans;
	struct json_object *array = json_object_new_array(), *span;
	bool ok = kt_json_add(o, "spans", array);
	size_t i;

	for (i = 0; ok && i < s->n; i++) {
		span = json_object_new_object();
		ok = kt_json_append(array, span) && add_span(span, s->rows[i]);
	}
	return ok;
}

static bool add_tables(struct json_object *o, const struct kt_trace_report *r)
{
	const struct kt_report_counts *s = &r->summary;

	return add_counts(o, "events", r, s->events, s->n_events, add_event) &&
	       add_counts(o, "tasks", r, s->tasks.counts, s->tasks.n, add_task) &&
	       add_times(o, r) && add_waits(o, r) && (!r->times.calls || add_calls(o, r)) &&
	       (!r->times.spans.n || add_spans(o, r)) &&
	       add_counts(o, "cpus", r, s->on_cpu.counts, s->on_cpu.n, add_cpu);
}

static bool add_report(struct json_object *o, const struct kt_trace_report *r)
{
	const struct kt_report_counts *s = &r->summary;

	return add_summary(o, r) && add_provenance(o, &s->metadata->from) &&
	       kt_json_add(o, "ended", json_object_new_boolean(!!r->counts)) &&
	       kt_json_add_number(o, "count", s->records) &&
	       kt_json_add_tenths(o, "per_second", kt_trace_report_rate(r, s->records)) &&
	       (!s->early || kt_json_add_number(o, "early", s->early)) &&
	       (r->counts ? add_event_counts(o, r) : add_all_dropped(o, r)) &&
	       (r->groups ? kt_groups_json_add(o, r->groups) : add_tables(o, r));
}

int kt_report_json_print(FILE *to, const struct kt_trace_report *r)
{
	struct json_object *o = json_object_new_object();
	int ret = kt_json_print(add_report(o, r) ? o : NULL, to);

	json_object_put(o);
	return ret;
}
