/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of event counts in a trace (doc/trace.md).
 *
 *	kt_event_counts_file_make(dir, n_events * n_cpus, &err);
 *	...
 *	kt_event_counts_file_write(counts, kt_recording_metadata(recording), dir, &err);
 *
 * Takes about 100 bytes per row. trace/read/event_counts_reader.h reads it.
 */
#ifndef KT_TRACE_EVENT_COUNTS_FILE_H
#define KT_TRACE_EVENT_COUNTS_FILE_H

#include <stddef.h>

struct kt_event_counts;
struct kt_error;
struct kt_metadata_writer;

/*
 * Creates the empty file in the trace's directory, and reserves disk space for that many rows:
 * losses must be reported even if the trace fills the disk. Returns 0 or -errno.
 */
int kt_event_counts_file_make(int dir, size_t rows, struct kt_error *err);

/* Writes the file. It stays empty if it cannot be written completely. Returns 0 or -errno. */
int kt_event_counts_file_write(const struct kt_event_counts *b,
			       const struct kt_metadata_writer *metadata, int dir,
			       struct kt_error *err);

#endif
