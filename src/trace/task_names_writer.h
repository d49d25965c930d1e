/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the file of task names in a trace, as names come (doc/trace.md).
 *
 *	struct kt_task_names_writer *w = kt_task_names_writer_new(metadata, dir, &err);
 *
 *	while (...)
 *		kt_task_names_writer_copy(w, names, &labels, &err);
 *	kt_task_names_writer_free(w);
 *
 * Takes about 60 bytes and 2 µs per name. trace/read/task_names_reader.h reads it.
 */
#ifndef KT_TRACE_TASK_NAMES_WRITER_H
#define KT_TRACE_TASK_NAMES_WRITER_H

struct kt_error;
struct kt_metadata_writer;
struct kt_task_names_writer;
struct kt_task_labels;
struct kt_task_names;

/* Creates the file in the trace's directory, without names. Returns NULL on error. */
struct kt_task_names_writer *kt_task_names_writer_new(const struct kt_metadata_writer *metadata,
						      int dir, struct kt_error *err);
void kt_task_names_writer_free(struct kt_task_names_writer *r);

/*
 * Appends the names since the last call, and how many were lost. Returns 0; or -errno, and the file
 * is unchanged. Adds the names to the labels; if processes are followed, those of others get
 * half of the room.
 */
int kt_task_names_writer_copy(struct kt_task_names_writer *r, struct kt_task_names *task_names,
			      struct kt_task_labels *labels, struct kt_error *err);

#endif
