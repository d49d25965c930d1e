// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "trace/balance.h"
#include "trace/reader.h"
#include "trace/schema.h"
#include "view/losses.h"
#include "view/task.h"
#include "view/text.h"

enum { ROWS_MAX = 20, COLUMN = 12 };

#define HAS_ALL "; --json has all\n"

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

/* ktrace.out: 3.021 s from 2026-11-22 14:03:07 on here, Linux 6.18.44 */
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
	kt_text_string(t, r->summary.schema->follows ? ", of followed processes alone\n" : "\n");
	if (r->is_growing)
		kt_text_string(t,
			       "still being recorded; this is what was there when it was read\n");
	else if (!r->balance)
		kt_text_string(t, "the recorder's count is not in it, as if it was killed: losses "
				  "are those in the rings alone\n");
}

/* 412 of 600 lost; 3 left out */
static void put_balance(struct kt_text *t, const struct kt_balance *b)
{
	struct kt_outcome sum = kt_balance_sum(b);
	uint64_t lost = kt_outcome_lost(&sum);

	if (lost) {
		kt_text_number(t, lost);
		kt_text_string(t, " of ");
		kt_text_number(t, sum.hits);
	} else {
		kt_text_string(t, b->missed_unknown ? "none known to be" : "none");
	}
	kt_text_string(t, " lost");
	if (sum.filtered) {
		kt_text_string(t, "; ");
		kt_text_number(t, sum.filtered);
		kt_text_string(t, " left out");
	}
	kt_text_char(t, '\n');
	kt_losses_put_notes(t, b, "");
}

/* none lost in the rings: what the streams tell, as there is no balance. */
static void put_dropped(struct kt_text *t, const struct kt_summary *s)
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

/* 12 events, 4.0 a second, … */
static void put_sums(struct kt_text *t, const struct kt_report *r)
{
	put_counted(t, r->summary.records, "event");
	kt_text_string(t, ", ");
	put_tenths(t, rate_of(r, r->summary.records), 0);
	kt_text_string(t, " a second, ");
	if (r->balance)
		put_balance(t, r->balance);
	else
		put_dropped(t, &r->summary);
}

static void put_heading(struct kt_text *t, const char *heading)
{
	kt_text_char(t, '\n');
	kt_text_string(t, heading);
	kt_text_char(t, '\n');
}

/* The first rows of a table; how many are left, and their sum. */
typedef void put_row_fn(struct kt_text *t, const struct kt_report *r, const struct kt_count *c);

static size_t put_rows(struct kt_text *t, const struct kt_report *r, const struct kt_counts *c,
		       put_row_fn *put, uint64_t *rest)
{
	size_t i;

	*rest = 0;
	for (i = 0; i < c->n; i++)
		if (i < ROWS_MAX)
			put(t, r, &c->counts[i]);
		else
			*rest += c->counts[i].count;
	return c->n < ROWS_MAX ? 0 : c->n - ROWS_MAX;
}

static void begin_rest(struct kt_text *t, size_t n, const char *noun)
{
	kt_text_string(t, "  ");
	put_counted(t, n, noun);
	kt_text_string(t, " with ");
}

static void put_rest(struct kt_text *t, size_t n, const char *noun, uint64_t sum, const char *of)
{
	if (!n)
		return;
	begin_rest(t, n, noun);
	put_counted(t, sum, of);
	kt_text_string(t, HAS_ALL);
}

static void put_name(struct kt_text *t, const struct kt_event_class *e)
{
	kt_text_string(t, e->system);
	kt_text_char(t, ':');
	kt_text_string(t, e->name);
}

static void put_event(struct kt_text *t, const struct kt_report *r, const struct kt_count *c)
{
	const struct kt_event_class *e = &r->summary.schema->events[c->key];

	kt_text_padded(t, c->count, COLUMN, ' ');
	put_tenths(t, rate_of(r, c->count), COLUMN);
	kt_text_string(t, "  ");
	put_name(t, e);
	if (e->filter) {
		kt_text_string(t, " where ");
		put_all(t, e->filter);
	}
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

static bool is_followed(const struct kt_report *r, uint32_t tid)
{
	return kt_reader_followed_since(r->reader, tid) != KT_NEVER;
}

/* Of the idle tasks it is known that nobody follows them. */
static bool is_alien(const struct kt_report *r, uint32_t tid)
{
	return r->summary.schema->follows && tid && kt_reader_comm(r->reader, tid) &&
	       !is_followed(r, tid);
}

static void put_tid(struct kt_text *t, const struct kt_report *r, uint32_t tid)
{
	put_all(t, kt_task_name(tid, kt_reader_comm(r->reader, tid)));
	if (tid) {
		kt_text_char(t, '-');
		kt_text_signed(t, (int32_t)tid);
	}
}

static void put_share(struct kt_text *t, uint64_t n, uint64_t sum)
{
	put_tenths(t, tenths_of(n, sum, 100), COLUMN - 2);
	kt_text_string(t, " %  ");
}

static void put_task(struct kt_text *t, const struct kt_report *r, const struct kt_count *task)
{
	kt_text_padded(t, task->count, COLUMN, ' ');
	put_share(t, task->count, r->summary.records);
	put_tid(t, r, task->key);
	kt_text_string(t, is_alien(r, task->key) ? ", not followed\n" : "\n");
}

static void put_tasks(struct kt_text *t, const struct kt_report *r)
{
	const struct kt_counts *tasks = &r->summary.tasks;
	uint64_t rest;
	size_t n;

	if (!tasks->n)
		return;
	put_heading(t, "       count       share  task");
	n = put_rows(t, r, tasks, put_task, &rest);
	put_rest(t, n, "more task", rest, "event");
}

/* In seconds, to the microsecond. */
static void put_time(struct kt_text *t, uint64_t ns, size_t width)
{
	kt_text_padded(t, ns / SECOND, width > 7 ? width - 7 : 1, ' ');
	kt_text_char(t, '.');
	kt_text_padded(t, ns % SECOND / 1000, 6, '0');
}

static void put_usage(struct kt_text *t, const struct kt_report *r, const struct kt_count *task)
{
	put_time(t, task->count, COLUMN);
	put_share(t, task->count, length_of(r));
	put_tid(t, r, task->key);
	kt_text_char(t, '\n');
}

static void put_unknown(struct kt_text *t, const struct kt_report *r)
{
	bool follows = r->summary.schema->follows;

	kt_text_string(t, follows ? "  up to " : "  ");
	put_time(t, r->usage.unknown, 0);
	kt_text_string(t, follows ? " more may be theirs: it is not known who ran then\n"
				  : " in which it is not known who ran\n");
}

static void put_usages(struct kt_text *t, const struct kt_report *r)
{
	const struct kt_usage *u = &r->usage;
	uint64_t rest;
	size_t n;

	if (u->event && !u->known)
		put_heading(t, "no CPU times, as sched:sched_switch has a filter");
	if (!u->tasks.n && !u->unknown)
		return;
	put_heading(t, " CPU seconds    of a CPU  task");
	n = put_rows(t, r, &u->tasks, put_usage, &rest);
	if (n) {
		begin_rest(t, n, "more task");
		put_time(t, rest, 0);
		kt_text_string(t, HAS_ALL);
	}
	if (u->unknown)
		put_unknown(t, r);
}

/* What a balance has lost: a count for each row and cause, the largest first. */
static bool find_losses(struct kt_counts *losses, const struct kt_balance *b)
{
	size_t i, cause;

	for (i = 0; b && i < b->n; i++)
		for (cause = 0; cause < KT_N_LOSSES; cause++)
			if (b->rows[i].outcome.lost[cause] &&
			    !kt_counts_add(losses, i * KT_N_LOSSES + cause,
					   b->rows[i].outcome.lost[cause]))
				return false;
	kt_counts_sort(losses);
	return true;
}

static const struct kt_row *row_of(const struct kt_report *r, const struct kt_count *loss)
{
	return &r->balance->rows[loss->key / KT_N_LOSSES];
}

static enum kt_loss cause_of(const struct kt_count *loss)
{
	return loss->key % KT_N_LOSSES;
}

static void put_loss(struct kt_text *t, const struct kt_report *r, const struct kt_count *loss)
{
	const struct kt_row *row = row_of(r, loss);

	kt_text_padded(t, loss->count, COLUMN, ' ');
	kt_text_padded(t, row->outcome.hits, COLUMN, ' ');
	if (row->cpu == KT_NO_CPU)
		kt_text_string(t, "    -");
	else
		kt_text_padded(t, row->cpu, 5, ' ');
	kt_text_string(t, "  ");
	put_name(t, &r->summary.schema->events[row->event]);
	kt_text_string(t, ", ");
	kt_text_string(t, kt_loss_why(cause_of(loss)));
	kt_text_char(t, '\n');
}

static void put_losses(struct kt_text *t, const struct kt_report *r, const struct kt_counts *losses)
{
	uint64_t rest;
	size_t n;

	if (!losses->n)
		return;
	put_heading(t, "        lost     of hits  cpu  event, and why");
	n = put_rows(t, r, losses, put_loss, &rest);
	put_rest(t, n, "more row", rest, "lost event");
}

int kt_report_print(struct kt_text *t, const struct kt_report *r)
{
	struct kt_counts losses = {0};
	bool ok = find_losses(&losses, r->balance);

	if (ok) {
		put_where_and_when(t, r);
		put_sums(t, r);
		put_events(t, r);
		put_tasks(t, r);
		put_usages(t, r);
		put_losses(t, r, &losses);
		kt_text_flush(t);
	}
	kt_counts_free(&losses);
	return ok ? 0 : -ENOMEM;
}

/* As text says it: 4.1. */
static struct json_object *make_rate(const struct kt_report *r, uint64_t n)
{
	uint64_t tenths = rate_of(r, n);
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64 ".%u", tenths / 10, (unsigned int)(tenths % 10));
	return json_object_new_double_s(tenths / 10.0, text);
}

static struct json_object *make_text(const char *s)
{
	return kt_json_text(s, strlen(s));
}

/* One of an array's objects: what was counted, and how often. */
typedef bool add_count_fn(struct json_object *o, const struct kt_report *r,
			  const struct kt_count *c);

static bool add_name(struct json_object *o, const struct kt_event_class *e)
{
	return kt_json_add(o, "system", json_object_new_string(e->system)) &&
	       kt_json_add(o, "event", json_object_new_string(e->name));
}

static bool add_event(struct json_object *o, const struct kt_report *r, const struct kt_count *c)
{
	const struct kt_event_class *e = &r->summary.schema->events[c->key];

	return add_name(o, e) && (!e->filter || kt_json_add(o, "filter", make_text(e->filter))) &&
	       kt_json_add(o, "count", json_object_new_uint64(c->count)) &&
	       kt_json_add(o, "per_second", make_rate(r, c->count));
}

static bool add_tid(struct json_object *o, const struct kt_report *r, uint32_t tid)
{
	return kt_json_add(o, "tid", json_object_new_int64((int32_t)tid)) &&
	       kt_task_add_name(o, tid, kt_reader_comm(r->reader, tid)) &&
	       (!is_followed(r, tid) || kt_json_add(o, "followed", json_object_new_boolean(true)));
}

static bool add_task(struct json_object *o, const struct kt_report *r, const struct kt_count *c)
{
	return add_tid(o, r, c->key) && kt_json_add(o, "count", json_object_new_uint64(c->count));
}

static bool add_usage(struct json_object *o, const struct kt_report *r, const struct kt_count *c)
{
	return add_tid(o, r, c->key) &&
	       kt_json_add(o, "cpu_time", json_object_new_uint64(c->count));
}

static bool add_loss(struct json_object *o, const struct kt_report *r, const struct kt_count *c)
{
	const struct kt_row *row = row_of(r, c);
	const char *cause = kt_loss_name(cause_of(c));

	return add_name(o, &r->summary.schema->events[row->event]) &&
	       (row->cpu == KT_NO_CPU || kt_json_add(o, "cpu", json_object_new_uint64(row->cpu))) &&
	       kt_json_add(o, "hits", json_object_new_uint64(row->outcome.hits)) &&
	       kt_json_add(o, "lost", json_object_new_uint64(c->count)) &&
	       kt_json_add(o, "cause", json_object_new_string(cause));
}

static bool add_dropped(struct json_object *o, const struct kt_report *r, const struct kt_count *c)
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
	       kt_json_add(o, "follows", json_object_new_boolean(schema->follows)) &&
	       kt_json_add(o, "growing", json_object_new_boolean(r->is_growing));
}

static bool add_balance(struct json_object *o, const struct kt_report *r)
{
	struct kt_outcome sum = kt_balance_sum(r->balance);
	struct kt_counts losses = {0};
	bool ok =
		find_losses(&losses, r->balance) &&
		kt_json_add(o, "hits", json_object_new_uint64(sum.hits)) &&
		kt_json_add(o, "lost", json_object_new_uint64(kt_outcome_lost(&sum))) &&
		kt_json_add(o, "filtered", json_object_new_uint64(sum.filtered)) &&
		kt_json_add(o, "missed_forks", json_object_new_uint64(r->balance->missed_forks)) &&
		kt_json_add(o, "missed_unknown",
			    json_object_new_boolean(r->balance->missed_unknown)) &&
		add_counts(o, "losses", r, losses.counts, losses.n, add_loss);

	kt_counts_free(&losses);
	return ok;
}

/* The same, as far as the streams tell it. */
static bool add_all_dropped(struct json_object *o, const struct kt_report *r)
{
	const struct kt_summary *s = &r->summary;

	return kt_json_add(o, "lost", json_object_new_uint64(s->lost)) &&
	       add_counts(o, "losses", r, s->lost_on.counts, s->lost_on.n, add_dropped);
}

/* In ns. */
static bool add_usages(struct json_object *o, const struct kt_report *r)
{
	const struct kt_usage *u = &r->usage;

	return !u->known ||
	       (add_counts(o, "cpu_times", r, u->tasks.counts, u->tasks.n, add_usage) &&
		kt_json_add(o, "cpu_time_unknown", json_object_new_uint64(u->unknown)));
}

static bool add_report(struct json_object *o, const struct kt_report *r)
{
	const struct kt_summary *s = &r->summary;

	return add_where_and_when(o, r) &&
	       kt_json_add(o, "ended", json_object_new_boolean(!!r->balance)) &&
	       kt_json_add(o, "count", json_object_new_uint64(s->records)) &&
	       kt_json_add(o, "per_second", make_rate(r, s->records)) &&
	       (r->balance ? add_balance(o, r) : add_all_dropped(o, r)) &&
	       add_counts(o, "events", r, s->events, s->n_events, add_event) &&
	       add_counts(o, "tasks", r, s->tasks.counts, s->tasks.n, add_task) && add_usages(o, r);
}

int kt_report_print_json(FILE *to, const struct kt_report *r)
{
	struct json_object *o = json_object_new_object();
	int ret = kt_json_print(add_report(o, r) ? o : NULL, to);

	json_object_put(o);
	return ret;
}
