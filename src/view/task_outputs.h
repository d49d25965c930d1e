/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where lines go one after another: all to one output, or those of each task to its own (strace -ff
 * -o FILE).
 *
 *	kt_task_outputs_begin(&o, &prefix, &choice);
 *
 *	if (kt_task_outputs_choose(&o, &text, hit->tid) < 0)	// calls choice.choose()
 *		return -ENOMEM;
 *	kt_strace_prefix_print(&o.of->prefix, &text, hit);
 *
 *	for (tid = 0; (of = kt_task_outputs_next(&o, &tid)); tid++)
 *		if (of->held.kind) {
 *			kt_task_outputs_switch(&o, &text, of, tid);
 *			…
 *		}
 *	kt_task_outputs_clear(&o);
 *
 * Takes some 100 bytes per task, or 1.5 KiB if the tasks' numbers are far apart.
 */
#ifndef KT_VIEW_TASK_OUTPUTS_H
#define KT_VIEW_TASK_OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/read/syscall_pairs.h"
#include "trace/read/task_table.h"
#include "view/strace_prefix.h"

struct kt_text;

/* What directs the text to each task's place. */
struct kt_output_choice {
	/* Flushes the text and sets where it goes; NULL: there is one output. */
	void (*choose)(void *arg, struct kt_text *text, int tid);
	void *arg;
};

struct kt_task_output {
	struct kt_strace_prefix prefix;
	uint64_t begin;      /* of the line in the text; while another is chosen, its length */
	struct kt_call held; /* entered by the last hit; kind is NULL: none */
	bool is_shown;       /* the held line is printed as far as the entry knows it */
	bool is_used;
	bool has_ended; /* the task has */
};

struct kt_task_outputs {
	struct kt_task_output *of; /* the chosen one */

	/* Private: */
	struct kt_strace_prefix prefix;
	struct kt_output_choice choice;
	struct kt_task_output first; /* for all tasks, or before any is chosen */
	struct kt_task_table tasks;  /* struct kt_task_output */
};

/* Chooses the one output of all, or none. Each one's prefix is a copy. */
void kt_task_outputs_begin(struct kt_task_outputs *o, const struct kt_strace_prefix *prefix,
			   const struct kt_output_choice *choice);
void kt_task_outputs_clear(struct kt_task_outputs *o);

/* Chooses the output of a task. Returns 0 or -ENOMEM. */
int kt_task_outputs_choose(struct kt_task_outputs *o, struct kt_text *text, uint32_t tid);

/* Chooses an output that there is. */
void kt_task_outputs_switch(struct kt_task_outputs *o, struct kt_text *text,
			    struct kt_task_output *of, uint32_t tid);

/* Returns the next output from a task's number on, and stores that number; NULL after the last. */
struct kt_task_output *kt_task_outputs_next(struct kt_task_outputs *o, uint32_t *tid);

#endif
