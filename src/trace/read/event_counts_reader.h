/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the event counts of a trace from their file (trace/event_counts_file.h, doc/trace.md).
 *
 *	counts = kt_event_counts_read(dir, metadata, &err);
 *
 * Takes a few µs per event.
 */
#ifndef KT_TRACE_READ_EVENT_COUNTS_READER_H
#define KT_TRACE_READ_EVENT_COUNTS_READER_H

struct kt_event_counts;
struct kt_error;
struct kt_metadata;

/*
 * Returns the counts, to be freed by kt_event_counts_free(). Returns NULL on error: ENOENT if there
 * is no file or an empty one, as the recording did not end properly; EPROTO if it is incomplete or
 * belongs to another trace.
 */
struct kt_event_counts *kt_event_counts_read(int dir, const struct kt_metadata *metadata,
					     struct kt_error *err);

#endif
