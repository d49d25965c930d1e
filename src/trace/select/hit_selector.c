// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/select/hit_selector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "trace/read/syscall_pairs.h"
#include "trace/select/hit_filter.h"

/* What was decided about a call at its entry: the mark of kt_syscall_pairs. */
enum { REFUSED, SELECTED, HELD };

/* What a group selects of an event. */
struct rule {
	bool is_selected;
	bool is_call;                 /* the group selects both events of the call */
	struct kt_hit_filter *filter; /* NULL: everything */
	bool is_owner;                /* of the filter, which both events of a call share */
};

struct kt_hit_selector {
	const struct kt_metadata *metadata;
	struct kt_selection selection;
	struct kt_syscall_pairs *pairs;
	struct rule *rules; /* by group, then by event */
	uint64_t found, open, held;
	bool is_done;
};

static struct rule *get_rule(const struct kt_hit_selector *s, size_t group, size_t event)
{
	return &s->rules[group * s->metadata->n_events + event];
}

static size_t get_index(const struct kt_hit_selector *s, const struct kt_event_class *event)
{
	return event - s->metadata->events;
}

/* Returns the call of an event if the group selects both of the call's events. */
static const struct kt_call_kind *get_call(const struct kt_hit_selector *s,
					   const struct kt_event_group *g, size_t event)
{
	const struct kt_call_kind *kind = kt_syscall_pairs_kind(s->pairs, event);

	if (!kind || !g->events)
		return kind;
	return g->events[get_index(s, kind->events[KT_ENTER])] &&
			       g->events[get_index(s, kind->events[KT_EXIT])]
		       ? kind
		       : NULL;
}

/*
 * Sets the rule of an event, and of a call's return with that of its entry. Returns 1; 0 for such a
 * return; or -errno if the filter does not fit.
 */
static int set_rule(struct kt_hit_selector *s, size_t group, size_t event, struct kt_error *err)
{
	const struct kt_event_group *g = &s->selection.groups[group];
	const struct kt_call_kind *call = get_call(s, g, event);
	struct rule *rule = get_rule(s, group, event);

	if (call && call->events[KT_EXIT] == &s->metadata->events[event])
		return 0;
	if (g->filter)
		rule->filter =
			call ? kt_hit_filter_of_call(call, g->filter, err)
			     : kt_hit_filter_of_event(&s->metadata->events[event], g->filter, err);
	if (g->filter && !rule->filter)
		return -err->code;
	rule->is_selected = rule->is_owner = true;
	rule->is_call = call;
	if (!call)
		return 1;
	rule = get_rule(s, group, get_index(s, call->events[KT_EXIT]));
	*rule = *get_rule(s, group, event);
	rule->is_owner = false;
	return 1;
}

/* Sets the rules of a group. A filter must fit one of its events. */
static int set_group(struct kt_hit_selector *s, size_t group, struct kt_error *err)
{
	const bool *events = s->selection.groups[group].events;
	struct kt_error misfit;
	bool fits = false, fails = false;
	size_t i;
	int ret;

	for (i = 0; i < s->metadata->n_events; i++) {
		if (!s->metadata->events[i].system || (events && !events[i]))
			continue;
		ret = set_rule(s, group, i, fails ? &misfit : err);
		if (ret == -ENOMEM)
			return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		fits |= ret > 0;
		fails |= ret < 0;
	}
	return fits || !fails ? 0 : -err->code;
}

static int set_groups(struct kt_hit_selector *s, struct kt_error *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < s->selection.n_groups && ret == 0; i++)
		ret = set_group(s, i, err);
	return ret;
}

struct kt_hit_selector *kt_hit_selector_new(const struct kt_metadata *metadata,
					    const struct kt_selection *selection,
					    struct kt_error *err)
{
	struct kt_hit_selector *s = calloc(1, sizeof(*s));

	if (s) {
		s->metadata = metadata;
		s->selection = *selection;
		s->pairs = kt_syscall_pairs_new(metadata);
		s->rules = calloc(selection->n_groups * metadata->n_events + 1, sizeof(*s->rules));
	}
	if (!s || !s->pairs || !s->rules)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	else if (set_groups(s, err) == 0)
		return s;
	kt_hit_selector_free(s);
	return NULL;
}

void kt_hit_selector_free(struct kt_hit_selector *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; s->rules && i < s->selection.n_groups * s->metadata->n_events; i++)
		if (s->rules[i].is_owner)
			kt_hit_filter_free(s->rules[i].filter);
	free(s->rules);
	kt_syscall_pairs_free(s->pairs);
	free(s);
}

static bool has(const uint32_t *list, size_t n, int64_t number)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (list[i] == number)
			return true;
	return n == 0;
}

static bool has_comm(const struct kt_selection *s, const char *comm)
{
	size_t i;

	for (i = 0; i < s->n_comms && comm; i++)
		if (kt_glob_matches(&s->comms[i], comm, strlen(comm)))
			return true;
	return s->n_comms == 0;
}

/* Returns whether the hit is later than all that are selected, but for returns. */
static bool is_past(const struct kt_selection *s, const struct kt_hit *hit)
{
	return s->until && hit->time > s->until;
}

/* Returns whether the hit's CPU, time and task are selected. A process begins as its own thread. */
static bool is_place_selected(const struct kt_selection *s, const struct kt_hit *hit)
{
	if (hit->time < s->since || is_past(s, hit) || !has(s->cpus, s->n_cpus, hit->cpu))
		return false;
	return !hit->event || (has(s->pids, s->n_pids, hit->pid >= 0 ? hit->pid : hit->tid) &&
			       has(s->tids, s->n_tids, hit->tid) && has_comm(s, hit->comm));
}

/* Returns whether a group selects the event: an entry, or a return, or both of a call. */
static enum kt_truth test_groups(const struct kt_hit_selector *s, size_t event,
				 const struct kt_hit *entry, const struct kt_hit *exit)
{
	enum kt_truth best = s->selection.n_groups ? KT_FALSE : KT_TRUE, truth;
	const struct rule *rule;
	size_t i;

	for (i = 0; i < s->selection.n_groups && best < KT_TRUE; i++) {
		rule = get_rule(s, i, event);
		if (!rule->is_selected)
			continue;
		truth = rule->filter ? kt_hit_filter_test(rule->filter, entry, exit) : KT_TRUE;
		best = truth > best ? truth : best;
	}
	return best;
}

/* Returns whether a group selects both events of the call: then the entry decides. */
static bool is_call_selected(const struct kt_hit_selector *s, size_t event)
{
	size_t i;

	for (i = 0; i < s->selection.n_groups; i++)
		if (get_rule(s, i, event)->is_call)
			return true;
	return s->selection.n_groups == 0;
}

/* Counts an event or call that was found. Returns whether it is within the limits. */
static bool count(struct kt_hit_selector *s)
{
	const struct kt_selection *l = &s->selection;

	if (l->max && s->found >= l->skip + l->max)
		return false;
	return s->found++ >= l->skip;
}

static int select_one(const struct kt_hit *hit, const struct kt_hit **selected)
{
	*selected = hit;
	return 1;
}

/* Selects an event of its own; a side of a call whose other side is unknown. */
static int add_event(struct kt_hit_selector *s, const struct kt_hit *hit,
		     const struct kt_hit **selected)
{
	size_t event = get_index(s, hit->event);
	const struct kt_call_kind *kind = kt_syscall_pairs_kind(s->pairs, event);
	bool is_exit = kind && is_call_selected(s, event) && kind->events[KT_EXIT] == hit->event;

	if (!is_place_selected(&s->selection, hit) ||
	    test_groups(s, event, is_exit ? NULL : hit, is_exit ? hit : NULL) != KT_TRUE ||
	    !count(s))
		return 0;
	return select_one(hit, selected);
}

static int add_entry(struct kt_hit_selector *s, const struct kt_call *call,
		     const struct kt_hit **selected)
{
	const struct kt_hit *hit = call->entry;
	enum kt_truth truth;

	if (!is_place_selected(&s->selection, hit))
		return 0;
	truth = test_groups(s, get_index(s, hit->event), hit, NULL);
	if (call->kind->returns &&
	    (truth == KT_UNKNOWN || (truth == KT_TRUE && s->selection.whole_calls))) {
		*call->mark = HELD;
		s->held++;
		return 0;
	}
	if (truth != KT_TRUE || !count(s))
		return 0;
	if (call->kind->returns) {
		*call->mark = SELECTED;
		s->open++;
	}
	return select_one(hit, selected);
}

static int add_return(struct kt_hit_selector *s, const struct kt_call *call,
		      const struct kt_hit *hit, const struct kt_hit **selected)
{
	int mark = *call->mark;

	if (mark == SELECTED) {
		s->open--;
		return select_one(hit, selected);
	}
	if (mark == REFUSED)
		return 0;
	s->held--;
	if (test_groups(s, get_index(s, hit->event), call->entry, hit) != KT_TRUE || !count(s))
		return 0;
	selected[0] = call->entry;
	selected[1] = hit;
	return 2;
}

static bool is_full(const struct kt_hit_selector *s)
{
	return s->selection.max && s->found >= s->selection.skip + s->selection.max && s->open == 0;
}

int kt_hit_selector_add(struct kt_hit_selector *s, const struct kt_hit *hit,
			const struct kt_hit *selected[KT_SELECTED_MAX])
{
	struct kt_call call;
	int step, n;

	s->is_done |= is_past(&s->selection, hit) && s->open + s->held == 0;
	if (s->is_done)
		return 0;
	step = kt_syscall_pairs_add(s->pairs, hit, &call);
	if (step < 0)
		return step;
	if (!hit->event)
		return is_place_selected(&s->selection, hit) ? select_one(hit, selected) : 0;
	if (step != KT_CALL_NONE && !is_call_selected(s, get_index(s, hit->event)))
		step = KT_CALL_NONE;
	if (step == KT_CALL_ENTERED)
		n = add_entry(s, &call, selected);
	else if (step == KT_CALL_RETURNED && call.entry)
		n = add_return(s, &call, hit, selected);
	else
		n = add_event(s, hit, selected);
	s->is_done = is_full(s);
	return n;
}

const struct kt_call_kind *kt_hit_selector_call(const struct kt_hit_selector *s, size_t event)
{
	return is_call_selected(s, event) ? kt_syscall_pairs_kind(s->pairs, event) : NULL;
}

static bool is_entry_selected(const struct kt_hit_selector *s, const struct kt_call *call)
{
	const struct kt_hit *hit = call->entry;

	return *call->mark == HELD &&
	       test_groups(s, get_index(s, hit->event), hit, NULL) == KT_TRUE;
}

ssize_t kt_hit_selector_unreturned(struct kt_hit_selector *s, const struct kt_hit ***entries)
{
	struct kt_call *calls;
	ssize_t i, n = kt_syscall_pairs_open(s->pairs, &calls), found = 0;

	*entries = n < 0 ? NULL : calloc(n + 1, sizeof(**entries));
	if (!*entries && n >= 0)
		n = -ENOMEM;
	for (i = 0; i < n; i++)
		if (is_entry_selected(s, &calls[i]) && count(s))
			(*entries)[found++] = calls[i].entry;
	free(calls);
	s->held -= found;
	return n < 0 ? n : found;
}

bool kt_hit_selector_is_done(const struct kt_hit_selector *s)
{
	return s->is_done;
}

uint64_t kt_hit_selector_found(const struct kt_hit_selector *s)
{
	return s->found;
}

uint64_t kt_hit_selector_held(const struct kt_hit_selector *s)
{
	return s->held;
}
