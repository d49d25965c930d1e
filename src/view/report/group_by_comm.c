// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report/group_by_comm.h"

#include <stdlib.h>
#include <string.h>

#include "trace/read/trace_reader.h"
#include "view/report/trace_report.h"

struct member {
	const char *name;
	bool is_unfollowed;
	const struct kt_count *task;
};

static int compare_names(const struct member *x, const struct member *y)
{
	int order = strcmp(x->name, y->name);

	return order ? order : (int)x->is_unfollowed - (int)y->is_unfollowed;
}

/* Within a comm in the order of the counts. */
static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = compare_names(x, y);

	return order ? order : x->task < y->task ? -1 : x->task > y->task;
}

/* Notes the first task of a task's group, if that is wanted. */
static bool note_group(struct kt_count_table *groups, uint32_t task, uint32_t first)
{
	return !groups || kt_count_table_add(groups, task, (uint64_t)first + 1);
}

static bool count_groups(struct kt_count_table *names, struct kt_count_table *groups,
			 struct member *members, size_t n)
{
	uint32_t first = 0;
	size_t i;

	qsort(members, n, sizeof(*members), compare_members);
	for (i = 0; i < n; i++) {
		if (!i || compare_names(&members[i - 1], &members[i]))
			first = members[i].task->key;
		if (!kt_count_table_add(names, first, members[i].task->count) ||
		    !note_group(groups, members[i].task->key, first))
			return false;
	}
	kt_count_table_sort(names);
	return true;
}

bool kt_group_by_comm(struct kt_count_table *names, struct kt_count_table *groups,
		      const struct kt_count_table *tasks, const struct kt_trace_report *r)
{
	struct member *members = reallocarray(NULL, tasks->n + 1, sizeof(*members));
	const struct kt_count *task;
	const char *name;
	size_t i, n = 0;
	bool ok = members;

	for (i = 0; ok && i < tasks->n; i++) {
		task = &tasks->counts[i];
		name = task->key ? kt_trace_reader_known(r->reader, task->key).comm : NULL;
		if (r->each_task || !name)
			ok = kt_count_table_add(names, task->key, task->count) &&
			     note_group(groups, task->key, task->key);
		else
			members[n++] = (struct member){
				name, kt_trace_report_is_unfollowed(r, task->key), task};
	}
	ok = ok && count_groups(names, groups, members, n);
	free(members);
	return ok;
}
