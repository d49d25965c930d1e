// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/syscall_pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "fetch/late_text.h"
#include "fetch/pointed_data.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "trace/read/task_table.h"

/* bytes of all entries that are held */
enum { CALLS_MAX = 512 << 20 };

/* A task's last call. */
struct last {
	const struct kt_call_kind *kind; /* NULL: it has returned */
	uint64_t losses;                 /* count of losses at its entry */
	int mark;
	struct kt_hit entry; /* followed in memory by its values, and these by their bytes */
	size_t room;         /* for values and bytes */
	struct kt_value values[];
};

struct kt_syscall_pairs {
	const struct kt_metadata *metadata;
	struct kt_call_kind *kinds, **by_id; /* by event id; NULL: of no call */
	size_t n_kinds;
	uint64_t losses;            /* number of gaps where hits were lost */
	size_t memory;              /* bytes of all tasks' last calls */
	struct kt_task_table tasks; /* struct last * */
};

/* Returns whether both events have the same filter: other filters drop one without the other. */
static bool have_same_filter(const struct kt_event_class *a, const struct kt_event_class *b)
{
	return !a->filter || !b->filter || strcmp(a->filter, b->filter) == 0;
}

/* The returns of calls, sorted by call name. */
struct exits {
	struct exit {
		const char *call;
		size_t event;
	} * of;
	size_t n;
};

/* Returns the name of the call if the event is its entry or return, else NULL. */
static const char *get_call_name(const struct kt_event_class *e, enum kt_side wanted)
{
	enum kt_side side;
	const char *name = e->system ? kt_syscall_of(e->system, e->name, &side) : NULL;

	return name && side == wanted ? name : NULL;
}

static int compare_exits(const void *a, const void *b)
{
	const struct exit *x = a, *y = b;
	int order = strcmp(x->call, y->call);

	return order ? order : x->event < y->event ? -1 : x->event > y->event;
}

static int find_exits(struct exits *exits, const struct kt_metadata *s)
{
	const char *call;
	size_t i;

	*exits = (struct exits){calloc(s->n_events + 1, sizeof(*exits->of)), 0};
	if (!exits->of)
		return -ENOMEM;
	for (i = 0; i < s->n_events; i++) {
		call = get_call_name(&s->events[i], KT_EXIT);
		if (call)
			exits->of[exits->n++] = (struct exit){call, i};
	}
	qsort(exits->of, exits->n, sizeof(*exits->of), compare_exits);
	return 0;
}

/* Returns the first return event of that call, or NULL. */
static const struct exit *find_exit(const struct exits *exits, const char *call)
{
	size_t low = 0, high = exits->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (strcmp(exits->of[middle].call, call) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < exits->n && strcmp(exits->of[low].call, call) == 0 ? &exits->of[low] : NULL;
}

static size_t find_member(const struct kt_record_layout *s, const char *name)
{
	const struct kt_member *m = kt_record_layout_find(s, name);

	return m ? (size_t)(m - s->members) : s->n_members;
}

static int find_written_members(struct kt_call_kind *k)
{
	const struct kt_record_layout *entry = &k->events[KT_ENTER]->fields;
	const struct kt_record_layout *exit = &k->events[KT_EXIT]->fields;
	char name[KT_POINTED_DATA_NAME_MAX];
	size_t i, at;

	k->n_entered = entry->n_members;
	k->given = calloc(3 * (entry->n_members + 1), sizeof(*k->given));
	if (!k->given)
		return -ENOMEM;
	k->late = k->given + entry->n_members + 1;
	k->counted = k->late + entry->n_members + 1;
	for (i = entry->n_members; i-- > 0;) {
		at = find_member(exit, kt_late_text_name(entry->members[i].name, name));
		k->late[i] = at < exit->n_members && exit->members[at].is_late ? at : 0;
		at = find_member(exit, kt_pointed_data_count_name(entry->members[i].name, name));
		k->counted[i] = at < exit->n_members && exit->members[at].is_aside ? at : 0;
		if (k->counted[i])
			k->n_entered = i;
		at = find_member(exit, kt_pointed_data_name(entry->members[i].name, name));
		if (at == exit->n_members || !exit->members[at].is_lone)
			continue;
		k->given[i] = at;
		k->n_entered = kt_call_form_answers(k->form) ? k->n_entered : i;
	}
	if (k->form == KT_CALL_CLONE3 && find_member(entry, "size") < entry->n_members)
		k->n_entered = find_member(entry, "size");
	return 0;
}

static bool ends_task(const char *call)
{
	return strcmp(call, "exit") == 0 || strcmp(call, "exit_group") == 0;
}

static bool returns_from_signal(const char *call)
{
	return strcmp(call, "rt_sigreturn") == 0 || strcmp(call, "sigreturn") == 0;
}

/* Returns whether a new task returns from the call, too, without having entered it. */
static bool forks(const char *call)
{
	static const char *const all[] = {"clone", "clone3", "fork", "vfork"};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strcmp(call, all[i]) == 0)
			return true;
	return false;
}

static int add_kind(struct kt_syscall_pairs *p, size_t entry, size_t exit, const char *name)
{
	const struct kt_event_class *events = p->metadata->events;
	struct kt_call_kind *k = &p->kinds[p->n_kinds];

	*k = (struct kt_call_kind){
		.name = kt_syscall_known_as(name),
		.events = {[KT_ENTER] = &events[entry], [KT_EXIT] = &events[exit]},
		.returns = !ends_task(name) && !returns_from_signal(name),
		.ends = ends_task(name),
		.is_chosen_by_return = !events[entry].filter && events[exit].filter,
		.forks = forks(name),
		.form = kt_call_form_of(kt_syscall_known_as(name)),
		.ret = find_member(&events[exit].fields, "ret"),
		.entry_tid = kt_record_layout_find_number(&events[exit].fields, KT_ENTRY_TID),
	};
	if (k->ret == events[exit].fields.n_members ||
	    !kt_member_is_number(&events[exit].fields.members[k->ret]) ||
	    !have_same_filter(&events[entry], &events[exit]))
		return 0;
	p->n_kinds++;
	p->by_id[entry] = p->by_id[exit] = k;
	return find_written_members(k);
}

static int find_kinds(struct kt_syscall_pairs *p)
{
	const struct kt_metadata *s = p->metadata;
	const struct exit *exit;
	struct exits exits;
	const char *call;
	size_t i;
	int ret = find_exits(&exits, s);

	for (i = 0; ret == 0 && i < s->n_events; i++) {
		call = get_call_name(&s->events[i], KT_ENTER);
		exit = call ? find_exit(&exits, call) : NULL;
		if (exit)
			ret = add_kind(p, i, exit->event, call);
	}
	free(exits.of);
	return ret;
}

struct kt_syscall_pairs *kt_syscall_pairs_new(const struct kt_metadata *metadata)
{
	struct kt_syscall_pairs *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->metadata = metadata;
	p->tasks.size = sizeof(struct last *);
	p->kinds = calloc(metadata->n_events + 1, sizeof(*p->kinds));
	p->by_id = calloc(metadata->n_events + 1, sizeof(*p->by_id));
	if (p->kinds && p->by_id && find_kinds(p) == 0)
		return p;
	kt_syscall_pairs_free(p);
	return NULL;
}

static void free_last(void *slot)
{
	struct last **last = slot;

	free(*last);
}

void kt_syscall_pairs_free(struct kt_syscall_pairs *p)
{
	if (!p)
		return;
	while (p->n_kinds > 0)
		free(p->kinds[--p->n_kinds].given);
	free(p->kinds);
	free(p->by_id);
	kt_task_table_clear(&p->tasks, free_last);
	free(p);
}

static size_t measure_member(const struct kt_hit *hit, size_t i)
{
	return hit->values[i].n * hit->event->fields.members[i].width;
}

static size_t measure_hit(const struct kt_hit *hit)
{
	size_t i, room = hit->event->fields.n_members * sizeof(struct kt_value);

	for (i = 0; i < hit->event->fields.n_members; i++)
		room += measure_member(hit, i);
	return room + (hit->comm ? strlen(hit->comm) + 1 : 0);
}

static char *copy_bytes(char *to, const void *from, size_t n)
{
	if (n > 0)
		memcpy(to, from, n);
	return to + n;
}

static void copy_hit(struct last *l, const struct kt_hit *hit)
{
	size_t i, n = hit->event->fields.n_members;
	char *at = (char *)(l->values + n);

	l->entry = *hit;
	l->entry.values = l->values;
	for (i = 0; i < n; i++) {
		l->values[i] = (struct kt_value){.data = at, .n = hit->values[i].n};
		at = copy_bytes(at, hit->values[i].data, measure_member(hit, i));
	}
	if (!hit->comm)
		return;
	l->entry.comm = at;
	copy_bytes(at, hit->comm, strlen(hit->comm) + 1);
}

static int enter_call(struct kt_syscall_pairs *p, struct last **last, const struct kt_hit *hit,
		      struct kt_call *call)
{
	size_t room = measure_hit(hit);
	struct last *l = *last;

	size_t had = l ? l->room : 0;

	if (!l || had < room) {
		if (room - had > CALLS_MAX - p->memory)
			return -ENOMEM;
		l = realloc(l, sizeof(*l) + room);
		if (!l)
			return -ENOMEM;
		p->memory += room - had;
		l->room = room;
		*last = l;
	}
	copy_hit(l, hit);
	l->kind = call->kind;
	l->losses = p->losses;
	l->mark = 0;
	call->entry = &l->entry;
	call->mark = &l->mark;
	return KT_CALL_ENTERED;
}

static int leave_call(const struct kt_syscall_pairs *p, struct last *l, struct kt_call *call)
{
	if (l && l->kind == call->kind && l->losses == p->losses) {
		call->entry = &l->entry;
		call->mark = &l->mark;
	}
	if (l)
		l->kind = NULL;
	return KT_CALL_RETURNED;
}

static bool is_in(struct kt_time_span s, uint64_t time)
{
	return s.from <= time && time <= s.until;
}

static bool is_complete(const struct kt_call_kind *k, const struct kt_hit *hit)
{
	if (hit->is_older)
		return true;
	return !hit->is_early && is_in(k->events[KT_ENTER]->complete, hit->time) &&
	       is_in(k->events[KT_EXIT]->complete, hit->time);
}

/* Returns the number that the thread had when it entered the call. */
static uint32_t get_entry_tid(const struct kt_call_kind *k, const struct kt_hit *hit)
{
	const struct kt_member *m = hit->event == k->events[KT_EXIT] ? k->entry_tid : NULL;

	return m ? (uint32_t)kt_value_number(m, &hit->values[m - hit->event->fields.members], 0)
		 : (uint32_t)hit->tid;
}

/* Returns whether another task has the number now: the one that made the call has ended. */
static bool is_other_task(const struct last *l, const struct kt_hit *hit)
{
	return l->entry.tid == hit->tid && l->entry.task != hit->task;
}

const struct kt_call_kind *kt_syscall_pairs_kind(const struct kt_syscall_pairs *p, size_t event)
{
	return p->by_id[event];
}

const struct kt_call_kind *kt_syscall_pairs_kind_of(const struct kt_syscall_pairs *p,
						    const struct kt_hit *hit)
{
	return hit->event ? p->by_id[hit->event - p->metadata->events] : NULL;
}

static int64_t get_ret(const struct kt_hit *exit, size_t ret)
{
	return kt_value_number(&exit->event->fields.members[ret], &exit->values[ret], 0);
}

bool kt_syscall_pairs_failed(const struct kt_hit *exit, size_t ret)
{
	enum { ERRORS_MAX = 4095 };
	int64_t n = get_ret(exit, ret);

	return n < 0 && n >= -ERRORS_MAX;
}

bool kt_syscall_pairs_is_of_child(const struct kt_call_kind *kind, const struct kt_hit *exit)
{
	return kind->forks && get_ret(exit, kind->ret) == 0;
}

int kt_syscall_pairs_add(struct kt_syscall_pairs *p, const struct kt_hit *hit, struct kt_call *call)
{
	const struct kt_call_kind *kind;
	struct last **last;
	uint32_t tid;

	*call = (struct kt_call){0};
	p->losses += !hit->event;
	kind = kt_syscall_pairs_kind_of(p, hit);
	tid = kind ? get_entry_tid(kind, hit) : 0;
	if (!kind || tid >= KT_PIDS_MAX)
		return KT_CALL_NONE;
	last = kt_task_table_make(&p->tasks, tid);
	if (!last)
		return -ENOMEM;
	if (*last && (!is_complete(kind, hit) || is_other_task(*last, hit)))
		(*last)->kind = NULL;
	if (!is_complete(kind, hit))
		return KT_CALL_NONE;
	call->kind = kind;
	return hit->event == kind->events[KT_ENTER] ? enter_call(p, last, hit, call)
						    : leave_call(p, *last, call);
}

static bool is_open(const struct kt_syscall_pairs *p, const struct last *l)
{
	return l && l->kind && l->kind->returns && !l->kind->is_chosen_by_return &&
	       l->losses == p->losses;
}

static int compare_open(const void *a, const void *b)
{
	const struct kt_call *x = a, *y = b;

	return x->entry->time < y->entry->time ? -1 : x->entry->time > y->entry->time;
}

ssize_t kt_syscall_pairs_open(const struct kt_syscall_pairs *p, struct kt_call **calls)
{
	struct kt_call *grown;
	struct last **last;
	uint32_t tid;
	size_t n = 0;

	*calls = NULL;
	for (tid = 0; (last = kt_task_table_next(&p->tasks, &tid)); tid++) {
		if (!is_open(p, *last))
			continue;
		grown = kt_grow(*calls, n, sizeof(*grown));
		if (!grown) {
			free(*calls);
			return -ENOMEM;
		}
		*calls = grown;
		grown[n++] = (struct kt_call){
			.kind = (*last)->kind, .entry = &(*last)->entry, .mark = &(*last)->mark};
	}
	if (n > 0)
		qsort(*calls, n, sizeof(**calls), compare_open);
	return n;
}
