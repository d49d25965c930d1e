// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report/task_waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"

/* Bits of prev_state, which Linux prints as X, Z and R+ (the last one since 4.14). */
enum { TASK_DEAD = 0x10, TASK_ZOMBIE = 0x20, TASK_PREEMPTED = 0x100 };

/* more than any Linux has */
enum { CPUS_MAX = 1 << 15 };

static bool find_event(struct kt_task_event *to, const struct kt_metadata *s, const char *name,
		       const char *task, const char *state)
{
	const struct kt_event_class *e;
	size_t i;

	for (i = 0; i < s->n_events; i++) {
		e = &s->events[i];
		if (!e->system || strcmp(e->system, "sched") || strcmp(e->name, name))
			continue;
		to->task = kt_record_layout_find_number(&e->fields, task);
		to->state = state ? kt_record_layout_find_number(&e->fields, state) : NULL;
		if (!e->filter && to->task && (!state || to->state))
			to->event = e;
	}
	return to->event;
}

static void limit_span(struct kt_task_waits *w, const struct kt_task_event *to)
{
	if (to->event)
		w->span = kt_time_span_within(w->span, to->event->complete);
}

void kt_task_waits_begin(struct kt_task_waits *w, const struct kt_trace_reader *r)
{
	const struct kt_metadata *s = kt_trace_reader_metadata(r);

	*w = (struct kt_task_waits){.span = KT_ALWAYS};
	w->is_known = find_event(&w->switched, s, "sched_switch", "next_pid", "prev_state");
	/* sched_waking is hit by the waker; sched_wakeup may be hit by another CPU, later. */
	w->has_wakeups = find_event(&w->woken, s, "sched_waking", "pid", NULL) ||
			 find_event(&w->woken, s, "sched_wakeup", "pid", NULL);
	w->has_births = find_event(&w->born, s, "sched_wakeup_new", "pid", NULL);
	find_event(&w->exits, s, "sched_process_exit", "pid", NULL);
	limit_span(w, &w->switched);
	limit_span(w, &w->woken);
	limit_span(w, &w->born);
}

/* Returns from when on a task's states count; KT_NEVER if it is not followed. */
static uint64_t get_start(const struct kt_task_waits *w, const struct kt_trace_reader *r,
			  uint32_t task)
{
	uint64_t begin = kt_trace_reader_begin(r), followed;

	if (w->span.from > begin)
		begin = w->span.from;
	if (!kt_trace_reader_metadata(r)->follows)
		return begin;
	followed = kt_trace_reader_known(r, task).followed_since;
	return followed > begin ? followed : begin;
}

static void enter_state(struct kt_task_wait *t, enum kt_task_state state, uint64_t time)
{
	t->state = state;
	t->since = time;
}

/*
 * Gets a task; NULL for one that does not count. A task that was not followed for a while starts
 * again. Returns false without memory.
 */
static bool get_task(struct kt_task_waits *w, const struct kt_trace_reader *r, uint32_t task,
		     struct kt_task_wait **found)
{
	uint64_t start = get_start(w, r, task), at = kt_count_table_get(&w->index, task);
	struct kt_task_wait *tasks;

	*found = NULL;
	if (task == 0 || start == KT_NEVER)
		return true;
	if (at == 0) {
		tasks = kt_grow(w->tasks, w->n, sizeof(*tasks));
		if (!tasks)
			return false;
		w->tasks = tasks;
		if (!kt_count_table_add(&w->index, task, w->n + 1))
			return false;
		tasks[w->n++] =
			(struct kt_task_wait){.task = task, .state = KT_TASK_NEW, .since = start};
		at = w->n;
	}
	*found = &w->tasks[at - 1];
	if (start > (*found)->since) {
		enter_state(*found, KT_TASK_NEW, start);
		(*found)->is_woken = false;
	}
	return true;
}

/*
 * Counts time in a state. Time that began before a gap is unknown: the task may have been in other
 * states meanwhile.
 */
static void add_time(struct kt_task_wait *t, const struct kt_trace_reader *r,
		     enum kt_task_state state, uint64_t from, uint64_t until)
{
	if (until <= from)
		return;
	if (state >= KT_TASK_STATES || kt_trace_reader_last_gap(r) > from) {
		t->unknown += until - from;
		return;
	}
	t->total[state] += until - from;
	if (until - from > t->longest[state])
		t->longest[state] = until - from;
}

/* Counts the time of a blocked task that was woken, and ran or would have run from then on. */
static bool add_woken(struct kt_task_wait *t, const struct kt_trace_reader *r, uint64_t until)
{
	uint64_t woken = t->woken_at > t->since ? t->woken_at : t->since, ns = woken - t->since;
	bool is_known = kt_trace_reader_last_gap(r) <= t->since;

	add_time(t, r, KT_TASK_BLOCKED, t->since, woken);
	add_time(t, r, KT_TASK_RUNNABLE, woken, until);
	return !is_known || !ns || kt_count_table_add(&t->wakers, t->waker, ns);
}

/* A task leaves its CPU. */
static void switch_out(struct kt_task_wait *t, const struct kt_trace_reader *r, uint64_t time,
		       uint64_t prev_state)
{
	enum kt_task_state was = t->state == KT_TASK_NEW ? KT_TASK_RUNNING : t->state;

	if (was != KT_TASK_GONE)
		add_time(t, r, was == KT_TASK_RUNNING ? was : KT_TASK_STATES, t->since, time);
	if (prev_state == 0 || prev_state & TASK_PREEMPTED)
		enter_state(t, KT_TASK_RUNNABLE, time);
	else if (prev_state & (TASK_DEAD | TASK_ZOMBIE))
		enter_state(t, KT_TASK_GONE, time);
	else
		enter_state(t, KT_TASK_BLOCKED, time);
}

/*
 * A task gets a CPU. It may have been woken just before it blocked: then it was runnable since.
 * What it did before its first event is known if its birth would be in the trace.
 */
static bool switch_in(const struct kt_task_waits *w, struct kt_task_wait *t,
		      const struct kt_trace_reader *r, uint64_t time)
{
	bool is_new = t->state == KT_TASK_NEW, ok = true;

	if (t->is_woken && (is_new || t->state == KT_TASK_BLOCKED))
		ok = add_woken(t, r, time);
	else if (is_new && w->has_births)
		add_time(t, r, w->has_wakeups ? KT_TASK_RUNNABLE : KT_TASK_BLOCKED, t->since, time);
	else if (t->state == KT_TASK_RUNNABLE || (t->state == KT_TASK_BLOCKED && !w->has_wakeups))
		add_time(t, r, t->state, t->since, time);
	else if (!is_new && t->state != KT_TASK_GONE)
		add_time(t, r, KT_TASK_STATES, t->since, time);
	enter_state(t, KT_TASK_RUNNING, time);
	t->is_woken = false;
	return ok;
}

/* A task is woken: if it blocks or did not have an event yet, or just before it blocks. */
static void wake(struct kt_task_wait *t, const struct kt_trace_reader *r, uint64_t time,
		 uint32_t waker)
{
	if (t->state == KT_TASK_RUNNABLE || t->state == KT_TASK_GONE)
		return;
	if (t->state == KT_TASK_BLOCKED && t->is_woken && t->woken_at > t->since) {
		/* It ran between the two, unseen. */
		add_time(t, r, KT_TASK_STATES, t->since, time);
		t->since = time;
	}
	t->is_woken = true;
	t->woken_at = time;
	t->waker = waker;
}

static uint64_t get_number(const struct kt_hit *hit, const struct kt_member *m)
{
	return kt_value_number(m, &hit->values[m - hit->event->fields.members], 0);
}

/* Notes which task runs on a CPU. Returns false without memory. */
static bool set_current(struct kt_task_waits *w, unsigned int cpu, uint32_t task)
{
	uint32_t *running;

	if (cpu >= w->n_cpus) {
		running = reallocarray(w->running, cpu + 1, sizeof(*running));
		if (!running)
			return false;
		memset(running + w->n_cpus, 0, (cpu + 1 - w->n_cpus) * sizeof(*running));
		w->running = running;
		w->n_cpus = cpu + 1;
	}
	w->running[cpu] = task;
	return true;
}

static bool add_switch(struct kt_task_waits *w, const struct kt_trace_reader *r,
		       const struct kt_hit *hit)
{
	uint32_t next = kt_trace_reader_task(r, get_number(hit, w->switched.task));
	struct kt_task_wait *t;

	if (!get_task(w, r, hit->task, &t))
		return false;
	if (t)
		switch_out(t, r, hit->time, get_number(hit, w->switched.state));
	if (!get_task(w, r, next, &t) || !set_current(w, hit->cpu, next))
		return false;
	if (!t)
		return true;
	t->cpu = hit->cpu;
	return switch_in(w, t, r, hit->time);
}

/* Adds a wakeup; a task that wakes itself was about to block, and does not. */
static bool add_wakeup(struct kt_task_waits *w, const struct kt_trace_reader *r,
		       const struct kt_hit *hit, bool in_interrupt)
{
	uint32_t task = kt_trace_reader_task(r, get_number(hit, w->woken.task));
	struct kt_task_wait *t;

	if (!get_task(w, r, task, &t))
		return false;
	if (t && task != hit->task)
		wake(t, r, hit->time, in_interrupt ? 0 : hit->task);
	return true;
}

/* A task that exits has a CPU. If no switch gave it one, its states since then are unknown. */
static bool add_exit(struct kt_task_waits *w, const struct kt_trace_reader *r,
		     const struct kt_hit *hit)
{
	struct kt_task_wait *t;

	if (!get_task(w, r, hit->task, &t))
		return false;
	if (!t || (t->state != KT_TASK_RUNNABLE && t->state != KT_TASK_BLOCKED))
		return true;
	add_time(t, r, KT_TASK_STATES, t->since, hit->time);
	enter_state(t, KT_TASK_RUNNING, hit->time);
	t->is_woken = false;
	return set_current(w, hit->cpu, hit->task);
}

static bool add_birth(struct kt_task_waits *w, const struct kt_trace_reader *r,
		      const struct kt_hit *hit)
{
	struct kt_task_wait *t;

	if (!get_task(w, r, kt_trace_reader_task(r, get_number(hit, w->born.task)), &t))
		return false;
	if (!t)
		return true;
	enter_state(t, KT_TASK_RUNNABLE, hit->time);
	t->is_woken = false;
	return true;
}

bool kt_task_waits_add(struct kt_task_waits *w, const struct kt_trace_reader *r,
		       const struct kt_hit *hit, bool in_interrupt)
{
	if (!w->is_known || !hit->event || hit->is_early || hit->cpu >= CPUS_MAX)
		return true;
	if (hit->time < w->span.from || hit->time > w->span.until)
		return true;
	if (hit->event == w->switched.event)
		return add_switch(w, r, hit);
	if (hit->event == w->woken.event)
		return add_wakeup(w, r, hit, in_interrupt);
	if (hit->event == w->exits.event)
		return add_exit(w, r, hit);
	return hit->event != w->born.event || add_birth(w, r, hit);
}

/* Returns the end of the first CPU: from there on, switches and wakeups may be missing. */
static uint64_t find_end(const struct kt_task_waits *w, const struct kt_trace_reader *r)
{
	uint64_t end = w->span.until;
	struct kt_stream_share share;
	size_t i;

	for (i = 0; kt_trace_reader_share(r, i, &share); i++)
		if (share.channel == w->switched.event->channel && share.extent.end &&
		    share.extent.end < end)
			end = share.extent.end;
	return end;
}

/* Ends a task's last state. */
static bool end_task(const struct kt_task_waits *w, struct kt_task_wait *t,
		     const struct kt_trace_reader *r, uint64_t end)
{
	enum kt_task_state state = t->state;

	if (state == KT_TASK_GONE || (state == KT_TASK_NEW && !t->is_woken))
		return true;
	if (state == KT_TASK_BLOCKED && t->is_woken && t->woken_at > t->since)
		return add_woken(t, r, end);
	/* Another task has its CPU; or it was woken as it blocked, and never ran again. */
	if (state == KT_TASK_RUNNING ? w->running[t->cpu] != t->task
				     : state != KT_TASK_RUNNABLE && t->is_woken)
		state = KT_TASK_STATES;
	add_time(t, r, state, t->since, end);
	return true;
}

bool kt_task_waits_end(struct kt_task_waits *w, const struct kt_trace_reader *r)
{
	uint64_t end = w->is_known ? find_end(w, r) : 0;
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (!end_task(w, &w->tasks[i], r, end))
			return false;
		kt_count_table_sort(&w->tasks[i].wakers);
	}
	return true;
}

uint64_t kt_task_waits_unknown(const struct kt_task_waits *w)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < w->n; i++)
		sum += w->tasks[i].unknown;
	return sum;
}

bool kt_task_wait_merge(struct kt_task_wait *sum, const struct kt_task_wait *t)
{
	enum kt_task_state state;
	size_t i;

	for (state = 0; state < KT_TASK_STATES; state++) {
		sum->total[state] += t->total[state];
		if (t->longest[state] > sum->longest[state])
			sum->longest[state] = t->longest[state];
	}
	sum->unknown += t->unknown;
	for (i = 0; i < t->wakers.n; i++)
		if (!kt_count_table_add(&sum->wakers, t->wakers.counts[i].key,
					t->wakers.counts[i].count))
			return false;
	return true;
}

const struct kt_count *kt_task_wait_top_waker(const struct kt_task_wait *t)
{
	const struct kt_count *top = NULL, *c;
	size_t i;

	for (i = 0; i < t->wakers.size; i++) {
		c = &t->wakers.counts[i];
		if (c->times && (!top || c->count > top->count ||
				 (c->count == top->count && c->key < top->key)))
			top = c;
	}
	return top;
}

void kt_task_waits_free(struct kt_task_waits *w)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		kt_count_table_free(&w->tasks[i].wakers);
	free(w->tasks);
	free(w->running);
	kt_count_table_free(&w->index);
}
