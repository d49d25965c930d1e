// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report/cpu_time.h"

#include <stdlib.h>
#include <string.h>

#include "base/time_span.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"

/*
 * Returns when every switch is in the trace: while the event was enabled, as far as the trace says.
 */
static struct kt_time_span find_known_time(const struct kt_cpu_time *u, struct kt_extent extent)
{
	return kt_time_span_within(u->event->complete,
				   (struct kt_time_span){extent.begin, extent.end});
}

/* more than any Linux has */
enum { CPUS_MAX = 1 << 15 };

/* The task that runs on a CPU, as far as it is known, and since when. */
struct kt_cpu_time_cpu {
	uint64_t since;
	uint32_t task;
	bool begun;    /* there was a hit: the first one says which task ran before it */
	bool is_found; /* hits say since when the task runs */
	uint64_t begin;
	bool lost; /* records were lost since then */
};

static bool is_switch(const struct kt_event_class *e)
{
	return e->system && !strcmp(e->system, "sched") && !strcmp(e->name, "sched_switch");
}

void kt_cpu_time_begin(struct kt_cpu_time *u, const struct kt_trace_reader *r)
{
	const struct kt_metadata *s = kt_trace_reader_metadata(r);
	const struct kt_event_class *e;
	size_t i = 0;

	*u = (struct kt_cpu_time){0};
	while (i < s->n_events && !is_switch(&s->events[i]))
		i++;
	if (i == s->n_events)
		return;
	e = &s->events[i];
	u->next = kt_record_layout_find_number(&e->fields, "next_pid");
	u->event = u->next ? e : NULL;
	u->known = u->next && !e->filter;
}

/* Returns a CPU's state; NULL without memory, or for a CPU number that is too large. */
static struct kt_cpu_time_cpu *get_cpu(struct kt_cpu_time *u, size_t cpu)
{
	struct kt_cpu_time_cpu *cpus;

	if (cpu < u->n_cpus)
		return &u->cpus[cpu];
	cpus = reallocarray(u->cpus, cpu + 1, sizeof(*cpus));
	if (!cpus)
		return NULL;
	memset(cpus + u->n_cpus, 0, (cpu + 1 - u->n_cpus) * sizeof(*cpus));
	u->cpus = cpus;
	u->n_cpus = cpu + 1;
	return &cpus[cpu];
}

/* Returns whether the stream has switches; other streams may cover a shorter time. */
static bool has_switches(const struct kt_cpu_time *u, const struct kt_stream_share *share)
{
	return share->channel == u->event->channel;
}

/* Returns since when hits tell which task runs. */
static uint64_t find_begin(const struct kt_cpu_time *u, const struct kt_trace_reader *r,
			   unsigned int cpu)
{
	struct kt_stream_share share;
	size_t i;

	for (i = 0; kt_trace_reader_share(r, i, &share); i++)
		if (has_switches(u, &share) && share.cpu == cpu && share.extent.end)
			return find_known_time(u, share.extent).from;
	return UINT64_MAX;
}

/*
 * Returns the time from which on it counts: time before the trace's begin is known, but not
 * counted.
 */
static uint64_t clip_to_begin(const struct kt_trace_reader *r, uint64_t time)
{
	return time > kt_trace_reader_begin(r) ? time : kt_trace_reader_begin(r);
}

static struct kt_extent clip_extent(const struct kt_trace_reader *r,
				    const struct kt_stream_share *share)
{
	uint64_t begin = clip_to_begin(r, share->extent.begin), end = share->extent.end;

	return (struct kt_extent){begin < end ? begin : end, end};
}

/* Returns since when a task's time counts; KT_NEVER if the task is not followed. */
static uint64_t get_counted_since(const struct kt_trace_reader *r, uint32_t task)
{
	return kt_trace_reader_metadata(r)->follows ? kt_trace_reader_known(r, task).followed_since
						    : 0;
}

/* Returns whether the task may be followed: a task of unknown name may, the idle task is not. */
static bool may_be_counted(const struct kt_trace_reader *r, uint32_t task)
{
	return get_counted_since(r, task) != KT_NEVER ||
	       (task && !kt_trace_reader_known(r, task).comm);
}

static bool add_known(struct kt_cpu_time *u, unsigned int cpu, uint32_t task, uint64_t time)
{
	return kt_count_table_add(&u->tasks, task, time) &&
	       (!task || kt_count_table_add(&u->busy_on, cpu, time));
}

static bool add_unknown(struct kt_cpu_time *u, unsigned int cpu, uint64_t time)
{
	u->unknown += time;
	return kt_count_table_add(&u->unknown_on, cpu, time);
}

/*
 * Ends the interval on a CPU at a time at which that task was running. The interval is the task's
 * if it began with the same task; otherwise, if the task at its begin is not followed, it is
 * counted from when on the task is followed: it was running already.
 */
static bool end_interval(struct kt_cpu_time *u, const struct kt_trace_reader *r, unsigned int cpu,
			 uint32_t task, uint64_t time)
{
	const struct kt_cpu_time_cpu *c = &u->cpus[cpu];
	uint64_t begin = c->since, full_length = get_counted_since(r, task);
	bool same = c->task == task, unsure = c->lost || (!same && may_be_counted(r, c->task));

	if (!unsure && !may_be_counted(r, task))
		return true;
	if (!unsure && full_length != KT_NEVER && full_length > begin) {
		begin = full_length;
		same = true;
	}
	if (time <= begin)
		return true;
	if (!unsure && same && full_length != KT_NEVER)
		return add_known(u, cpu, task, time - begin);
	return add_unknown(u, cpu, time - begin);
}

static uint32_t get_next_task(const struct kt_cpu_time *u, const struct kt_hit *hit)
{
	return kt_value_number(u->next, &hit->values[u->next - hit->event->fields.members], 0);
}

static void set_running(struct kt_cpu_time_cpu *c, uint32_t task, uint64_t since, bool lost)
{
	c->since = since;
	c->task = task;
	c->begun = true;
	c->lost = lost;
}

bool kt_cpu_time_add(struct kt_cpu_time *u, const struct kt_trace_reader *r,
		     const struct kt_hit *hit)
{
	struct kt_cpu_time_cpu *c;
	uint64_t begin;
	bool ok = true;

	if (!u->known || hit->cpu >= CPUS_MAX || hit->time < u->event->complete.from)
		return true;
	if (hit->event && hit->time > u->event->complete.until)
		return true;
	c = get_cpu(u, hit->cpu);
	if (!c)
		return false;
	if (!c->is_found) {
		c->begin = find_begin(u, r, hit->cpu);
		c->is_found = true;
	}
	begin = c->begun ? 0 : c->begin;
	if (hit->time < begin)
		return true;
	if (!hit->event) {
		c->lost = true;
		return true;
	}
	if (!c->begun)
		set_running(c, hit->task, clip_to_begin(r, begin), c->lost);
	if (hit->event == u->event) {
		ok = end_interval(u, r, hit->cpu, hit->task, hit->time);
		set_running(c, kt_trace_reader_task(r, get_next_task(u, hit)),
			    clip_to_begin(r, hit->time), false);
	}
	return ok;
}

/* Ends a CPU's time: which task ran without any hit is unknown, and counts as not followed. */
static bool end_cpu(struct kt_cpu_time *u, const struct kt_trace_reader *r,
		    const struct kt_stream_share *share)
{
	const struct kt_cpu_time_cpu *c = share->cpu < u->n_cpus ? &u->cpus[share->cpu] : NULL;
	struct kt_extent extent = clip_extent(r, share);
	struct kt_time_span known = find_known_time(u, extent);
	uint64_t all = extent.end - extent.begin;
	uint64_t rest = known.from < known.until ? all - (known.until - known.from) : all;

	if (rest && !add_unknown(u, share->cpu, rest))
		return false;
	if (rest == all)
		return true;
	if (c && c->begun)
		return end_interval(u, r, share->cpu, c->task, known.until);
	if (!kt_trace_reader_metadata(r)->follows || (c && c->lost))
		return add_unknown(u, share->cpu, all - rest);
	return true;
}

bool kt_cpu_time_end(struct kt_cpu_time *u, const struct kt_trace_reader *r)
{
	struct kt_stream_share share;
	size_t i;

	for (i = 0; u->known && kt_trace_reader_share(r, i, &share); i++)
		if (has_switches(u, &share) && !end_cpu(u, r, &share))
			return false;
	kt_count_table_sort(&u->tasks);
	return true;
}

void kt_cpu_time_free(struct kt_cpu_time *u)
{
	kt_count_table_free(&u->tasks);
	kt_count_table_free(&u->busy_on);
	kt_count_table_free(&u->unknown_on);
	free(u->cpus);
}
