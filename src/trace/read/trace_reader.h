/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace as it is read: all CPUs' records in the order of time.
 *
 *	struct kt_trace_reader *r = kt_trace_reader_open("ktrace.out", &err);
 *	struct kt_hit hit;
 *
 *	while ((ret = kt_trace_reader_next(r, &hit, &err)) != 0)
 *		if (ret < 0)
 *			fprintf(stderr, "%s\n", err.text);	// of one CPU; the others go on
 *		else if (hit.event)
 *			print(&hit);
 *	kt_trace_reader_free(r);
 *
 * Holds one packet a CPU, whatever the size of the trace.
 */
#ifndef KT_TRACE_READ_TRACE_READER_H
#define KT_TRACE_READ_TRACE_READER_H

#include <stdbool.h>

#include "trace/read/stream_reader.h"
#include "trace/read/task_names_reader.h"

struct kt_event_counts;
struct kt_trace_reader;

/*
 * A trace that is still being recorded is read up to the last whole packet of each CPU. -EPROTO in
 * err for what is no trace of ktrace's. On error NULL.
 */
struct kt_trace_reader *kt_trace_reader_open(const char *path, struct kt_error *err);
void kt_trace_reader_free(struct kt_trace_reader *r);

/*
 * There may be more of a trace that is growing, in whole packets and names; all of it is there up
 * to that time, ns of CLOCK_MONOTONIC, which is not before the last one. What is later is held back
 * until it is to go on once more: so nothing comes later than what was hit after it.
 */
void kt_trace_reader_go_on(struct kt_trace_reader *r, uint64_t until);

/*
 * Gives back what has been read of a trace in memory (kt_stream_reader_forget): so one that grows,
 * and that nobody else reads, stays as small as what is yet to be read.
 */
void kt_trace_reader_forget(struct kt_trace_reader *r);

const struct kt_metadata *kt_trace_reader_schema(const struct kt_trace_reader *r);

/*
 * The next one, valid until the one after it: 1; 0 at the end, for now. An error, one a CPU at
 * most, tells that the rest of its records cannot be read, or another that of the tasks' names:
 * there is a next one all the same.
 */
int kt_trace_reader_next(struct kt_trace_reader *r, struct kt_hit *hit, struct kt_error *err);

/* That of one CPU, in any order, until there is a next one. False where there are no more than i.
 */
bool kt_trace_reader_share(const struct kt_trace_reader *r, size_t i, struct kt_share *share);

/*
 * That of all CPUs, once there is no next one, in a channel (bpf/ring_layout.h): from where the
 * last of them begins. What the main one spans is what a trace is of; of CPUs that go further back,
 * and of the kept one, there are hits from before. False where there was no packet.
 */
bool kt_trace_reader_extent(const struct kt_trace_reader *r, enum kt_channel channel,
			    struct kt_extent *extent);

/* Where that of the main one begins: hits before that are early. 0: it has none. */
uint64_t kt_trace_reader_begin(const struct kt_trace_reader *r);

/* The same of the kept one. */
uint64_t kt_trace_reader_kept_from(const struct kt_trace_reader *r);

/* A task's name at the time of the last one; NULL where it is not known. */
const char *kt_trace_reader_comm(const struct kt_trace_reader *r, uint32_t tid);

/* Which task has that number at that time, and what is known of it (comms.h). */
uint32_t kt_trace_reader_task(const struct kt_trace_reader *r, uint32_t tid);
struct kt_known_task kt_trace_reader_known(const struct kt_trace_reader *r, uint32_t task);

/* What its recorder counted, as kt_event_counts_read (trace/event_counts_file.h) has it. */
struct kt_event_counts *kt_trace_reader_balance(const struct kt_trace_reader *r,
						struct kt_error *err);

/* Whether the trace was still being recorded when it was opened. */
bool kt_trace_reader_is_growing(const struct kt_trace_reader *r);

#endif
