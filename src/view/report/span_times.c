// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report/span_times.h"

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "constants/labels.h"
#include "constants/symbols.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"

/* more than any Linux has */
enum { CPUS_MAX = 1 << 15 };

/* A span in progress. */
struct span {
	uint64_t since; /* 0: none */
	uint64_t keys[2];
	struct kt_span_row *row;
};

struct kt_span_cpu {
	struct span spans[KT_SPAN_KINDS];
};

/* What the events of a kind are called; the name is a field of the begin. */
struct pair {
	const char *system, *begin, *end;
	const char *keys[2], *name;
};

static const struct pair all_pairs[] = {
	[KT_SPAN_DISK] =
		{"block", "block_rq_issue", "block_rq_complete", {"dev", "sector"}, "rwbs"},
	[KT_SPAN_INTERRUPT] = {"irq", "irq_handler_entry", "irq_handler_exit", {"irq"}, "name"},
	[KT_SPAN_SOFTIRQ] = {"irq", "softirq_entry", "softirq_exit", {"vec"}, "vec"},
	[KT_SPAN_HRTIMER] =
		{"timer", "hrtimer_expire_entry", "hrtimer_expire_exit", {"hrtimer"}, "function"},
	[KT_SPAN_TIMER] =
		{"timer", "timer_expire_entry", "timer_expire_exit", {"timer"}, "function"},
};

/* Finds an event and its keys; an event that has a filter would miss its counterpart. */
static const struct kt_event_class *find_event(const struct kt_metadata *s, const struct pair *pair,
					       const char *name, const struct kt_member *keys[2])
{
	const struct kt_event_class *e;
	size_t i;

	for (i = 0; i < s->n_events; i++) {
		e = &s->events[i];
		if (!e->system || strcmp(e->system, pair->system) || strcmp(e->name, name))
			continue;
		keys[0] = kt_record_layout_find_number(&e->fields, pair->keys[0]);
		keys[1] = pair->keys[1] ? kt_record_layout_find_number(&e->fields, pair->keys[1])
					: NULL;
		if (!e->filter && keys[0] && (!pair->keys[1] || keys[1]))
			return e;
	}
	return NULL;
}

void kt_span_times_begin(struct kt_span_times *s, const struct kt_trace_reader *r)
{
	const struct kt_metadata *metadata = kt_trace_reader_metadata(r);
	struct kt_span_events *events;
	enum kt_span_kind kind;

	*s = (struct kt_span_times){0};
	for (kind = 0; kind < KT_SPAN_KINDS; kind++) {
		events = &s->events[kind];
		events->begin = find_event(metadata, &all_pairs[kind], all_pairs[kind].begin,
					   events->keys[0]);
		events->end = find_event(metadata, &all_pairs[kind], all_pairs[kind].end,
					 events->keys[1]);
		if (!events->begin || !events->end) {
			*events = (struct kt_span_events){0};
			continue;
		}
		events->name = kt_record_layout_find(&events->begin->fields, all_pairs[kind].name);
		events->complete =
			kt_time_span_within(events->begin->complete, events->end->complete);
	}
}

static const struct kt_value *get_value(const struct kt_hit *hit, const struct kt_member *m)
{
	return &hit->values[m - hit->event->fields.members];
}

static void read_keys(const struct kt_hit *hit, const struct kt_member *const members[2],
		      uint64_t keys[2])
{
	size_t i;

	for (i = 0; i < 2; i++)
		keys[i] =
			members[i] ? kt_value_number(members[i], get_value(hit, members[i]), 0) : 0;
}

/* Returns the operation of a request; a flush before it is none of its own (blk_fill_rwbs). */
static char find_operation(const char *rwbs, size_t len)
{
	if (len > 1 && rwbs[0] == 'F' && strchr("WDEFRN", rwbs[1]))
		return rwbs[1];
	return len > 0 ? rwbs[0] : 0;
}

static const char *name_operation(char operation)
{
	switch (operation) {
	case 'R':
		return "read";
	case 'W':
		return "write";
	case 'D':
		return "discard";
	case 'E':
		return "erase";
	case 'F':
		return "flush";
	default:
		return "other";
	}
}

static int compare_rows(const void *a, const void *b)
{
	const struct kt_span_row *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->id == y->id ? 0 : x->id < y->id ? -1 : 1;
}

static int compare_spans(const void *a, const void *b)
{
	return memcmp(((const struct span *)a)->keys, ((const struct span *)b)->keys,
		      sizeof(((const struct span *)a)->keys));
}

/* Returns the row's id: of a disk's operation, a timer's function, an interrupt or softirq. */
static uint64_t find_id(enum kt_span_kind kind, const struct kt_member *name,
			const struct kt_value *value, uint64_t key)
{
	char operation = name && name->text ? find_operation(value->data, value->n) : 0;

	if (kind == KT_SPAN_DISK)
		return key << 8 | (unsigned char)operation;
	return name && kt_member_is_number(name) ? kt_value_number(name, value, 0) : key;
}

static int print_number(char **to, const struct kt_member *m, uint64_t number)
{
	char symbol[KT_SYMBOL_MAX];
	struct kt_labelled labels = {0};

	if (m && m->labels)
		kt_labels_of(m->labels, number, &labels);
	if (labels.n == 1)
		return asprintf(to, "%s", labels.text[0]);
	if (m && m->symbols && kt_symbols_write(m->symbols, number, symbol))
		return asprintf(to, "%s", symbol);
	return asprintf(to, m && m->symbols ? "0x%" PRIx64 : "%" PRIu64, number);
}

/* Names a row after the begin of a span: "254:0 read", "24 virtio0-input", "NET_RX". */
static int print_name(char **to, const struct kt_span_row *row, const struct kt_member *name,
		      const struct kt_value *value)
{
	uint32_t dev = row->id >> 8;

	if (row->kind == KT_SPAN_DISK)
		return asprintf(to, "%u:%u %s", dev >> 20, dev & ((1 << 20) - 1),
				name_operation((char)row->id));
	if (name && name->text)
		return asprintf(to, "%" PRIu64 " %.*s", row->id,
				(int)strnlen(value->data, value->n), value->data);
	return print_number(to, name, row->id);
}

/* Returns the row with that kind and id, which is created if necessary; NULL without memory. */
static struct kt_span_row *get_row(struct kt_span_times *s, enum kt_span_kind kind,
				   const struct kt_hit *begin, uint64_t key)
{
	const struct kt_member *name = s->events[kind].name;
	const struct kt_value *value = name ? get_value(begin, name) : NULL;
	struct kt_span_row wanted = {.kind = kind, .id = find_id(kind, name, value, key)};
	struct kt_span_row **found = tfind(&wanted, &s->index, compare_rows), *row, **rows;

	if (found)
		return *found;
	rows = kt_grow(s->rows, s->n, sizeof(*rows));
	if (!rows)
		return NULL;
	s->rows = rows;
	row = malloc(sizeof(*row));
	if (!row)
		return NULL;
	*row = wanted;
	if (print_name(&row->name, row, name, value) < 0)
		row->name = NULL;
	if (row->name && tsearch(row, &s->index, compare_rows)) {
		rows[s->n++] = row;
		return row;
	}
	free(row->name);
	free(row);
	return NULL;
}

/* Gets where a CPU has its span of a kind. Returns NULL without memory. */
static struct span *get_cpu_span(struct kt_span_times *s, unsigned int cpu, enum kt_span_kind kind)
{
	struct kt_span_cpu *cpus;

	if (cpu >= s->n_cpus) {
		cpus = reallocarray(s->cpus, cpu + 1, sizeof(*cpus));
		if (!cpus)
			return NULL;
		memset(cpus + s->n_cpus, 0, (cpu + 1 - s->n_cpus) * sizeof(*cpus));
		s->cpus = cpus;
		s->n_cpus = cpu + 1;
	}
	return &s->cpus[cpu].spans[kind];
}

/* Begins a request; one of the same sector that has not ended was requeued, or its end is lost. */
static bool begin_request(struct kt_span_times *s, const struct span *span)
{
	struct span **found = tfind(span, &s->requests, compare_spans), *copy;

	if (found) {
		**found = *span;
		return true;
	}
	copy = malloc(sizeof(*copy));
	if (!copy)
		return false;
	*copy = *span;
	if (tsearch(copy, &s->requests, compare_spans))
		return true;
	free(copy);
	return false;
}

static bool begin_span(struct kt_span_times *s, enum kt_span_kind kind, const struct kt_hit *hit)
{
	struct span span = {.since = hit->time}, *at;

	read_keys(hit, s->events[kind].keys[0], span.keys);
	span.row = get_row(s, kind, hit, span.keys[0]);
	if (!span.row)
		return false;
	if (kind == KT_SPAN_DISK)
		return begin_request(s, &span);
	at = get_cpu_span(s, hit->cpu, kind);
	if (at)
		*at = span;
	return at;
}

/* Removes the request that ends with a hit; its since is 0 if there is none. */
static struct span end_request(struct kt_span_times *s, const struct span *ended)
{
	struct span **found = tfind(ended, &s->requests, compare_spans), *at, request = {0};

	if (!found)
		return request;
	at = *found;
	request = *at;
	tdelete(ended, &s->requests, compare_spans);
	free(at);
	return request;
}

static struct span end_on_cpu(struct kt_span_times *s, enum kt_span_kind kind, unsigned int cpu,
			      const struct span *ended)
{
	struct span *at = cpu < s->n_cpus ? &s->cpus[cpu].spans[kind] : NULL, span = {0};

	if (at && at->since && compare_spans(at, ended) == 0)
		span = *at;
	if (at)
		*at = (struct span){0};
	return span;
}

static void end_span(struct kt_span_times *s, const struct kt_trace_reader *r,
		     enum kt_span_kind kind, const struct kt_hit *hit)
{
	struct span ended = {0}, span;
	uint64_t ns;

	read_keys(hit, s->events[kind].keys[1], ended.keys);
	span = kind == KT_SPAN_DISK ? end_request(s, &ended)
				    : end_on_cpu(s, kind, hit->cpu, &ended);
	if (!span.since || kt_trace_reader_last_gap(r) > span.since) {
		s->unpaired[kind]++;
		return;
	}
	ns = hit->time - span.since;
	span.row->count++;
	span.row->total += ns;
	if (ns > span.row->longest)
		span.row->longest = ns;
}

bool kt_span_times_add(struct kt_span_times *s, const struct kt_trace_reader *r,
		       const struct kt_hit *hit)
{
	const struct kt_span_events *events;
	enum kt_span_kind kind;

	if (!hit->event || hit->is_early || hit->cpu >= CPUS_MAX)
		return true;
	for (kind = 0; kind < KT_SPAN_KINDS; kind++) {
		events = &s->events[kind];
		if (hit->time < events->complete.from || hit->time > events->complete.until)
			continue;
		if (hit->event == events->begin)
			return begin_span(s, kind, hit);
		if (hit->event == events->end)
			end_span(s, r, kind, hit);
	}
	return true;
}

bool kt_span_times_in_interrupt(const struct kt_span_times *s, const struct kt_trace_reader *r,
				unsigned int cpu)
{
	uint64_t since;
	enum kt_span_kind kind;

	for (kind = KT_SPAN_DISK + 1; cpu < s->n_cpus && kind < KT_SPAN_KINDS; kind++) {
		since = s->cpus[cpu].spans[kind].since;
		if (since && since >= kt_trace_reader_last_gap(r))
			return true;
	}
	return false;
}

static int compare_totals(const void *a, const void *b)
{
	const struct kt_span_row *x = *(struct kt_span_row *const *)a;
	const struct kt_span_row *y = *(struct kt_span_row *const *)b;

	return x->total == y->total ? compare_rows(x, y) : x->total > y->total ? -1 : 1;
}

void kt_span_times_end(struct kt_span_times *s)
{
	if (s->n)
		qsort(s->rows, s->n, sizeof(*s->rows), compare_totals);
}

static void leave_row(void *row)
{
	(void)row; /* freed with the array */
}

void kt_span_times_free(struct kt_span_times *s)
{
	size_t i;

	tdestroy(s->index, leave_row);
	tdestroy(s->requests, free);
	for (i = 0; i < s->n; i++) {
		free(s->rows[i]->name);
		free(s->rows[i]);
	}
	free(s->rows);
	free(s->cpus);
}
