// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/groups/hit_groups.h"

#include <errno.h>
#include <json-c/linkhash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/read/stream_reader.h"
#include "values/text.h"
#include "view/groups/group_fields.h"

/* Elements of a list, or bytes of data, that are compared. */
enum { LIMIT = 256 };

static const char kinds[] = {
	[KT_GROUP_NONE] = '-',
	[KT_GROUP_TEXT] = 't',
	[KT_GROUP_NUMBER] = 'n',
	[KT_GROUP_STACK] = 's',
};

/* A key under construction: in `text`, or in memory if it is longer than that. */
struct kt_group_key {
	struct kt_text text;
	char *long_key;
	size_t size;
};

static void free_group(struct lh_entry *e)
{
	struct kt_hit_group *group = (struct kt_hit_group *)lh_entry_v(e);
	enum kt_group_value i;

	for (i = 0; i < KT_GROUP_VALUES; i++)
		kt_value_summary_clear(&group->values[i]);
	free(group);
}

static struct kt_group_key *make_key(void)
{
	struct kt_group_key *key = calloc(1, sizeof(*key));

	if (!key)
		return NULL;
	key->text.is_limited = true;
	key->text.limit = LIMIT;
	key->text.to = open_memstream(&key->long_key, &key->size);
	if (key->text.to)
		return key;
	free(key);
	return NULL;
}

static void free_key(struct kt_group_key *key)
{
	if (!key)
		return;
	fclose(key->text.to);
	free(key->long_key);
	free(key);
}

struct kt_hit_groups *kt_hit_groups_new(const struct kt_metadata *metadata,
					const struct kt_grouping *grouping)
{
	const char *names[KT_GROUP_FIELDS_MAX + KT_GROUP_VALUES];
	struct kt_hit_groups *g;

	g = calloc(1, sizeof(*g));
	if (!g)
		return NULL;
	g->grouping = *grouping;
	memcpy(names, grouping->by, grouping->n_by * sizeof(*names));
	names[grouping->n_by + KT_GROUP_SUM] = grouping->sum ? grouping->sum : "";
	names[grouping->n_by + KT_GROUP_QUANTILES] = grouping->quantiles ? grouping->quantiles : "";
	g->fields = kt_group_fields_new(metadata, names, grouping->n_by + KT_GROUP_VALUES);
	g->table = lh_kchar_table_new(64, free_group);
	g->key = make_key();
	if (g->fields && g->table && g->key)
		return g;
	kt_hit_groups_free(g);
	return NULL;
}

void kt_hit_groups_free(struct kt_hit_groups *g)
{
	if (!g)
		return;
	free(g->of);
	free_key(g->key);
	if (g->table)
		lh_table_free(g->table);
	kt_group_fields_free(g->fields);
	free(g);
}

/* Returns the key of what is selected, valid until the next one; NULL without memory. */
static const char *write_key(struct kt_hit_groups *g)
{
	struct kt_text *to = &g->key->text;
	enum kt_group_text kind;
	size_t i;

	to->len = to->gone = 0;
	rewind(to->to);
	for (i = 0; i < g->grouping.n_by; i++) {
		kind = kt_group_fields_text(g->fields, i, to);
		kt_text_char(to, kinds[kind]);
		kt_text_char(to, '\n');
	}
	kt_text_char(to, '\0');
	if (!to->gone)
		return to->bytes;
	kt_text_flush(to);
	return fflush(to->to) == 0 ? g->key->long_key : NULL;
}

/* Returns the group with that key, made if it is new; NULL without memory. */
static struct kt_hit_group *get_group(struct kt_hit_groups *g, const char *key)
{
	size_t size = strlen(key) + 1;
	struct lh_entry *e = lh_table_lookup_entry(g->table, key);
	struct kt_hit_group *group;

	if (e)
		return (struct kt_hit_group *)lh_entry_v(e);
	group = calloc(1, sizeof(*group) + size);
	if (!group)
		return NULL;
	memcpy(group->cells, key, size);
	if (lh_table_insert(g->table, group->cells, group) == 0)
		return group;
	free(group);
	return NULL;
}

static bool add_number(struct kt_hit_groups *g, struct kt_hit_group *group,
		       enum kt_group_value value)
{
	__int128 number;

	return !kt_group_fields_number(g->fields, g->grouping.n_by + value, &number) ||
	       kt_value_summary_add(&group->values[value], number);
}

int kt_hit_groups_add(struct kt_hit_groups *g, const struct kt_call_kind *call,
		      const struct kt_hit *entry, const struct kt_hit *exit)
{
	struct kt_hit_group *group;
	const char *key;

	if (kt_group_fields_select(g->fields, call, entry, exit) < 0)
		return -ENOMEM;
	key = write_key(g);
	group = key ? get_group(g, key) : NULL;
	if (!group || !add_number(g, group, KT_GROUP_SUM) ||
	    !add_number(g, group, KT_GROUP_QUANTILES))
		return -ENOMEM;
	group->count++;
	if (kt_group_fields_failed(g->fields)) {
		group->errors++;
		g->has_errors = true;
	}
	return 0;
}

static int compare_sums(const struct kt_hit_group *x, const struct kt_hit_group *y,
			enum kt_group_value value)
{
	__int128 a = x->values[value].sum, b = y->values[value].sum;

	return (a < b) - (a > b);
}

/* Fields that are not summarized have sums of 0. */
static int compare_groups(const void *a, const void *b)
{
	const struct kt_hit_group *x = *(struct kt_hit_group *const *)a;
	const struct kt_hit_group *y = *(struct kt_hit_group *const *)b;
	int order = compare_sums(x, y, KT_GROUP_SUM);

	if (!order)
		order = compare_sums(x, y, KT_GROUP_QUANTILES);
	if (!order)
		order = (x->count < y->count) - (x->count > y->count);
	return order ? order : strcmp(x->cells, y->cells);
}

int kt_hit_groups_sort(struct kt_hit_groups *g)
{
	struct lh_entry *e;

	g->of = calloc(lh_table_length(g->table) + 1, sizeof(*g->of));
	if (!g->of)
		return -ENOMEM;
	lh_foreach(g->table, e) g->of[g->n++] = (struct kt_hit_group *)lh_entry_v(e);
	qsort(g->of, g->n, sizeof(*g->of), compare_groups);
	return 0;
}

static bool is_known(const struct kt_hit_groups *g, enum kt_group_value value)
{
	return kt_group_fields_is_number(g->fields, g->grouping.n_by + value);
}

const char *kt_hit_groups_unknown(const struct kt_hit_groups *g)
{
	size_t i;

	for (i = 0; i < g->grouping.n_by; i++)
		if (!kt_group_fields_is_known(g->fields, i))
			return g->grouping.by[i];
	if (g->grouping.sum && !is_known(g, KT_GROUP_SUM))
		return g->grouping.sum;
	if (g->grouping.quantiles && !is_known(g, KT_GROUP_QUANTILES))
		return g->grouping.quantiles;
	return NULL;
}

struct kt_group_cell kt_hit_group_next(const char **at)
{
	struct kt_group_cell cell = {.text = *at, .len = strchr(*at, '\n') - *at - 1};
	char kind = cell.text[cell.len];

	cell.is_missing = kind == kinds[KT_GROUP_NONE];
	cell.is_number = kind == kinds[KT_GROUP_NUMBER];
	cell.is_stack = kind == kinds[KT_GROUP_STACK];
	*at += cell.len + 2;
	return cell;
}

struct kt_group_cell kt_group_cell_frame(struct kt_group_cell *stack)
{
	const char *end = memchr(stack->text, ';', stack->len);
	struct kt_group_cell frame = {.text = stack->text, .len = stack->len};

	if (end)
		frame.len = end - stack->text;
	stack->text += frame.len + !!end;
	stack->len -= frame.len + !!end;
	return frame;
}

bool kt_hit_groups_is_time(const struct kt_hit_groups *g, enum kt_group_value value)
{
	return kt_group_fields_is_time(g->fields, g->grouping.n_by + value);
}
