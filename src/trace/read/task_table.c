// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/task_table.h"

#include <stdlib.h>

/* Numbers per leaf, leaves per branch, numbers per branch. */
enum { LEAF = 16, LEAVES = 512, BRANCH = LEAF * LEAVES };

_Static_assert((uint32_t)BRANCH *KT_TASK_TABLE_BRANCHES == KT_PIDS_MAX, "each number has its slot");

static char **get_leaf(const struct kt_task_table *s, uint32_t tid)
{
	char **leaves = s->branches[tid / BRANCH];

	return leaves ? &leaves[tid / LEAF % LEAVES] : NULL;
}

static void *get_slot(const struct kt_task_table *s, char *leaf, uint32_t tid)
{
	return leaf ? leaf + tid % LEAF * s->size : NULL;
}

void *kt_task_table_find(const struct kt_task_table *s, uint32_t tid)
{
	char **leaf = tid < KT_PIDS_MAX ? get_leaf(s, tid) : NULL;

	return leaf ? get_slot(s, *leaf, tid) : NULL;
}

void *kt_task_table_next(const struct kt_task_table *s, uint32_t *tid)
{
	char **leaf;

	while (*tid < KT_PIDS_MAX) {
		leaf = get_leaf(s, *tid);
		if (leaf && *leaf)
			return get_slot(s, *leaf, *tid);
		*tid += leaf ? LEAF - *tid % LEAF : BRANCH - *tid % BRANCH;
	}
	return NULL;
}

void *kt_task_table_make(struct kt_task_table *s, uint32_t tid)
{
	char **leaf;

	if (tid >= KT_PIDS_MAX)
		return NULL;
	if (!s->branches[tid / BRANCH])
		s->branches[tid / BRANCH] = calloc(LEAVES, sizeof(char *));
	leaf = get_leaf(s, tid);
	if (leaf && !*leaf)
		*leaf = calloc(LEAF, s->size);
	return leaf ? get_slot(s, *leaf, tid) : NULL;
}

static void release_leaf(char *leaf, size_t size, void (*release)(void *slot))
{
	size_t i;

	for (i = 0; leaf && release && i < LEAF; i++)
		release(leaf + i * size);
	free(leaf);
}

void kt_task_table_clear(struct kt_task_table *s, void (*release)(void *slot))
{
	size_t i, k;

	for (i = 0; i < KT_TASK_TABLE_BRANCHES; i++) {
		for (k = 0; s->branches[i] && k < LEAVES; k++)
			release_leaf(s->branches[i][k], s->size, release);
		free(s->branches[i]);
		s->branches[i] = NULL;
	}
}
