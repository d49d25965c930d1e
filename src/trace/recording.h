/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording: copies rings to a trace as they fill.
 *
 *	kt_session_start(session);
 *	struct kt_trace_source source = kt_session_trace_source(session);
 *	struct kt_recording *r = kt_recording_new(&source, "0.1.0", dir, &err);
 *
 *	while (!interrupted && kt_recording_copy(r, &err) >= 0)
 *		poll(NULL, 0, 50);
 *	kt_session_stop(session);
 *	kt_recording_stop(r, kt_session_ended(session));
 *	kt_recording_end(r, &err);
 *	kt_recording_add_names(r, dir, &err);
 *	counts = kt_event_counts_of(r, kt_session_missed_all(session), &err);
 *	kt_recording_free(r);
 *
 * or, for rings in overwrite mode (ring/ring.h) without active writers, from the oldest packet on:
 *
 *	kt_rings_rewind(rings);
 *	r = kt_recording_new(&source, "0.1.0", dir, &err);
 *	kt_recording_stop(r, ended);
 *	kt_recording_end(r, &err);
 *
 * or for packets from elsewhere:
 *
 *	r = kt_recording_empty(&source, "0.1.0", dir, &err);
 *	kt_recording_add(r, i, &packet, &err);		// of the ring kt_rings_at(rings, i)
 */
#ifndef KT_TRACE_RECORDING_H
#define KT_TRACE_RECORDING_H

#include <stddef.h>
#include <stdint.h>

struct kt_error;
struct kt_metadata_writer;
struct kt_trace_source;
struct kt_packet;
struct kt_recording;

/*
 * Creates the trace's files in the directory dir, which remains the caller's. What the source
 * points to (session/trace_source.h) must outlive the recording. Returns NULL on error; EEXIST if
 * there are files.
 */
struct kt_recording *kt_recording_new(const struct kt_trace_source *source, const char *version,
				      int dir, struct kt_error *err);
void kt_recording_free(struct kt_recording *r);

/*
 * Creates a recording without any packet; the caller adds them in order, as
 * kt_stream_writer_write() (trace/stream_writer.h) takes them. It has no event counts, and rings
 * and counters need not outlive it.
 */
struct kt_recording *kt_recording_empty(const struct kt_trace_source *source, const char *version,
					int dir, struct kt_error *err);
int kt_recording_add(struct kt_recording *r, size_t ring, const struct kt_packet *packet,
		     struct kt_error *err);

/*
 * Announces that the next packet is of another ring (kt_stream_writer_change_ring in
 * trace/stream_writer.h).
 */
void kt_recording_change_ring(struct kt_recording *r, size_t ring);

/*
 * Returns how much of a packet is up to that time (kt_stream_writer_until in
 * trace/stream_writer.h).
 */
size_t kt_recording_until(const struct kt_recording *r, size_t ring, const struct kt_packet *packet,
			  uint64_t time, size_t *n_records);

/*
 * Writes what is complete in the rings, at most about 4 MiB of each. Returns the number of packets,
 * or -errno: the files then are a valid trace of what was written before, and nothing more is
 * written.
 */
int kt_recording_copy(struct kt_recording *r, struct kt_error *err);

/*
 * Lets the kernel begin to write to the disk what was copied, without waiting: a sync at the end
 * takes less time then.
 */
void kt_recording_write_back(struct kt_recording *r);

/*
 * Writes everything recorded up to now, which wastes the rest of open sub-buffers, and takes about
 * 10 ms (hook/ask/rcu_wait.h). Sets *until to that time, in ns of CLOCK_MONOTONIC; leaves it
 * unchanged if a writer has been active all the time. Returns 0 or -errno.
 */
int kt_recording_catch_up(struct kt_recording *r, uint64_t *until, struct kt_error *err);

/*
 * Declares that no writer is active since that time: what is copied later ends there, however late
 * the rings were flushed.
 */
void kt_recording_stop(struct kt_recording *r, uint64_t ended);

/*
 * Writes the rest of a stopped recording, and what was lost; after an error of kt_recording_copy()
 * only the latter, with the same error. Returns 0 or -errno.
 */
int kt_recording_end(struct kt_recording *r, struct kt_error *err);

/*
 * Adds names to the metadata, for other readers: of tasks, and the present symbols of the kernel
 * addresses in the trace, in some ms if there are any. On error, as kt_kallsyms_find()
 * (events/kallsyms.h) or of writing, addresses remain numbers, and the rest is unchanged. Returns 0
 * or -errno.
 */
int kt_recording_add_names(struct kt_recording *r, int dir, struct kt_error *err);

/*
 * Appends to a file of the trace the names of addresses that came since the last call, for those
 * who read it while it grows; kt_recording_add_names() is not called then. Takes some us for each;
 * and up to a second for a large program, when its first function is named. Returns 0 or -errno,
 * and some names are missing.
 */
int kt_recording_append_names(struct kt_recording *r, int dir, struct kt_error *err);

/* Return an event's counters on a CPU, and how many of its records are in the trace. */
struct kt_counters kt_recording_counters(const struct kt_recording *r, size_t event, size_t cpu);
uint64_t kt_recording_records(const struct kt_recording *r, size_t event, size_t cpu);

/*
 * Returns how many stacks of the event's records in the trace have gone from tables that keep
 * stacks (trace/stacks_writer.h).
 */
uint64_t kt_recording_lost_stacks(const struct kt_recording *r, size_t event, size_t cpu);

/*
 * Returns how many records of all events that share a ring on the CPU are, or were, there, but
 * neither in the trace nor overwritten; 0 without a ring.
 */
uint64_t kt_recording_unwritten(const struct kt_recording *r, size_t event, size_t cpu);

/* Returns the maximum number of rows of its event counts (trace/event_counts.h). */
size_t kt_recording_rows(const struct kt_recording *r);

/* Returns the bytes of all streams. */
uint64_t kt_recording_size(const struct kt_recording *r);

/* Return its source and its metadata, which remain the recording's. */
const struct kt_trace_source *kt_recording_source(const struct kt_recording *r);
const struct kt_metadata_writer *kt_recording_metadata(const struct kt_recording *r);

#endif
