/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of a session's tasks as a file in a trace, as they come: doc/trace.md.
 *
 *	struct kt_roster *r = kt_roster_new(metadata, dir, &err);
 *
 *	while (...)
 *		kt_roster_copy(r, tasks, &err);
 *	kt_roster_free(r);
 *
 * Some 60 bytes and 2 µs a name. trace/read/task_names_reader.h reads it.
 */
#ifndef KT_TRACE_TASK_NAMES_WRITER_H
#define KT_TRACE_TASK_NAMES_WRITER_H

struct kt_error;
struct kt_metadata;
struct kt_roster;
struct kt_tasks;

/* Makes it in the trace's directory, without a name in it. On error NULL. */
struct kt_roster *kt_roster_new(const struct kt_metadata *metadata, int dir, struct kt_error *err);
void kt_roster_free(struct kt_roster *r);

/*
 * Writes what has come since the last time, and what was lost. 0; or -errno, and nothing of it is
 * in the file.
 */
int kt_roster_copy(struct kt_roster *r, struct kt_tasks *tasks, struct kt_error *err);

#endif
