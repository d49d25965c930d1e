/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace's balance as a file in it: doc/trace.md.
 *
 *	kt_event_counts_file_make(dir, n_events * n_cpus, &err);
 *	...
 *	kt_event_counts_file_write(balance, kt_recording_metadata(recording), dir, &err);
 *
 * Some 100 bytes a row. trace/read/event_counts_reader.h reads it.
 */
#ifndef KT_TRACE_EVENT_COUNTS_FILE_H
#define KT_TRACE_EVENT_COUNTS_FILE_H

#include <stddef.h>

struct kt_event_counts;
struct kt_error;
struct kt_metadata_writer;

/*
 * Makes it in the trace's directory, empty, with room on the disk for so many rows: what was lost
 * is to be in the trace even if the rest of it fills the disk. 0 or -errno.
 */
int kt_event_counts_file_make(int dir, size_t rows, struct kt_error *err);

/* Fills it. It is empty still where it cannot be written whole. 0 or -errno. */
int kt_event_counts_file_write(const struct kt_event_counts *b,
			       const struct kt_metadata_writer *metadata, int dir,
			       struct kt_error *err);

#endif
