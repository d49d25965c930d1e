// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/task_labels.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A power of two, at least twice the number of labels. */
enum { SLOTS = 2048 };

_Static_assert(SLOTS >= 2 * KT_TASK_LABELS_MAX, "searches are short and end");

static int allocate(struct kt_task_labels *l)
{
	if (l->of)
		return 0;
	l->of = calloc(KT_TASK_LABELS_MAX, sizeof(*l->of));
	l->slots = calloc(SLOTS, sizeof(*l->slots));
	if (l->of && l->slots)
		return 0;
	kt_task_labels_free(l);
	return -ENOMEM;
}

/* FNV-1a */
static uint32_t hash_label(const struct kt_task_label *label)
{
	const unsigned char *at = (const unsigned char *)label, *end = at + sizeof(*label);
	uint32_t hash = 2166136261;

	for (; at < end; at++)
		hash = (hash ^ *at) * 16777619;
	return hash ^ hash >> 16;
}

/* Returns the slot that has the label, or the free one where it belongs. */
static uint32_t *find_slot(struct kt_task_labels *l, const struct kt_task_label *label)
{
	uint32_t i = hash_label(label) % SLOTS;

	while (l->slots[i] && memcmp(&l->of[l->slots[i] - 1], label, sizeof(*label)) != 0)
		i = (i + 1) % SLOTS;
	return &l->slots[i];
}

int kt_task_labels_add(struct kt_task_labels *l, uint32_t tid, const char *comm, size_t max)
{
	struct kt_task_label label = {.tid = tid};
	uint32_t *slot;

	if (allocate(l) < 0)
		return -ENOMEM;
	snprintf(label.comm, sizeof(label.comm), "%s", comm);
	slot = find_slot(l, &label);
	if (*slot || l->n >= max || l->n == KT_TASK_LABELS_MAX)
		return 0;
	l->of[l->n++] = label;
	*slot = l->n;
	return 0;
}

void kt_task_labels_free(struct kt_task_labels *l)
{
	free(l->of);
	free(l->slots);
	*l = (struct kt_task_labels){0};
}
