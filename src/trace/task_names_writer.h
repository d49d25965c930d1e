/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of a session's tasks as a file in a trace, as they come: doc/trace.md.
 *
 *	struct kt_task_names_writer *r = kt_task_names_writer_new(metadata, dir, &err);
 *
 *	while (...)
 *		kt_task_names_writer_copy(r, tasks, &err);
 *	kt_task_names_writer_free(r);
 *
 * Some 60 bytes and 2 µs a name. trace/read/task_names_reader.h reads it.
 */
#ifndef KT_TRACE_TASK_NAMES_WRITER_H
#define KT_TRACE_TASK_NAMES_WRITER_H

struct kt_error;
struct kt_metadata_writer;
struct kt_task_names_writer;
struct kt_task_names;

/* Makes it in the trace's directory, without a name in it. On error NULL. */
struct kt_task_names_writer *kt_task_names_writer_new(const struct kt_metadata_writer *metadata,
						      int dir, struct kt_error *err);
void kt_task_names_writer_free(struct kt_task_names_writer *r);

/*
 * Writes what has come since the last time, and what was lost. 0; or -errno, and nothing of it is
 * in the file.
 */
int kt_task_names_writer_copy(struct kt_task_names_writer *r, struct kt_task_names *tasks,
			      struct kt_error *err);

#endif
