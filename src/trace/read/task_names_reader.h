/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names that a trace's tasks have, each at its time, and who is followed: the counterpart of
 * roster.h.
 *
 *	struct kt_task_names_reader *c = kt_task_names_reader_new(schema, dir);
 *
 *	kt_task_names_reader_go_to(c, hit.time, &err);		// from hit to hit
 *	comm = kt_task_names_reader_of(c, hit.tid);			// "bash", or NULL: not
 *known task = kt_task_names_reader_task(c, hit.tid);		// 4711, or 0x80000003: the number
 *was used again
 *	...
 *	known = kt_task_names_reader_known(c, task);		// what is known of it at the end
 *	kt_task_names_reader_free(c);
 *
 * Reads line by line what there is to read until then, some 2 µs each, and holds one name, the last
 * one, of each task.
 */
#ifndef KT_TRACE_READ_TASK_NAMES_READER_H
#define KT_TRACE_READ_TASK_NAMES_READER_H

#include <stdbool.h>
#include <stdint.h>

struct kt_task_names_reader;
struct kt_error;
struct kt_metadata;

/*
 * Of the trace in that directory, which may be growing: it ends in part of a line then. Both are to
 * outlive it. Where there is no memory NULL.
 */
struct kt_task_names_reader *kt_task_names_reader_new(const struct kt_metadata *schema, int dir,
						      bool is_growing);
void kt_task_names_reader_free(struct kt_task_names_reader *c);

/*
 * On to a time that is not before the last one. 0; or -errno, and from there on no name is known:
 * -EPROTO for what no recording wrote. Where some were lost, all are forgotten: any of them may
 * have been another by then. A trace without names is none that is wrong.
 */
int kt_task_names_reader_go_to(struct kt_task_names_reader *c, uint64_t time, struct kt_error *err);

/* There may be more lines than those that were read to their end, all of them whole. */
void kt_task_names_reader_resume(struct kt_task_names_reader *c);

/* The task's name at that time, at most 45 bytes of UTF-8; NULL where it is not known. */
const char *kt_task_names_reader_of(const struct kt_task_names_reader *c, uint32_t tid);

#define KT_NEVER UINT64_MAX

/*
 * Since when a task of that number was one of those that are followed, without one in between that
 * was not. KT_NEVER where it is none of them, or that is not known.
 */
uint64_t kt_task_names_reader_followed_since(const struct kt_task_names_reader *c, uint32_t tid);

/*
 * Returns which task has that number now: an id that no other task of the trace has. That is the
 * number itself unless a task before had it. The trace must tell where tasks begin: where it does
 * not, or names were lost, all tasks of a number are one.
 */
uint32_t kt_task_names_reader_task(struct kt_task_names_reader *c, uint32_t tid);

struct kt_known_task {
	uint32_t tid;
	const char *comm; /* the last name that is known; NULL: none is */
	uint64_t followed_since;
};

/* Of such an id, also when its number is another task's by now. */
struct kt_known_task kt_task_names_reader_known(const struct kt_task_names_reader *c,
						uint32_t task);

#endif
