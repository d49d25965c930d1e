/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One output file per task, FILE.TID, as strace -ff -o FILE writes.
 *
 *	static struct task_files files;
 *
 *	text.to = task_files_open(&files, "FILE", false, &err);
 *	if (!text.to)
 *		return report_error(NAME, &err);
 *	form.choice = (struct kt_output_choice){task_files_choose, &files};
 *	…
 *	if (task_files_flush(&files, &err) < 0)
 *		status = report_error(NAME, &err);
 *	task_files_close(&files);
 *
 * Files are opened as by output_file_open(): each is truncated when its task's first line comes,
 * unless it is appended to. If there are too many for the limit of descriptors, all are closed, and
 * opened again when the next line of their task comes. If another task is given a number later, it
 * continues the file.
 */
#ifndef KT_APP_CONTROL_TASK_FILES_H
#define KT_APP_CONTROL_TASK_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "trace/read/task_table.h"

struct kt_text;

struct task_files {
	struct kt_error err; /* the first one, after which nothing is written; code is 0: none */

	/* Private: */
	const char *path;
	bool appends;               /* to what files have before the trace */
	struct kt_task_table files; /* struct task_file */
	size_t n_open, open_max;
	FILE *nowhere; /* for text after an error */
	int tid;       /* the task that was chosen last */
};

/*
 * Prepares files; `path` must outlive them. Returns a file that discards text written before any
 * task is chosen; or NULL if the files cannot be, as there is no such directory.
 */
FILE *task_files_open(struct task_files *f, const char *path, bool appends, struct kt_error *err);
void task_files_close(struct task_files *f);

/* Directs the text to a task's file; `files` is a struct task_files. */
void task_files_choose(void *files, struct kt_text *text, int tid);

/* Flushes all files. Returns 0, or -errno of the first error of these and earlier calls. */
int task_files_flush(struct task_files *f, struct kt_error *err);

#endif
