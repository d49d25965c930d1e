/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names that tasks had while a trace was recorded, by number: labels for metadata, so that
 * other readers show them.
 *
 *	struct kt_task_labels labels = {0};
 *
 *	kt_task_labels_add(&labels, 4711, "bash", KT_TASK_LABELS_MAX);
 *	kt_task_labels_add(&labels, 4711, "ls", KT_TASK_LABELS_MAX);	// later, or another task
 *	for (i = 0; i < labels.n; i++)
 *		printf("%u was %s\n", labels.of[i].tid, labels.of[i].comm);
 *	kt_task_labels_free(&labels);
 */
#ifndef KT_TRACE_TASK_LABELS_H
#define KT_TRACE_TASK_LABELS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Maximum number of labels: babeltrace2 compares each record's task with all of them, some 2 ns
 * each.
 */
enum { KT_TASK_LABELS_MAX = 1000 };

struct kt_task_label {
	uint32_t tid;
	char comm[16]; /* with a NUL */
};

/* All zeros: none. */
struct kt_task_labels {
	struct kt_task_label *of; /* each once, in no order */
	size_t n;
	uint32_t *slots; /* private: a hash table of indices in `of`, plus 1 */
};

/* Adds a label, unless there are `max` already. Returns 0 or -ENOMEM. */
int kt_task_labels_add(struct kt_task_labels *l, uint32_t tid, const char *comm, size_t max);

void kt_task_labels_free(struct kt_task_labels *l);

#endif
