// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/field_groups.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/command.h"
#include "app/cli/trace_selection.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "trace/read/syscall_pairs.h"

static bool has_field(const struct field_groups *g, const char *name)
{
	size_t i = 0;

	while (i < g->grouping.n_by && strcmp(g->by[i], name) != 0)
		i++;
	return i < g->grouping.n_by;
}

int set_group_fields(const char *command, void *to, char *arg)
{
	struct field_groups *g = to;
	char *rest = arg, *name;

	if (!*arg || *arg == ',' || arg[strlen(arg) - 1] == ',' || strstr(arg, ",,"))
		return report_argument(command, arg, "a field is empty");
	while ((name = strsep(&rest, ","))) {
		if (has_field(g, name))
			return report_argument(command, name, "the field is there twice");
		if (g->grouping.n_by == KT_GROUP_FIELDS_MAX)
			return report_argument(command, name, "too many fields");
		g->by[g->grouping.n_by++] = name;
	}
	return EXIT_OK;
}

int field_groups_open(struct field_groups *g, const char *command,
		      const struct kt_metadata *metadata, struct trace_selection *selection)
{
	if (!g->grouping.n_by)
		return g->grouping.sum || g->grouping.quantiles
			       ? report_misuse(command, "--sum and --quantiles need --by")
			       : EXIT_OK;
	g->grouping.by = g->by;
	g->selection = selection;
	selection->whole_calls = true;
	g->metadata = metadata;
	g->of = kt_hit_groups_new(metadata, &g->grouping);
	return g->of ? EXIT_OK : report_no_memory(command);
}

void field_groups_close(struct field_groups *g)
{
	kt_hit_groups_free(g->of);
}

/* Adds an event, or a side of a call of which the other is unknown. */
static int add_one(struct field_groups *g, const struct kt_hit *hit)
{
	const struct kt_call_kind *call;

	if (!hit->event || hit->is_early)
		return 0;
	call = kt_hit_selector_call(g->selection->selector, hit->event - g->metadata->events);
	if (!call)
		return kt_hit_groups_add(g->of, NULL, hit, NULL);
	if (hit->event == call->events[KT_EXIT])
		return kt_syscall_pairs_is_of_child(call, hit)
			       ? 0
			       : kt_hit_groups_add(g->of, call, NULL, hit);
	if (!call->returns)
		return kt_hit_groups_add(g->of, call, hit, NULL);
	g->skipped++;
	return 0;
}

int field_groups_add(struct field_groups *g, const struct kt_hit *const *selected, int n)
{
	const struct kt_call_kind *call;

	if (n < KT_SELECTED_MAX)
		return n > 0 ? add_one(g, selected[0]) : 0;
	call = kt_hit_selector_call(g->selection->selector,
				    selected[0]->event - g->metadata->events);
	return kt_hit_groups_add(g->of, call, selected[0], selected[1]);
}

static int add_unreturned(struct field_groups *g)
{
	struct kt_hit_selector *s = g->selection->selector;
	const struct kt_call_kind *call;
	const struct kt_hit **entries;
	ssize_t i, n = kt_hit_selector_unreturned(s, &entries);
	int ret = n < 0 ? n : 0;

	for (i = 0; i < n && ret == 0; i++) {
		call = kt_hit_selector_call(s, entries[i]->event - g->metadata->events);
		ret = kt_hit_groups_add(g->of, call, entries[i], NULL);
	}
	free(entries);
	return ret;
}

static int report_unknown(const char *command, const char *field)
{
	static const struct {
		const char *field, *advice;
	} recorded[] = {
		{"path", "paths of file descriptors with -y"},
		{"stack", "stacks with -k"},
		{"kernel_stack", "stacks with -k"},
		{"user_stack", "stacks with -k"},
	};
	size_t i = 0, n = sizeof(recorded) / sizeof(*recorded);

	while (i < n && strcmp(recorded[i].field, field) != 0)
		i++;
	if (i < n)
		fprintf(stderr, "ktrace %s: no selected event has a '%s': record %s\n", command,
			field, recorded[i].advice);
	else
		fprintf(stderr,
			"ktrace %s: no selected event has a field or number '%s'; "
			"'ktrace list -v EVENT' lists fields\n",
			command, field);
	return EXIT_FAILED;
}

int field_groups_end(struct field_groups *g, const char *command, int status)
{
	uint64_t unknown;
	const char *field;

	if (add_unreturned(g) < 0 || kt_hit_groups_sort(g->of) < 0)
		return report_no_memory(command);
	unknown = g->skipped + kt_hit_selector_held(g->selection->selector);
	if (unknown)
		fprintf(stderr,
			"ktrace %s: %" PRIu64 " entr%s of calls not counted: their returns are "
			"unknown\n",
			command, unknown, unknown == 1 ? "y" : "ies");
	field = g->of->n ? kt_hit_groups_unknown(g->of) : NULL;
	return field ? report_unknown(command, field) : status;
}
