/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that group selected events and calls by fields: --by, --sum, --quantiles.
 *
 *	struct report { struct trace_selection selection; struct field_groups groups; ... };
 *
 *	status = field_groups_open(&r.groups, NAME, metadata, &r.selection);
 *	while (... (n = trace_selection_add(&r.selection, &hit, selected)) >= 0)
 *		field_groups_add(&r.groups, selected, n);
 *	status = field_groups_end(&r.groups, NAME, status);
 *	kt_groups_text_print(&text, r.groups.of, 20);
 *	field_groups_close(&r.groups);
 */
#ifndef KT_APP_CLI_FIELD_GROUPS_H
#define KT_APP_CLI_FIELD_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "app/cli/options.h"
#include "view/groups/hit_groups.h"

struct kt_hit;
struct kt_metadata;
struct trace_selection;

/* All zeros: no groups. */
struct field_groups {
	const char *by[KT_GROUP_FIELDS_MAX];
	struct kt_grouping grouping; /* n_by 0: no groups */
	struct kt_hit_groups *of;
	struct trace_selection *selection;
	const struct kt_metadata *metadata;
	uint64_t skipped; /* entries of calls of which the return is unknown */
};

/* Rows of the options; `member` is a struct field_groups. */
/* clang-format off */
#define FIELD_GROUPS_OPTIONS(settings, member) \
	{.name = "by", .arg = "FIELD,...", \
	 .help = "group events and calls by fields, as filters have them, or comm, pid, tid, cpu, " \
		 "event, error, path, stack, kernel_stack, user_stack", \
	 .set = set_group_fields, .offset = offsetof(settings, member)}, \
	{.name = "sum", .arg = "FIELD", \
	 .help = "sum a number in each group: ret, count, duration", \
	 .set = set_text, .offset = offsetof(settings, member.grouping.sum)}, \
	{.name = "quantiles", .arg = "FIELD", \
	 .help = "print a number's total, p50, p90, p99 and maximum in each group", \
	 .set = set_text, .offset = offsetof(settings, member.grouping.quantiles)}
/* clang-format on */

/* Sets the fields of a struct field_groups; cuts the argument. Returns the exit status. */
int set_group_fields(const char *command, void *to, char *arg);

/* Checks the options, and creates the groups if there are any. Returns the exit status. */
int field_groups_open(struct field_groups *g, const char *command,
		      const struct kt_metadata *metadata, struct trace_selection *selection);
void field_groups_close(struct field_groups *g);

/* Adds what trace_selection_add() selected. Returns 0 or -ENOMEM. */
int field_groups_add(struct field_groups *g, const struct kt_hit *const *selected, int n);

/*
 * Adds calls that have not returned, and sorts the groups, after the last hit. Returns the exit
 * status, or that of an error: fields that nothing has are one.
 */
int field_groups_end(struct field_groups *g, const char *command, int status);

#endif
