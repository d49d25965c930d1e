// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/syscall_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "trace/read/syscall_pairs.h"
#include "values/text.h"

struct kt_syscall_table {
	const struct kt_metadata *metadata;
	struct kt_syscall_pairs *pairs;
	struct kt_syscall_count *counts; /* by the entry's event id */
	uint64_t untimed, unpaired;
};

struct kt_syscall_table *kt_syscall_table_new(const struct kt_metadata *metadata)
{
	struct kt_syscall_table *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->metadata = metadata;
	c->pairs = kt_syscall_pairs_new(metadata);
	c->counts = calloc(metadata->n_events + 1, sizeof(*c->counts));
	if (c->pairs && c->counts)
		return c;
	kt_syscall_table_free(c);
	return NULL;
}

void kt_syscall_table_free(struct kt_syscall_table *c)
{
	if (!c)
		return;
	kt_syscall_pairs_free(c->pairs);
	free(c->counts);
	free(c);
}

static struct kt_syscall_count *get_count(struct kt_syscall_table *c,
					  const struct kt_call_kind *kind)
{
	struct kt_syscall_count *count = &c->counts[kind->events[KT_ENTER] - c->metadata->events];

	count->name = kind->name;
	return count;
}

static void add_time(struct kt_syscall_count *to, uint64_t ns)
{
	if (to->timed == 0 || ns < to->min)
		to->min = ns;
	if (ns > to->max)
		to->max = ns;
	to->ns += ns;
	to->timed++;
}

static void add_call(struct kt_syscall_table *c, const struct kt_call *call,
		     const struct kt_hit *exit)
{
	struct kt_syscall_count *count = get_count(c, call->kind);

	if (!call->entry && kt_syscall_pairs_is_of_child(call->kind, exit))
		return;
	count->calls++;
	count->errors += kt_syscall_pairs_failed(exit, call->kind->ret);
	if (call->entry)
		add_time(count, exit->time - call->entry->time);
	else
		c->untimed++;
}

int kt_syscall_table_add(struct kt_syscall_table *c, const struct kt_hit *hit)
{
	struct kt_call call;
	int step = kt_syscall_pairs_add(c->pairs, hit, &call);
	enum kt_side side;

	if (step < 0)
		return step;
	if (step == KT_CALL_RETURNED)
		add_call(c, &call, hit);
	else if (step == KT_CALL_ENTERED && !call.kind->returns && !call.kind->ends)
		get_count(c, call.kind)->calls++;
	else if (step == KT_CALL_NONE && hit->event &&
		 kt_syscall_of(hit->event->system, hit->event->name, &side))
		c->unpaired++;
	return 0;
}

uint64_t kt_syscall_table_untimed(const struct kt_syscall_table *c)
{
	return c->untimed;
}

uint64_t kt_syscall_table_unpaired(const struct kt_syscall_table *c)
{
	return c->unpaired;
}

struct column {
	const char *name, *title;
	size_t width; /* minimum width */
};

static const struct column all_columns[] = {
	[KT_SYSCALL_TABLE_SHARE] = {"time-percent", "% time", 6},
	[KT_SYSCALL_TABLE_TOTAL] = {"total-time", "seconds", 11},
	[KT_SYSCALL_TABLE_MIN] = {"min-time", "shortest", 8},
	[KT_SYSCALL_TABLE_MAX] = {"max-time", "longest", 8},
	[KT_SYSCALL_TABLE_MEAN] = {"avg-time", "usecs/call", 11},
	[KT_SYSCALL_TABLE_CALLS] = {"calls", "calls", 9},
	[KT_SYSCALL_TABLE_ERRORS] = {"errors", "errors", 9},
	[KT_SYSCALL_TABLE_NAME] = {"name", "syscall", 16},
};

enum kt_syscall_table_column kt_syscall_table_column(const char *name, size_t len)
{
	enum kt_syscall_table_column c;

	for (c = 0; c < KT_SYSCALL_TABLE_COLUMNS; c++)
		if (strlen(all_columns[c].name) == len &&
		    strncmp(all_columns[c].name, name, len) == 0)
			break;
	return c;
}

static uint64_t compute_mean(const struct kt_syscall_count *c)
{
	return c->timed ? c->ns / c->timed : 0;
}

/* Returns what rows are sorted by. */
static uint64_t get_sort_key(const struct kt_syscall_count *c, enum kt_syscall_table_column by)
{
	switch (by) {
	case KT_SYSCALL_TABLE_SHARE:
	case KT_SYSCALL_TABLE_TOTAL:
		return c->ns;
	case KT_SYSCALL_TABLE_MIN:
		return c->min;
	case KT_SYSCALL_TABLE_MAX:
		return c->max;
	case KT_SYSCALL_TABLE_MEAN:
		return compute_mean(c);
	case KT_SYSCALL_TABLE_CALLS:
		return c->calls;
	case KT_SYSCALL_TABLE_ERRORS:
		return c->errors;
	default:
		return 0;
	}
}

static int compare_counts(const void *a, const void *b, void *by)
{
	const struct kt_syscall_count *x = a, *y = b;
	uint64_t n = get_sort_key(x, *(enum kt_syscall_table_column *)by);
	uint64_t m = get_sort_key(y, *(enum kt_syscall_table_column *)by);

	return n == m ? strcmp(x->name, y->name) : n > m ? -1 : 1;
}

ssize_t kt_syscall_table_rows(const struct kt_syscall_table *c, enum kt_syscall_table_column by,
			      struct kt_syscall_count **rows)
{
	size_t i, n = 0;

	*rows = calloc(c->metadata->n_events + 1, sizeof(**rows));
	if (!*rows)
		return -ENOMEM;
	for (i = 0; i < c->metadata->n_events; i++)
		if (c->counts[i].calls)
			(*rows)[n++] = c->counts[i];
	if (by != KT_SYSCALL_TABLE_COLUMNS)
		qsort_r(*rows, n, sizeof(**rows), compare_counts, &by);
	return n;
}

bool kt_syscall_table_has(const struct kt_syscall_table *c, size_t event)
{
	const struct kt_call_kind *kind = kt_syscall_pairs_kind(c->pairs, event);

	return kind && c->counts[kind->events[KT_ENTER] - c->metadata->events].calls > 0;
}

ssize_t kt_syscall_table_open(const struct kt_syscall_table *c)
{
	struct kt_call *calls;
	ssize_t n = kt_syscall_pairs_open(c->pairs, &calls);

	if (n >= 0)
		free(calls);
	return n;
}

/* The table that is printed. */
struct table {
	struct kt_syscall_count *rows, sum;
	size_t n;
	struct kt_syscall_table_form form;
	size_t widths[KT_SYSCALL_TABLE_COLUMNS];
};

static void add_to_sum(struct table *t, const struct kt_syscall_count *c)
{
	t->sum.calls += c->calls;
	t->sum.errors += c->errors;
	if (c->timed && (t->sum.timed == 0 || c->min < t->sum.min))
		t->sum.min = c->min;
	if (c->max > t->sum.max)
		t->sum.max = c->max;
	t->sum.timed += c->timed;
	t->sum.ns += c->ns;
}

enum { CELL = 64 };

static const char *format_time(uint64_t ns, char to[CELL])
{
	enum { MICROSECONDS = 1000000 };
	uint64_t us = (ns + 500) / 1000;

	snprintf(to, CELL, "%" PRIu64 ".%06" PRIu64, us / MICROSECONDS, us % MICROSECONDS);
	return to;
}

static const char *format_number(uint64_t n, char to[CELL])
{
	snprintf(to, CELL, "%" PRIu64, n);
	return to;
}

static const char *format_share(const struct table *t, const struct kt_syscall_count *c,
				char to[CELL])
{
	snprintf(to, CELL, "%.2f", t->sum.ns ? 100.0 * c->ns / t->sum.ns : c == &t->sum ? 100 : 0);
	return to;
}

/* Returns a cell's text, in `to` or elsewhere. */
static const char *format_cell(const struct table *t, const struct kt_syscall_count *c,
			       enum kt_syscall_table_column at, char to[CELL])
{
	if (at < KT_SYSCALL_TABLE_CALLS && !c->timed)
		return "?";
	switch (at) {
	case KT_SYSCALL_TABLE_SHARE:
		return format_share(t, c, to);
	case KT_SYSCALL_TABLE_TOTAL:
		return format_time(c->ns, to);
	case KT_SYSCALL_TABLE_MIN:
		return format_time(c->min, to);
	case KT_SYSCALL_TABLE_MAX:
		return format_time(c->max, to);
	case KT_SYSCALL_TABLE_MEAN:
		return format_number(compute_mean(c) / 1000, to);
	case KT_SYSCALL_TABLE_CALLS:
		return format_number(c->calls, to);
	case KT_SYSCALL_TABLE_ERRORS:
		return c->errors ? format_number(c->errors, to) : "";
	default:
		return c->name;
	}
}

static void widen_columns(struct table *t, const struct kt_syscall_count *c)
{
	enum kt_syscall_table_column at;
	char cell[CELL];
	size_t i, width;

	for (i = 0; i < t->form.n; i++) {
		at = t->form.columns[i];
		width = strlen(format_cell(t, c, at, cell));
		if (width > t->widths[at])
			t->widths[at] = width;
	}
}

static void measure_columns(struct table *t)
{
	size_t i;

	for (i = 0; i < KT_SYSCALL_TABLE_COLUMNS; i++)
		t->widths[i] = all_columns[i].width;
	widen_columns(t, &t->sum);
	for (i = 0; i < t->n; i++)
		widen_columns(t, &t->rows[i]);
}

/* Prints a cell: names are aligned left, without blanks after the last one. */
static void put_cell(struct kt_text *to, const struct table *t, size_t i, const char *cell)
{
	size_t blanks = t->widths[t->form.columns[i]] - strlen(cell);
	bool is_name = t->form.columns[i] == KT_SYSCALL_TABLE_NAME;

	if (i > 0)
		kt_text_char(to, ' ');
	if (!is_name)
		kt_text_fill(to, blanks, ' ');
	kt_text_string(to, cell);
	if (is_name && i + 1 < t->form.n)
		kt_text_fill(to, blanks, ' ');
}

static void put_head(struct kt_text *to, const struct table *t)
{
	size_t i;

	for (i = 0; i < t->form.n; i++)
		put_cell(to, t, i, all_columns[t->form.columns[i]].title);
	kt_text_char(to, '\n');
}

static void put_rule(struct kt_text *to, const struct table *t)
{
	size_t i;

	for (i = 0; i < t->form.n; i++) {
		if (i > 0)
			kt_text_char(to, ' ');
		kt_text_fill(to, t->widths[t->form.columns[i]], '-');
	}
	kt_text_char(to, '\n');
}

static void put_row(struct kt_text *to, const struct table *t, const struct kt_syscall_count *c)
{
	char cell[CELL];
	size_t i;

	for (i = 0; i < t->form.n; i++)
		put_cell(to, t, i, format_cell(t, c, t->form.columns[i], cell));
	kt_text_char(to, '\n');
}

static void put_table(struct kt_text *to, const struct table *t)
{
	size_t i;

	put_head(to, t);
	put_rule(to, t);
	for (i = 0; i < t->n; i++)
		put_row(to, t, &t->rows[i]);
	put_rule(to, t);
	put_row(to, t, &t->sum);
}

static const struct kt_syscall_table_form usual = {
	.columns = {KT_SYSCALL_TABLE_SHARE, KT_SYSCALL_TABLE_TOTAL, KT_SYSCALL_TABLE_MEAN,
		    KT_SYSCALL_TABLE_CALLS, KT_SYSCALL_TABLE_ERRORS, KT_SYSCALL_TABLE_NAME},
	.n = 6,
};

int kt_syscall_table_print(const struct kt_syscall_table *c, struct kt_text *to,
			   const struct kt_syscall_table_form *form)
{
	struct table t = {.form = form->n ? *form : usual, .sum.name = "total"};
	ssize_t i, n = kt_syscall_table_rows(c, form->by, &t.rows);

	if (n < 0)
		return n;
	t.n = n;
	for (i = 0; i < n; i++)
		add_to_sum(&t, &t.rows[i]);
	measure_columns(&t);
	if (t.n > 0)
		put_table(to, &t);
	free(t.rows);
	return 0;
}
