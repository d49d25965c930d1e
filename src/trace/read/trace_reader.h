/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a trace: the records of all CPUs in the order of time.
 *
 *	struct kt_trace_reader *r = kt_trace_reader_open("ktrace.out", &err);
 *	struct kt_hit hit;
 *
 *	while ((ret = kt_trace_reader_next(r, &hit, &err)) != 0)
 *		if (ret < 0)
 *			fprintf(stderr, "%s\n", err.text);	// one CPU; others continue
 *		else if (hit.event)
 *			print(&hit);
 *	kt_trace_reader_free(r);
 *
 * Holds part of one packet per CPU, whatever the size of the trace.
 */
#ifndef KT_TRACE_READ_TRACE_READER_H
#define KT_TRACE_READ_TRACE_READER_H

#include <stdbool.h>

#include "trace/read/stream_reader.h"
#include "trace/read/task_names_reader.h"

struct kt_event_counts;
struct kt_trace_reader;

/*
 * Opens a trace. A trace that is still being recorded is read up to the last whole packet of each
 * CPU. Returns NULL on error: EPROTO if this is no trace of ktrace's.
 */
struct kt_trace_reader *kt_trace_reader_open(const char *path, struct kt_error *err);
void kt_trace_reader_free(struct kt_trace_reader *r);

/*
 * Declares that a growing trace may have grown by whole packets and names, and is complete up to a
 * time in ns of CLOCK_MONOTONIC, not before the last one. Later records are held back until the
 * next call: so records are always in order.
 */
void kt_trace_reader_resume(struct kt_trace_reader *r, uint64_t until);

/*
 * Frees what was read of a trace in memory (kt_stream_reader_forget), so that a growing trace
 * without other readers stays small.
 */
void kt_trace_reader_forget(struct kt_trace_reader *r);

const struct kt_metadata *kt_trace_reader_metadata(const struct kt_trace_reader *r);

/*
 * Reads the next record, valid until the next call. Returns 1; 0 at the end, for now; or -errno,
 * after which reading can continue: the other records of one CPU cannot be read, or the names of
 * tasks or stacks cannot.
 */
int kt_trace_reader_next(struct kt_trace_reader *r, struct kt_hit *hit, struct kt_error *err);

/*
 * Gets what was read of CPU number i, in any order, before the next record is read. Returns false
 * if there are no more than i.
 */
bool kt_trace_reader_share(const struct kt_trace_reader *r, size_t i,
			   struct kt_stream_share *share);

/* Returns how many per mille of a trace's bytes were read. */
unsigned int kt_trace_reader_progress(const struct kt_trace_reader *r);

/*
 * Gets the time that all CPUs of a channel (bpf/ring_layout.h) cover, after all records were read:
 * from the latest begin on. That of the main channel is the trace's; CPUs that go back further, and
 * the rare events, have records from before it. Returns false if there was no packet.
 */
bool kt_trace_reader_extent(const struct kt_trace_reader *r, enum kt_channel channel,
			    struct kt_extent *extent);

/* Returns the begin of the main channel; records before it are early. 0 if it has none. */
uint64_t kt_trace_reader_begin(const struct kt_trace_reader *r);

/* Returns the begin of the rare-event channel. */
uint64_t kt_trace_reader_rare_from(const struct kt_trace_reader *r);

/*
 * Returns the time of the last record that was read while records of some CPU may be missing; 0 if
 * there was none. Nothing is missing between two later records.
 */
uint64_t kt_trace_reader_last_gap(const struct kt_trace_reader *r);

/* Returns a task's name at the time of the last record; NULL if it is unknown. */
const char *kt_trace_reader_comm(const struct kt_trace_reader *r, uint32_t tid);

/*
 * Return the id of the task that has a number at that time, and what is known of it
 * (trace/read/task_names_reader.h).
 */
uint32_t kt_trace_reader_task(const struct kt_trace_reader *r, uint32_t tid);
struct kt_known_task kt_trace_reader_known(const struct kt_trace_reader *r, uint32_t task);

/*
 * Reads what the recorder counted. Returns as kt_event_counts_read()
 * (trace/read/event_counts_reader.h).
 */
struct kt_event_counts *kt_trace_reader_counts(const struct kt_trace_reader *r,
					       struct kt_error *err);

/* Returns whether the trace was still being recorded when it was opened. */
bool kt_trace_reader_is_growing(const struct kt_trace_reader *r);

#endif
