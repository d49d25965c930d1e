/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts events and calls by the values of fields (view/groups/group_fields.h), and summarizes a
 * field's numbers in each group.
 *
 *	static const char *const by[] = {"comm", "path"};
 *	struct kt_grouping grouping = {.by = by, .n_by = 2, .sum = "ret"};
 *	struct kt_hit_groups *g = kt_hit_groups_new(metadata, &grouping);
 *
 *	kt_hit_groups_add(g, call, entry, exit);
 *	...
 *	kt_hit_groups_sort(g);
 *	for (i = 0; i < g->n; i++)
 *		printf("%" PRIu64 "\n", g->of[i]->count);
 *	kt_hit_groups_free(g);
 *
 * Values that print the same are the same. Memory grows with the number of groups, some 300 bytes
 * each; adding takes some 300 ns per field.
 */
#ifndef KT_VIEW_GROUPS_HIT_GROUPS_H
#define KT_VIEW_GROUPS_HIT_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/groups/value_summary.h"

struct kt_call_kind;
struct kt_group_fields;
struct kt_group_key;
struct kt_hit;
struct kt_metadata;
struct lh_table;

enum { KT_GROUP_FIELDS_MAX = 16 };

struct kt_grouping {
	const char *const *by;
	size_t n_by;                 /* 1 to KT_GROUP_FIELDS_MAX */
	const char *sum, *quantiles; /* fields; NULL: none */
};

/* Values that are summarized in each group. */
enum kt_group_value { KT_GROUP_SUM, KT_GROUP_QUANTILES, KT_GROUP_VALUES };

struct kt_hit_group {
	uint64_t count, errors; /* events and calls; calls that failed */
	struct kt_value_summary values[KT_GROUP_VALUES];
	char cells[]; /* of each field: its text, its kind, a line feed; see kt_hit_group_next() */
};

struct kt_hit_groups {
	struct kt_grouping grouping;
	struct kt_group_fields *fields; /* by, sum, quantiles */
	struct kt_group_key *key;
	struct lh_table *table;
	bool has_errors;
	struct kt_hit_group **of; /* sorted; NULL before */
	size_t n;
};

/* The value of a group's field. */
struct kt_group_cell {
	const char *text; /* without a NUL at its end */
	size_t len;
	bool is_missing, is_number;
	bool is_stack; /* functions, innermost first, with ';' between them */
};

/* Creates it for a trace with that metadata; both must outlive it. Returns NULL without memory. */
struct kt_hit_groups *kt_hit_groups_new(const struct kt_metadata *metadata,
					const struct kt_grouping *grouping);
void kt_hit_groups_free(struct kt_hit_groups *g);

/*
 * Adds an event (entry; call and exit are NULL) or a call, of which one side may be NULL. Returns 0
 * or -ENOMEM.
 */
int kt_hit_groups_add(struct kt_hit_groups *g, const struct kt_call_kind *call,
		      const struct kt_hit *entry, const struct kt_hit *exit);

/*
 * Sorts the groups, after the last one was added: largest sum first, or that of the quantiles'
 * field, or the largest count; equal ones by text. Returns 0 or -ENOMEM.
 */
int kt_hit_groups_sort(struct kt_hit_groups *g);

/*
 * Returns a field that no event or call had, or that was summed and never a number; NULL: none.
 */
const char *kt_hit_groups_unknown(const struct kt_hit_groups *g);

/* Returns the next cell of a group; *at begins as the group's cells. */
struct kt_group_cell kt_hit_group_next(const char **at);

/* Returns the next frame of a stack, which has that much less then, up to a length of 0. */
struct kt_group_cell kt_group_cell_frame(struct kt_group_cell *stack);

/* Returns whether a value's numbers are ns. */
bool kt_hit_groups_is_time(const struct kt_hit_groups *g, enum kt_group_value value);

#endif
