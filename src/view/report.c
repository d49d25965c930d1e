// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "trace/schema.h"
#include "view/json.h"
#include "view/text.h"

enum { TASKS_MAX = 20, COLUMN = 12 };

#define SECOND UINT64_C(1000000000)

/* n of sum, times factor, times 10. */
static uint64_t tenths_of(uint64_t n, uint64_t sum, uint64_t factor)
{
	return sum ? (unsigned __int128)n * factor * 10 / sum : 0;
}

static uint64_t length_of(const struct kt_report *r)
{
	return r->extent.end - r->extent.begin;
}

/* In tenths of an event. */
static uint64_t rate_of(const struct kt_report *r, uint64_t n)
{
	return tenths_of(n, length_of(r), SECOND);
}

static void put_all(struct kt_text *t, const char *s)
{
	kt_text_escaped(t, s, strlen(s));
}

static void put_tenths(struct kt_text *t, uint64_t tenths, size_t width)
{
	kt_text_padded(t, tenths / 10, width > 2 ? width - 2 : 1, ' ');
	kt_text_char(t, '.');
	kt_text_number(t, tenths % 10);
}

static void put_counted(struct kt_text *t, uint64_t n, const char *noun)
{
	kt_text_number(t, n);
	kt_text_char(t, ' ');
	kt_text_string(t, noun);
	if (n != 1)
		kt_text_char(t, 's');
}

/* ktrace.out: 3.021 s from 2026-11-22 14:03:07 on host, Linux 6.18.44 */
static void put_where_and_when(struct kt_text *t, const struct kt_report *r)
{
	time_t begin = (int64_t)(r->extent.begin + r->summary.schema->since_1970) / (int64_t)SECOND;
	uint64_t ms = length_of(r) / 1000000;
	char date[64] = "";
	struct tm tm;

	if (localtime_r(&begin, &tm))
		strftime(date, sizeof(date), "%F %T", &tm);
	put_all(t, r->path);
	kt_text_string(t, ": ");
	kt_text_number(t, ms / 1000);
	kt_text_char(t, '.');
	kt_text_padded(t, ms % 1000, 3, '0');
	kt_text_string(t, " s from ");
	kt_text_string(t, date);
	kt_text_string(t, " on ");
	put_all(t, r->summary.schema->hostname);
	kt_text_string(t, ", Linux ");
	put_all(t, r->summary.schema->kernel_release);
	kt_text_char(t, '\n');
	if (r->is_growing)
		kt_text_string(t,
			       "still being recorded; this is what was there when it was read\n");
}

/* 12 events, 4.0 a second, none lost in the rings */
static void put_sums(struct kt_text *t, const struct kt_report *r)
{
	const struct kt_summary *s = &r->summary;
	size_t i;

	put_counted(t, s->records, "event");
	kt_text_string(t, ", ");
	put_tenths(t, rate_of(r, s->records), 0);
	kt_text_string(t, " a second, ");
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

static void put_heading(struct kt_text *t, const char *heading)
{
	kt_text_char(t, '\n');
	kt_text_string(t, heading);
	kt_text_char(t, '\n');
}

static void put_event(struct kt_text *t, const struct kt_report *r, const struct kt_count *c)
{
	const struct kt_event_class *e = &r->summary.schema->events[c->key];

	kt_text_padded(t, c->count, COLUMN, ' ');
	put_tenths(t, rate_of(r, c->count), COLUMN);
	kt_text_string(t, "  ");
	kt_text_string(t, e->system);
	kt_text_char(t, ':');
	kt_text_string(t, e->name);
	kt_text_char(t, '\n');
}

static void put_events(struct kt_text *t, const struct kt_report *r)
{
	const struct kt_summary *s = &r->summary;
	size_t i;

	put_heading(t, "       count    a second  event");
	for (i = 0; i < s->n_events && s->events[i].count; i++)
		put_event(t, r, &s->events[i]);
	if (i == s->n_events)
		return;
	kt_text_string(t, "  ");
	put_counted(t, s->n_events - i, i ? "more event" : "event");
	kt_text_string(t, " without a hit\n");
}

static void put_task(struct kt_text *t, const struct kt_report *r, const struct kt_count *task)
{
	kt_text_padded(t, task->count, COLUMN, ' ');
	put_tenths(t, tenths_of(task->count, r->summary.records, 100), COLUMN - 2);
	kt_text_string(t, " %  ");
	if (task->key)
		kt_text_signed(t, (int32_t)task->key);
	else
		kt_text_string(t, "<idle>");
	kt_text_char(t, '\n');
}

static void put_tasks(struct kt_text *t, const struct kt_report *r)
{
	const struct kt_counts *tasks = &r->summary.tasks;
	uint64_t rest = r->summary.records;
	size_t i;

	if (!tasks->n)
		return;
	put_heading(t, "       count       share  task");
	for (i = 0; i < tasks->n && i < TASKS_MAX; i++) {
		put_task(t, r, &tasks->counts[i]);
		rest -= tasks->counts[i].count;
	}
	if (i == tasks->n)
		return;
	kt_text_string(t, "  ");
	put_counted(t, tasks->n - i, "more task");
	kt_text_string(t, " with ");
	put_counted(t, rest, "event");
	kt_text_string(t, "; --json has all\n");
}

void kt_report_print(struct kt_text *t, const struct kt_report *r)
{
	put_where_and_when(t, r);
	put_sums(t, r);
	put_events(t, r);
	put_tasks(t, r);
	kt_text_flush(t);
}

/* As text says it: 4.1. */
static struct json_object *make_rate(const struct kt_report *r, uint64_t n)
{
	uint64_t tenths = rate_of(r, n);
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64 ".%u", tenths / 10, (unsigned int)(tenths % 10));
	return json_object_new_double_s(tenths / 10.0, text);
}

/* One of an array's objects: what was counted, and how often. */
typedef bool add_count_fn(struct json_object *o, const struct kt_report *r,
			  const struct kt_count *c);

static bool add_event(struct json_object *o, const struct kt_report *r, const struct kt_count *c)
{
	const struct kt_event_class *e = &r->summary.schema->events[c->key];

	return kt_json_add(o, "system", json_object_new_string(e->system)) &&
	       kt_json_add(o, "event", json_object_new_string(e->name)) &&
	       kt_json_add(o, "count", json_object_new_uint64(c->count)) &&
	       kt_json_add(o, "per_second", make_rate(r, c->count));
}

static bool add_task(struct json_object *o, const struct kt_report *r, const struct kt_count *c)
{
	(void)r;
	return kt_json_add(o, "tid", json_object_new_int64((int32_t)c->key)) &&
	       kt_json_add(o, "count", json_object_new_uint64(c->count));
}

static bool add_loss(struct json_object *o, const struct kt_report *r, const struct kt_count *c)
{
	(void)r;
	return kt_json_add(o, "cpu", json_object_new_uint64(c->key)) &&
	       kt_json_add(o, "lost", json_object_new_uint64(c->count));
}

static bool append_count(struct json_object *array, const struct kt_report *r,
			 const struct kt_count *c, add_count_fn *add)
{
	struct json_object *o = json_object_new_object();

	return kt_json_append(array, o) && add(o, r, c);
}

static bool add_counts(struct json_object *o, const char *key, const struct kt_report *r,
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

static struct json_object *make_text(const char *s)
{
	return kt_json_text(s, strlen(s));
}

static bool add_where_and_when(struct json_object *o, const struct kt_report *r)
{
	const struct kt_schema *schema = r->summary.schema;

	return kt_json_add(o, "trace", make_text(r->path)) &&
	       kt_json_add(o, "hostname", make_text(schema->hostname)) &&
	       kt_json_add(o, "kernel_release", make_text(schema->kernel_release)) &&
	       kt_json_add(o, "tracer_version", make_text(schema->tracer_version)) &&
	       kt_json_add(o, "since_1970", json_object_new_int64(schema->since_1970)) &&
	       kt_json_add(o, "begin", json_object_new_uint64(r->extent.begin)) &&
	       kt_json_add(o, "end", json_object_new_uint64(r->extent.end)) &&
	       kt_json_add(o, "growing", json_object_new_boolean(r->is_growing));
}

static bool add_report(struct json_object *o, const struct kt_report *r)
{
	const struct kt_summary *s = &r->summary;

	return add_where_and_when(o, r) &&
	       kt_json_add(o, "count", json_object_new_uint64(s->records)) &&
	       kt_json_add(o, "per_second", make_rate(r, s->records)) &&
	       kt_json_add(o, "lost", json_object_new_uint64(s->lost)) &&
	       add_counts(o, "lost_on", r, s->lost_on.counts, s->lost_on.n, add_loss) &&
	       add_counts(o, "events", r, s->events, s->n_events, add_event) &&
	       add_counts(o, "tasks", r, s->tasks.counts, s->tasks.n, add_task);
}

int kt_report_print_json(FILE *to, const struct kt_report *r)
{
	struct json_object *o = json_object_new_object();
	int ret = kt_json_print(add_report(o, r) ? o : NULL, to);

	json_object_put(o);
	return ret;
}
