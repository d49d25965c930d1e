// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/trace_selection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/command.h"
#include "app/cli/read_progress.h"
#include "app/cli/time_point.h"
#include "base/error.h"
#include "base/grow.h"
#include "events/event_names.h"
#include "filter/filter_parser.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"

enum { NUMBERS_MAX = 1 << 22 };

static const struct event_option *get_last(const struct event_option *o)
{
	while (o[0].patterns && o[1].patterns)
		o++;
	return o;
}

int set_selected_event(const char *command, void *to, char *arg)
{
	struct trace_selection *s = to;

	(void)command;
	add_event_option(s->events, arg);
	return EXIT_OK;
}

/* A filter before any -e is about all events. */
int set_selected_filter(const char *command, void *to, char *arg)
{
	struct trace_selection *s = to;
	struct kt_filter *filter;
	struct kt_error err;

	if (get_last(s->events)->patterns)
		return add_event_filter(command, s->events, arg);
	if (s->filter)
		return report_misuse(command, "two --filter for all events: join them with '&&'");
	filter = kt_filter_parse(NULL, arg, &err);
	if (!filter)
		return report_error(command, &err);
	kt_filter_free(filter);
	s->filter = arg;
	return EXIT_OK;
}

static bool add_comm(struct trace_selection *s, const char *glob)
{
	struct kt_glob *grown = kt_grow(s->comms, s->n_comms, sizeof(*grown));

	if (!grown)
		return false;
	s->comms = grown;
	return kt_glob_parse(&grown[s->n_comms++], glob, strlen(glob));
}

int set_selected_comm(const char *command, void *to, char *arg)
{
	struct trace_selection *s = to;
	char *rest = arg, *glob;

	while ((glob = strsep(&rest, ","))) {
		if (kt_glob_unclosed(glob, strlen(glob)))
			return report_argument(command, glob, "missing ']'; '\\[' matches a '['");
		if (!add_comm(s, glob))
			return report_argument(command, glob, "pattern too long, or no memory");
	}
	return EXIT_OK;
}

/* Adds "7" or "3-5". Returns false if it is no range. */
static bool add_range(struct number_list *l, const char *text)
{
	unsigned long from, to, i;
	uint32_t *grown;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	from = to = strtoul(text, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		to = strtoul(end + 1, &end, 10);
	if (*end || to < from || to > NUMBERS_MAX)
		return false;
	for (i = from; i <= to; i++) {
		grown = kt_grow(l->of, l->n, sizeof(*grown));
		if (!grown)
			return false;
		l->of = grown;
		grown[l->n++] = i;
	}
	return true;
}

int set_number_list(const char *command, void *to, char *arg)
{
	char *rest = arg, *range;

	while ((range = strsep(&rest, ",")))
		if (!add_range(to, range))
			return report_argument(command, range, "not a number, or range of numbers");
	return EXIT_OK;
}

bool trace_selection_is_partial(const struct trace_selection *s)
{
	return s->events->patterns || s->filter || s->pids.n || s->tids.n || s->cpus.n ||
	       s->n_comms || s->since || s->until || s->first || s->last;
}

/* The events of a trace, by which patterns select. */
struct trace_names {
	struct kt_event_names *names;
	struct kt_event_name *of;
	size_t *ids, n; /* ids of the n names */
};

static bool make_names(struct trace_names *t, const struct kt_metadata *m, struct kt_error *err)
{
	size_t i;

	*t = (struct trace_names){
		.of = calloc(m->n_events + 1, sizeof(*t->of)),
		.ids = calloc(m->n_events + 1, sizeof(*t->ids)),
	};
	for (i = 0; t->of && t->ids && i < m->n_events; i++) {
		if (!m->events[i].system)
			continue;
		t->ids[t->n] = i;
		t->of[t->n++] = (struct kt_event_name){m->events[i].system, m->events[i].name};
	}
	if (t->of && t->ids)
		t->names = kt_event_names_of(t->of, t->n, " in the trace", "ktrace report", err);
	else
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return t->names;
}

static void free_names(struct trace_names *t)
{
	kt_event_names_free(t->names);
	free(t->of);
	free(t->ids);
}

/* The groups of a selection, with what they refer to. */
struct groups {
	struct kt_event_group *of;
	size_t n;
	bool *events;   /* of each group, by id */
	char **filters; /* of each group, if it was joined from two */
};

static void free_groups(struct groups *g)
{
	size_t i;

	for (i = 0; g->filters && i < g->n; i++)
		free(g->filters[i]);
	free(g->filters);
	free(g->events);
	free(g->of);
}

/* Joins the filter of all events with that of one -e. */
static const char *join_filters(const char *all, const char *own, char **joined)
{
	if (!all || !own)
		return all ? all : own;
	return asprintf(joined, "(%s) && (%s)", all, own) < 0 ? (*joined = NULL) : *joined;
}

static bool make_groups(struct groups *g, const struct trace_selection *s,
			const struct trace_names *names, size_t n_events)
{
	const struct event_option *o;
	size_t i, n = 0;

	for (o = s->events; o->patterns; o++)
		n++;
	g->of = calloc(n + 1, sizeof(*g->of));
	g->events = calloc(n * n_events + 1, sizeof(*g->events));
	g->filters = calloc(n + 1, sizeof(*g->filters));
	if (!g->of || !g->events || !g->filters)
		return false;
	for (o = s->events; o->patterns; o++) {
		if (o->is_exclusion)
			continue;
		g->of[g->n].events = g->events + g->n * n_events;
		for (i = 0; i < names->n; i++)
			g->events[g->n * n_events + names->ids[i]] = o->selected[i];
		g->of[g->n].filter = join_filters(s->filter, o->filter, &g->filters[g->n]);
		if (!g->of[g->n].filter && (s->filter || o->filter))
			return false;
		g->n++;
	}
	return true;
}

/* Sets the part of a selection that needs the trace's times. */
static int set_times(struct trace_selection *s, const char *command, const char *dir,
		     const struct kt_metadata *m, struct kt_selection *to)
{
	struct time_points times = {.since = s->since, .until = s->until};
	int status = time_points_resolve(&times, command, dir, m->since_1970);

	to->since = s->begin = times.from;
	to->until = s->end = times.to;
	return status;
}

/* Counts events and calls that a selection finds; reads the whole trace. */
static int count_found(const struct kt_selection *selection, const char *dir, uint64_t *found,
		       struct kt_error *err)
{
	struct kt_trace_reader *r = kt_trace_reader_open(dir ? dir : TRACE_DIR, err);
	const struct kt_hit *selected[KT_SELECTED_MAX];
	struct read_progress progress = {.reader = r};
	struct kt_hit_selector *s;
	struct kt_hit hit;
	int ret = 0, got;

	if (!r)
		return -err->code;
	s = kt_hit_selector_new(kt_trace_reader_metadata(r), selection, err);
	while (s && ret >= 0 && (got = kt_trace_reader_next(r, &hit, err)) != 0)
		if (got > 0) {
			ret = kt_hit_selector_add(s, &hit, selected);
			read_progress_step(&progress);
		}
	read_progress_end(&progress);
	if (s)
		*found = kt_hit_selector_found(s);
	else
		ret = -err->code;
	kt_hit_selector_free(s);
	kt_trace_reader_free(r);
	return ret < 0 ? ret : 0;
}

/* --last: all but the last are skipped. */
static int set_limits(const struct trace_selection *s, const char *command, const char *dir,
		      struct kt_selection *to)
{
	struct kt_error err;
	uint64_t found = 0;

	if (s->last) {
		if (count_found(to, dir, &found, &err) < 0)
			return report_error(command, &err);
		to->skip = found > s->last ? found - s->last : 0;
	}
	to->max = s->first;
	return EXIT_OK;
}

static int make_selector(struct trace_selection *s, const char *command, const char *dir,
			 const struct kt_metadata *m, const struct groups *g)
{
	struct kt_selection selection = {
		.groups = g->of,
		.n_groups = g->n,
		.pids = s->pids.of,
		.n_pids = s->pids.n,
		.tids = s->tids.of,
		.n_tids = s->tids.n,
		.cpus = s->cpus.of,
		.n_cpus = s->cpus.n,
		.comms = s->comms,
		.n_comms = s->n_comms,
		.whole_calls = s->whole_calls,
	};
	int status = set_times(s, command, dir, m, &selection);
	struct kt_error err;

	if (status == EXIT_OK)
		status = set_limits(s, command, dir, &selection);
	if (status != EXIT_OK)
		return status;
	s->selector = kt_hit_selector_new(m, &selection, &err);
	return s->selector ? EXIT_OK : report_error(command, &err);
}

/* Without an -e, but with a filter or excluded events, all events are selected. */
static void set_default(struct trace_selection *s)
{
	const struct event_option *o = s->events;

	while (o->patterns && o->is_exclusion)
		o++;
	if (!o->patterns && (s->filter || o > s->events))
		add_event_option(s->events, "*");
}

int trace_selection_open(struct trace_selection *s, const char *command, const char *dir,
			 const struct kt_trace_reader *r)
{
	const struct kt_metadata *m = kt_trace_reader_metadata(r);
	struct trace_names names = {0};
	struct groups groups = {0};
	struct kt_error err;
	int status;

	if (!trace_selection_is_partial(s) && !s->whole_calls)
		return EXIT_OK;
	if (s->first && s->last)
		return report_misuse(command, "--first and --last exclude each other");
	set_default(s);
	if (make_names(&names, m, &err))
		status = event_selection_among(names.names, command, s->events);
	else
		status = report_error(command, &err);
	if (status == EXIT_OK && !make_groups(&groups, s, &names, m->n_events))
		status = report_no_memory(command);
	if (status == EXIT_OK)
		status = make_selector(s, command, dir, m, &groups);
	free_groups(&groups);
	free_names(&names);
	return status;
}

void trace_selection_close(struct trace_selection *s)
{
	struct event_option *o;

	for (o = s->events; o && o->patterns; o++)
		free(o->selected);
	free(s->events);
	free(s->pids.of);
	free(s->tids.of);
	free(s->cpus.of);
	free(s->comms);
	kt_hit_selector_free(s->selector);
}

int trace_selection_add(struct trace_selection *s, const struct kt_hit *hit,
			const struct kt_hit *selected[KT_SELECTED_MAX])
{
	if (s->selector)
		return kt_hit_selector_add(s->selector, hit, selected);
	*selected = hit;
	return 1;
}

bool trace_selection_is_done(const struct trace_selection *s)
{
	return s->selector && kt_hit_selector_is_done(s->selector);
}

void trace_selection_report_held(const struct trace_selection *s, const char *command)
{
	uint64_t held = s->selector ? kt_hit_selector_held(s->selector) : 0;

	if (held && !trace_selection_is_done(s))
		fprintf(stderr,
			"ktrace %s: the filter cannot tell of %" PRIu64
			" call%s, which had not returned\n",
			command, held, held == 1 ? "" : "s");
}
