// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/event_selection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/error_dedup.h"
#include "app/cli/filter_option.h"
#include "base/error.h"
#include "ctypes/btf.h"
#include "ctypes/fdtable_offsets.h"
#include "events/event.h"
#include "events/event_reader.h"
#include "events/filter.h"
#include "events/print_fmt_enums.h"
#include "events/rare_events.h"
#include "events/syscall_names.h"
#include "events/tracefs.h"
#include "fetch/curate.h"
#include "fetch/point_fields.h"
#include "filter/event_pattern.h"
#include "filter/point_matches.h"
#include "filter/point_pattern.h"

/* Scheduling, interrupts, disk and network I/O, start and end of processes. */
const struct event_option default_events = {
	.patterns = "sched:sched_switch,sched:sched_waking,sched:sched_wakeup,"
		    "sched:sched_wakeup_new,sched:sched_migrate_task,"
		    "irq:irq_handler_*,irq:softirq_*,timer:*timer_expire_*,"
		    "syscalls:*,signal:*,"
		    "block:block_bio_queue,block:block_rq_insert,block:block_rq_issue,"
		    "block:block_rq_requeue,block:block_rq_complete,"
		    "net:net_dev_queue,net:net_dev_xmit*,net:netif_receive_skb,net:netif_rx,"
		    "napi:napi_poll,skb:kfree_skb,"
		    "sock:inet_sock_set_state,tcp:tcp_retransmit_skb,"
		    "sched:sched_process_fork,sched:sched_process_exec,"
		    "sched:sched_process_exit,"
		    "task:task_newtask,task:task_rename,oom:mark_victim",
	.no_data = true,
	.may_be_missing = true,
};

const struct event_option every_event = {.patterns = "*"};

static int read_names(struct event_selection *c, struct kt_error *err)
{
	c->tracefs = kt_tracefs_open(err);
	if (c->tracefs < 0)
		return -err->code;
	c->btf = kt_btf_new();
	if (!c->btf)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	c->reader = kt_event_reader_new(c->tracefs, err);
	if (!c->reader)
		return -err->code;
	c->names = kt_event_names_read(c->tracefs, err);
	if (!c->names)
		return -err->code;
	return 0;
}

/* What to do with one of an option's patterns, which is not optional or was not marked so. */
struct pattern {
	const char *text;
	size_t at; /* its place among the option's patterns */
	bool may_be_missing;
};

static int report_pattern(const char *command, const struct event_option *event_option,
			  const struct pattern *p, struct kt_error *err)
{
	if (p->may_be_missing && err->code == ENOENT) {
		fprintf(stderr, "ktrace %s: this kernel has no %s\n", command, p->text);
		return EXIT_OK;
	}
	if (err->typed) {
		err->typed = event_option->patterns;
		err->at += p->at;
	}
	return report_error(command, err);
}

/* Calls `match` for each of an option's patterns. No tracepoint's name has a comma. */
static int match_patterns(const char *command, struct event_option *event_option,
			  struct kt_event_names *names,
			  int match(const char *pattern, struct event_option *event_option,
				    struct kt_event_names *names, struct kt_error *err))
{
	const char *patterns = event_option->patterns + event_option->is_exclusion;
	char *copy = strdup(patterns), *rest = copy;
	int reported, status = EXIT_OK;
	struct pattern p;
	struct kt_error err;
	bool is_optional;

	if (!copy)
		return report_no_memory(command);
	while ((p.text = strsep(&rest, ","))) {
		is_optional = event_option->has_optional && *p.text == '?';
		p.text += is_optional;
		p.at = event_option->is_exclusion + (p.text - copy);
		p.may_be_missing = event_option->may_be_missing || is_optional;
		if (match(p.text, event_option, names, &err) >= 0)
			continue;
		reported = report_pattern(command, event_option, &p, &err);
		status = reported > status ? reported : status;
	}
	free(copy);
	return status;
}

/* Adds the points that a pattern means. */
static int add_points(const char *pattern, struct event_option *event_option,
		      struct kt_event_names *names, struct kt_error *err)
{
	if (!kt_point_pattern_is(pattern))
		return 0;
	return kt_point_pattern_add(pattern, "", names, &event_option->points.matches, err);
}

/* Points that were added are selected by their indices, in other names like all events. */
static int select_events(const char *pattern, struct event_option *event_option,
			 struct kt_event_names *names, struct kt_error *err)
{
	if (event_option->points.are_added && kt_point_pattern_is(pattern))
		return 0;
	return kt_event_pattern_select(pattern, names, event_option->selected, err);
}

static int select_option(const char *command, struct event_option *event_option,
			 struct kt_event_names *names)
{
	size_t i;

	event_option->selected =
		calloc(kt_event_names_count(names) + 1, sizeof(*event_option->selected));
	if (!event_option->selected)
		return report_no_memory(command);
	for (i = 0; i < event_option->points.matches.n; i++)
		event_option->selected[event_option->points.matches.at[i]] = true;
	return match_patterns(command, event_option, names, select_events);
}

/* Returns whether the option selects events to record. */
static bool names_some(const struct event_option *event_option)
{
	return !event_option->is_trigger && !event_option->is_exclusion;
}

/* Exclusions apply in any order of the options. */
static void apply_exclusions(struct event_option *event_options, bool *which, size_t n)
{
	struct event_option *event_option;
	size_t i;

	for (event_option = event_options; event_option->patterns; event_option++)
		for (i = 0; names_some(event_option) && i < n; i++)
			event_option->selected[i] = event_option->selected[i] && !which[i];
	memset(which, 0, n * sizeof(*which));
}

int event_selection_among(struct kt_event_names *names, const char *command,
			  struct event_option *event_options)
{
	int reported, status = EXIT_OK;
	struct event_option *event_option;

	for (event_option = event_options; event_option->patterns; event_option++) {
		reported = select_option(command, event_option, names);
		status = reported > status ? reported : status;
		if (!event_option->selected)
			return status;
	}
	for (event_option = event_options; event_option->patterns; event_option++)
		if (event_option->is_exclusion)
			apply_exclusions(event_options, event_option->selected,
					 kt_event_names_count(names));
	return status;
}

void event_options_set_default(struct event_option *event_options, const struct event_option *usual)
{
	unsigned int stacks;
	bool has_some = false;

	for (; event_options->patterns; event_options++)
		has_some |= names_some(event_options);
	if (!has_some) {
		stacks = event_options->stacks;
		*event_options = *usual;
		event_options->stacks = stacks;
	}
}

/* Before events are selected, which are counted then. */
static int add_all_points(struct event_selection *c, const char *command)
{
	struct event_option *event_option;
	int reported, status = EXIT_OK;

	for (event_option = c->event_options; event_option->patterns; event_option++) {
		event_option->points.are_added = true;
		reported = match_patterns(command, event_option, c->names, add_points);
		status = reported > status ? reported : status;
	}
	c->n = kt_event_names_count(c->names);
	return status;
}

int event_selection_make(struct event_selection *c, const char *command,
			 struct event_option *event_options)
{
	int reported, status;
	struct kt_error err;

	*c = (struct event_selection){.tracefs = -1, .event_options = event_options};
	if (read_names(c, &err) < 0) {
		kt_fail_because(&err, "cannot list the kernel's events");
		return report_error(command, &err);
	}
	status = add_all_points(c, command);
	reported = event_selection_among(c->names, command, event_options);
	return reported > status ? reported : status;
}

int event_selection_add_paths(struct event_selection *c, const char *command)
{
	struct kt_fdtable_offsets files;
	struct kt_error err;

	if (kt_fdtable_offsets_find(c->btf, &files, &err) < 0) {
		kt_fail_because(&err, "cannot record paths of file descriptors (-y)");
		return report_error(command, &err);
	}
	c->paths = true;
	return EXIT_OK;
}

void event_selection_end(struct event_selection *c)
{
	struct event_option *event_option;

	for (event_option = c->event_options; event_option->patterns; event_option++) {
		free(event_option->selected);
		free(event_option->points.matches.at);
	}
	kt_event_names_free(c->names);
	kt_event_reader_free(c->reader);
	kt_btf_free(c->btf);
	if (c->tracefs >= 0)
		close(c->tracefs);
}

/* Returns the next option that selects the event, or the last one, which has no patterns. */
static const struct event_option *find_pick(const struct event_option *event_option, size_t i)
{
	while (event_option->patterns && !(event_option->selected && event_option->selected[i]))
		event_option++;
	return event_option;
}

/* Returns the next trigger that selects the event, or the last one. */
static const struct event_option *find_freezing(const struct event_option *event_option, size_t i)
{
	for (event_option = find_pick(event_option, i);
	     event_option->patterns && !event_option->is_trigger;)
		event_option = find_pick(event_option + 1, i);
	return event_option;
}

size_t event_selection_next(const struct event_selection *c, size_t i)
{
	while (i < c->n && !find_pick(c->event_options, i)->patterns)
		i++;
	return i;
}

/* Returns the other event of the same call, or n; and which side this one is. */
static size_t find_other(const struct event_selection *c, size_t i, enum kt_side *side)
{
	const struct kt_event_name *name = kt_event_names_at(c->names, i), *other;
	const char *call = kt_syscall_of(name->system, name->event, side);
	char request[KT_SYSCALL_NAME_MAX];

	if (!call)
		return c->n;
	kt_syscall_name(call, *side == KT_ENTER ? KT_EXIT : KT_ENTER, request);
	for (i = 0; i < c->n; i++) {
		other = kt_event_names_at(c->names, i);
		if (!strcmp(other->event, request) && !strcmp(other->system, name->system))
			break;
	}
	return i;
}

/* Returns whether no option that selects the event has data. */
static bool has_no_data(const struct event_selection *c, size_t i)
{
	const struct event_option *event_option = find_pick(c->event_options, i);

	while (event_option->patterns && event_option->no_data)
		event_option = find_pick(event_option + 1, i);
	return !event_option->patterns;
}

/* Returns the stacks of all options that select the event. */
static unsigned int get_stacks(const struct event_selection *c, size_t i)
{
	const struct event_option *event_option;
	unsigned int stacks = 0;

	for (event_option = find_pick(c->event_options, i); event_option->patterns;
	     event_option = find_pick(event_option + 1, i))
		stacks |= event_option->stacks;
	return stacks;
}

unsigned int event_selection_stacks(const struct event_selection *c)
{
	unsigned int stacks = 0;
	size_t i;

	for (i = event_selection_next(c, 0); i < c->n; i = event_selection_next(c, i + 1))
		stacks |= get_stacks(c, i);
	return stacks;
}

static struct kt_event *make_event(const struct event_selection *c, size_t i, struct kt_error *err)
{
	const struct kt_event_name *name = kt_event_names_at(c->names, i);
	const struct kt_point *point = kt_event_names_point(c->names, i);

	return point ? kt_point_event(name, point, c->btf, err)
		     : kt_event_reader_read(c->reader, name, err);
}

/* Reads the event, with all fields that its filters can have. */
static struct kt_event *read_event(const struct event_selection *c, size_t i,
				   struct kt_error *usual, struct kt_error *err)
{
	struct kt_event *event = make_event(c, i, err);

	if (!event)
		return NULL;
	event->paths = c->paths;
	event->no_data = has_no_data(c, i);
	event->stacks = get_stacks(c, i);
	if (kt_print_fmt_resolve_enums(event, c->btf) < 0) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		kt_event_free(event);
		return NULL;
	}
	if (kt_curate(event, c->btf, usual) == 0)
		usual->code = 0;
	return event;
}

static bool fits_event(const struct event_selection *c, size_t i, const char *filter)
{
	struct kt_error ignored;
	struct kt_event *event = read_event(c, i, &ignored, &ignored);
	struct kt_filter *f = event ? parse_user_filter(event, filter, &ignored) : NULL;
	bool does = f;

	kt_filter_free(f);
	kt_event_free(event);
	return does;
}

/*
 * Parses an option's filter for an event. If the option selects both events of a call, a filter of
 * fields that only the entry has applies to the return of the same calls, too; and one of fields
 * that only the return has does not apply to entries: *to is NULL.
 */
static int parse_filter(struct kt_filter **to, const struct event_selection *c,
			const struct event_option *event_option, size_t i,
			const struct kt_event *event, struct kt_error *err)
{
	struct kt_filter *f = parse_user_filter(event, event_option->filter, err);
	enum kt_side side;
	size_t other = find_other(c, i, &side);
	bool is_both = other < c->n && event_option->selected[other];

	*to = f;
	if (!f && (!is_both || !fits_event(c, other, event_option->filter)))
		return -err->code;
	if (!is_both)
		return 0;
	if (!f && side == KT_EXIT)
		*to = kt_filter_mark_return(event_option->filter);
	else if (f && side == KT_ENTER && kt_filter_tests_fields(f))
		*to = kt_filter_mark_entry(f);
	else
		return 0;
	return *to ? 0 : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

/* Combines two filters, of which it takes ownership; either may be NULL. */
static int combine_filters(struct kt_filter **all, struct kt_filter *next, struct kt_error *err)
{
	if (!next)
		return 0;
	*all = *all ? kt_filter_either(*all, next) : next;
	return *all ? 0 : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

/*
 * Combines the filters of all options that `find` returns; no filter if one of them has none.
 * Filters that select calls come first, as a whole.
 */
static int
read_filter(struct kt_filter **to, const struct kt_event *event, const struct event_selection *c,
	    const struct event_option *find(const struct event_option *event_option, size_t i),
	    size_t i, struct kt_error *err)
{
	struct kt_filter *of_calls = NULL, *others = NULL, *next;
	const struct event_option *event_option;
	int ret = 0;

	for (event_option = find(c->event_options, i);
	     event_option->patterns && event_option->filter && ret == 0;
	     event_option = find(event_option + 1, i)) {
		ret = parse_filter(&next, c, event_option, i, event, err);
		if (ret == 0 && !next)
			break;
		if (ret == 0)
			ret = combine_filters(kt_filter_uses_marks(next) ? &of_calls : &others,
					      next, err);
	}
	if (ret == 0 && !event_option->patterns) {
		ret = combine_filters(&of_calls, others, err);
		*to = of_calls;
	} else {
		kt_filter_free(of_calls);
		kt_filter_free(others);
	}
	return ret < 0 ? kt_fail_because(err, "%s:%s", event->system, event->name) : 0;
}

static bool is_rare(const struct event_selection *c, size_t i)
{
	const struct event_option *event_option = find_pick(c->event_options, i);

	while (event_option->patterns && !event_option->is_rare)
		event_option = find_pick(event_option + 1, i);
	return event_option->patterns || kt_event_is_rare(kt_event_names_at(c->names, i));
}

void event_selection_set_rare(struct event_selection *c)
{
	bool has[2] = {false, false};
	size_t i;

	for (i = event_selection_next(c, 0); i < c->n; i = event_selection_next(c, i + 1))
		has[is_rare(c, i)] = true;
	c->has_rare = has[false] && has[true];
}

struct kt_event *event_selection_read(const struct event_selection *c, size_t i,
				      struct kt_error *usual, struct kt_error *err)
{
	struct kt_event *event = read_event(c, i, usual, err);

	if (!event)
		return NULL;
	event->is_trigger = find_freezing(c->event_options, i)->patterns;
	if (c->has_rare && is_rare(c, i))
		event->channel = KT_RARE;
	if (read_filter(&event->filter, event, c, find_pick, i, err) == 0 &&
	    read_filter(&event->trigger, event, c, find_freezing, i, err) == 0)
		return event;
	kt_event_free(event);
	return NULL;
}

static int try_filter(const struct event_selection *c, size_t i, const char *filter,
		      struct kt_error *err)
{
	struct kt_error usual;
	struct kt_event *event = read_event(c, i, &usual, err);
	struct kt_filter *f;
	int ret;

	f = event ? parse_user_filter(event, filter, err) : NULL;
	ret = f ? 0 : -err->code;
	if (event && !f)
		kt_fail_because(err, "%s:%s cannot be a trigger", event->system, event->name);
	kt_filter_free(f);
	kt_event_free(event);
	return ret;
}

void event_selection_fit_triggers(struct event_selection *c, const char *command)
{
	struct error_dedup repeats = {.command = command};
	const struct event_option *event_option;
	struct kt_error err;
	size_t i;

	for (event_option = c->event_options; event_option->patterns; event_option++) {
		for (i = 0; event_option->is_trigger && event_option->filter && i < c->n; i++) {
			if (!event_option->selected[i] ||
			    try_filter(c, i, event_option->filter, &err) == 0)
				continue;
			error_dedup_report(&repeats, &err);
			event_option->selected[i] = false;
		}
	}
	error_dedup_end(&repeats);
}

size_t event_selection_count(const struct event_selection *c)
{
	size_t i, n = 0;

	for (i = event_selection_next(c, 0); i < c->n; i = event_selection_next(c, i + 1))
		n++;
	return n;
}

static bool is_entry(const struct kt_event_name *name)
{
	enum kt_side side;

	return kt_syscall_of(name->system, name->event, &side) && side == KT_ENTER;
}

bool event_selection_has_all_calls(const struct event_selection *c)
{
	size_t i, next = event_selection_next(c, 0);

	for (i = 0; i < c->n; i++) {
		if (i != next && is_entry(kt_event_names_at(c->names, i)))
			return false;
		if (i == next)
			next = event_selection_next(c, i + 1);
	}
	return true;
}
