/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the names of a trace's tasks, each valid at a time, and which tasks are followed. The
 * counterpart of trace/task_names_writer.h.
 *
 *	struct kt_task_names_reader *c = kt_task_names_reader_new(metadata, dir, false);
 *
 *	kt_task_names_reader_advance(c, hit.time, &err);	// for each hit
 *	now = kt_task_names_reader_now(c, hit.tid);		// now.comm "bash", now.task 4711
 *	...
 *	known = kt_task_names_reader_known(c, task);		// at the end of the trace
 *	kt_task_names_reader_free(c);
 *
 * Reads the file line by line, some 2 µs each, and holds the last name of each task.
 */
#ifndef KT_TRACE_READ_TASK_NAMES_READER_H
#define KT_TRACE_READ_TASK_NAMES_READER_H

#include <stdbool.h>
#include <stdint.h>

struct kt_task_names_reader;
struct kt_error;
struct kt_metadata;

/*
 * Opens the names of the trace in a directory. If it is growing, the file may end in part of a
 * line. The metadata and dir must outlive the result. Returns NULL without memory.
 */
struct kt_task_names_reader *kt_task_names_reader_new(const struct kt_metadata *metadata, int dir,
						      bool is_growing);
void kt_task_names_reader_free(struct kt_task_names_reader *c);

/*
 * Advances to a time, not before the last one. Returns 0; or -errno, and all names are unknown from
 * then on: -EPROTO for a line that no recording wrote. After lost entries all names are forgotten,
 * as any of them may have changed. A trace without names is valid.
 */
int kt_task_names_reader_advance(struct kt_task_names_reader *c, uint64_t time,
				 struct kt_error *err);

/* Declares that the file may have grown, by whole lines. */
void kt_task_names_reader_resume(struct kt_task_names_reader *c);

/* The task that has a number. */
struct kt_task_now {
	uint32_t task;    /* its id */
	int32_t pid;      /* its process; -1: unknown */
	const char *comm; /* at most 45 bytes of UTF-8; NULL: unknown */
};

/*
 * Returns the task that has this number now. No other task of the trace has its id, which is the
 * number itself, or another one if the number was used before (0x80000003). If the trace does not
 * say where tasks begin, or names were lost, all tasks of a number are one.
 */
struct kt_task_now kt_task_names_reader_now(struct kt_task_names_reader *c, uint32_t tid);

/* Returns the task's name at that time; NULL if it is unknown. */
const char *kt_task_names_reader_comm(const struct kt_task_names_reader *c, uint32_t tid);

#define KT_NEVER UINT64_MAX

/*
 * Returns since when tasks of that number are followed without interruption; KT_NEVER if they are
 * not, or that is unknown.
 */
uint64_t kt_task_names_reader_followed_since(const struct kt_task_names_reader *c, uint32_t tid);

struct kt_known_task {
	uint32_t tid;
	const char *comm; /* the last known name; NULL: none */
	uint64_t followed_since;
};

/* Returns what is known of a task by its id, even if another task has its number now. */
struct kt_known_task kt_task_names_reader_known(const struct kt_task_names_reader *c,
						uint32_t task);

#endif
