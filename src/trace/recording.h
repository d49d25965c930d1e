/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings, copied to a trace as they fill.
 *
 *	kt_session_start(session);
 *	struct kt_trace_source origin = kt_session_origin(session);
 *	struct kt_recording *r = kt_recording_new(&origin, "0.1.0", dir, &err);
 *
 *	while (!interrupted && kt_recording_copy(r, &err) >= 0)
 *		poll(NULL, 0, 50);
 *	kt_session_stop(session);
 *	kt_recording_stop(r, kt_session_ended(session));
 *	kt_recording_end(r, &err);
 *	kt_recording_name_addresses(r, dir, &err);
 *	balance = kt_event_counts_of(r, kt_session_missed_all(session), &err);	//
 * trace/event_counts.h kt_recording_free(r);
 *
 * or once they are still, of rings that are overwritten (ring/ring.h), from the oldest packet on
 * that is left:
 *
 *	kt_rings_rewind(rings);
 *	r = kt_recording_new(&origin, "0.1.0", dir, &err);
 *	kt_recording_stop(r, ended);
 *	kt_recording_end(r, &err);
 *
 * or of packets that somebody has found otherwise:
 *
 *	r = kt_recording_empty(&origin, "0.1.0", dir, &err);
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
 * Makes the trace's files in the directory dir, -EEXIST in err where there are any. What the origin
 * is made of (session/trace_source.h) is to outlive it, and dir remains the caller's. On error
 * NULL.
 */
struct kt_recording *kt_recording_new(const struct kt_trace_source *origin, const char *version,
				      int dir, struct kt_error *err);
void kt_recording_free(struct kt_recording *r);

/*
 * The same without a packet in any stream, for somebody to add them: in their order, as
 * kt_stream_writer_write (trace/stream_writer.h) takes them. It has no balance, and neither the
 * rings nor the ledger need outlive it.
 */
struct kt_recording *kt_recording_empty(const struct kt_trace_source *origin, const char *version,
					int dir, struct kt_error *err);
int kt_recording_add(struct kt_recording *r, size_t ring, const struct kt_packet *packet,
		     struct kt_error *err);

/* As kt_stream_writer_turn (trace/stream_writer.h), before such a packet. */
void kt_recording_turn(struct kt_recording *r, size_t ring);

/* As kt_stream_writer_until (trace/stream_writer.h) says of such a packet. */
size_t kt_recording_until(const struct kt_recording *r, size_t ring, const struct kt_packet *packet,
			  uint64_t time, size_t *n_records);

/*
 * Writes what is whole in the rings, of each some 4 MiB at most. The number of packets, or -errno:
 * the files are a valid trace then too, of what was written before, and it writes no more.
 */
int kt_recording_copy(struct kt_recording *r, struct kt_error *err);

/*
 * All that was hit until now, at the cost of what is left of the sub-buffers that are open: takes
 * some 10 ms (hook/rcu_wait.h). *until is set to that time, ns of CLOCK_MONOTONIC; or it remains as
 * it is, as somebody has been writing a record all the time. 0 or -errno.
 */
int kt_recording_catch_up(struct kt_recording *r, uint64_t *until, struct kt_error *err);

/*
 * Nobody writes the rings any more, from that time on: what is copied after this ends there,
 * however much later they were flushed.
 */
void kt_recording_stop(struct kt_recording *r, uint64_t ended);

/*
 * The rest, once it is stopped; and what was lost; after an error of kt_recording_copy that alone,
 * with the same error. 0 or -errno.
 */
int kt_recording_end(struct kt_recording *r, struct kt_error *err);

/*
 * Puts into the trace what lies at the kernel's addresses that are in it, as the kernel calls it
 * now: some 60 ms, nothing where there are none. On error, as of kt_kallsyms_find
 * (events/kallsyms.h) or of writing, they remain numbers, and all else is as it was. 0 or -errno.
 */
int kt_recording_name_addresses(struct kt_recording *r, int dir, struct kt_error *err);

/* What became of an event's hits on a CPU: how many records of it are in the trace too. */
struct kt_counters kt_recording_tally(const struct kt_recording *r, size_t event, size_t cpu);
uint64_t kt_recording_records(const struct kt_recording *r, size_t event, size_t cpu);

/*
 * How many of the records of all events that share its ring on a CPU are there, or were, and
 * neither in the trace nor overwritten: 0 where it has none.
 */
uint64_t kt_recording_unwritten(const struct kt_recording *r, size_t event, size_t cpu);

/* The most rows that its balance can have (trace/event_counts.h). */
size_t kt_recording_rows(const struct kt_recording *r);

/* Bytes in all its streams. */
uint64_t kt_recording_size(const struct kt_recording *r);

/* What it is made of, and what the trace says of itself; they remain the recording's. */
const struct kt_trace_source *kt_recording_origin(const struct kt_recording *r);
const struct kt_metadata_writer *kt_recording_metadata(const struct kt_recording *r);

#endif
