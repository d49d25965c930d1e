/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes one stream of a trace: one CPU's records, or its rare events' (doc/trace.md).
 *
 *	// dir/cpu0
 *	struct kt_stream_writer *s = kt_stream_writer_new(&metadata, dir, KT_MAIN, 0, &err);
 *
 *	kt_stream_writer_write(s, &(struct kt_packet){.begin = now, .end = now}, &err);
 *	while (kt_ring_next(ring, &packet, &err) > 0) {
 *		kt_stream_writer_write(s, &packet, &err);
 *		kt_ring_release(ring);
 *	}
 *	kt_stream_writer_free(s);
 *
 * Writing a packet examines the header of each record, and takes one system call.
 */
#ifndef KT_TRACE_STREAM_WRITER_H
#define KT_TRACE_STREAM_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/ring_layout.h"

struct kt_symbol_addresses;
struct kt_error;
struct kt_metadata_writer;
struct kt_packet;
struct kt_stacks_writer;
struct kt_stream_writer;

/*
 * Creates the file; metadata must outlive the writer. Returns NULL on error; EEXIST if the file
 * exists.
 */
struct kt_stream_writer *kt_stream_writer_new(const struct kt_metadata_writer *metadata, int dir,
					      enum kt_channel channel, unsigned int cpu,
					      struct kt_error *err);
void kt_stream_writer_free(struct kt_stream_writer *s);

/* Notes the kernel addresses in all further records. */
void kt_stream_writer_note(struct kt_stream_writer *s, struct kt_symbol_addresses *addresses);

/*
 * Notes the stacks of all further records: the writer's file has them before this one has the
 * records.
 */
void kt_stream_writer_note_stacks(struct kt_stream_writer *s, struct kt_stacks_writer *stacks);

/*
 * Writes packets in order; an open packet ends with its last record. Times that step back by less
 * than a millisecond are made monotonic, in the packet itself. Returns 0 or -errno: -EBADMSG for
 * what no program of these events has written. After an error the file holds the packets before; an
 * empty packet can still follow, even on a full disk.
 */
int kt_stream_writer_write(struct kt_stream_writer *s, const struct kt_packet *packet,
			   struct kt_error *err);

/*
 * Announces that the next packet may start before the end of the last, by any time, since it is of
 * another ring: its times are made monotonic.
 */
void kt_stream_writer_change_ring(struct kt_stream_writer *s);

/* Returns the bytes of a packet's first records, up to that time, and their number. */
size_t kt_stream_writer_until(const struct kt_stream_writer *s, const struct kt_packet *packet,
			      uint64_t time, size_t *n_records);

/*
 * Declares that there were no hits after that time: packets end there from now on, or with a later
 * record.
 */
void kt_stream_writer_stop(struct kt_stream_writer *s, uint64_t time);

/* Returns the end time of the last packet. */
uint64_t kt_stream_writer_end(const struct kt_stream_writer *s);

/* Returns the size of a stream's first packet, from its first bytes; 0 if they are too few. */
size_t kt_stream_writer_packet_size(const void *bytes, size_t size);

/* Lets the kernel begin to write to the disk what is in the file, without waiting. */
void kt_stream_writer_write_back(struct kt_stream_writer *s);

/*
 * Return the number of an event's records in the file; of their stacks that were lost when they
 * were noted; and the size of the file.
 */
uint64_t kt_stream_writer_records(const struct kt_stream_writer *s, size_t event);
uint64_t kt_stream_writer_lost_stacks(const struct kt_stream_writer *s, size_t event);
uint64_t kt_stream_writer_size(const struct kt_stream_writer *s);

#endif
