/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace's balance, from its file (trace/event_counts_file.h): doc/trace.md.
 *
 *	balance = kt_event_counts_read(dir, schema, &err);
 *
 * Reading takes a few µs a row.
 */
#ifndef KT_TRACE_READ_EVENT_COUNTS_READER_H
#define KT_TRACE_READ_EVENT_COUNTS_READER_H

struct kt_event_counts;
struct kt_error;
struct kt_metadata;

/*
 * For kt_event_counts_free. ENOENT in err: there is none, or an empty one: the recording has not
 * come to its end. EPROTO: not a whole one, or not that of this trace. On error NULL.
 */
struct kt_event_counts *kt_event_counts_read(int dir, const struct kt_metadata *schema,
					     struct kt_error *err);

#endif
