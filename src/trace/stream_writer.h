/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU's part of a trace, or of what is kept of it, as it is written: doc/trace.md.
 *
 *	struct kt_stream_writer *s = kt_stream_writer_new(&metadata, dir, KT_MAIN, 0, &err);	//
 *dir/cpu0
 *
 *	kt_stream_writer_write(s, &(struct kt_packet){.begin = now, .end = now}, &err);
 *	while (kt_ring_next(ring, &packet, &err) > 0) {
 *		kt_stream_writer_write(s, &packet, &err);
 *		kt_ring_release(ring);
 *	}
 *	kt_stream_writer_free(s);
 *
 * Writing a packet looks at the head of each of its records, and is one system call.
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
struct kt_stream_writer;

/* Makes the file; -EEXIST in err where there is one. Metadata is to outlive it. On error NULL. */
struct kt_stream_writer *kt_stream_writer_new(const struct kt_metadata_writer *metadata, int dir,
					      enum kt_channel channel, unsigned int cpu,
					      struct kt_error *err);
void kt_stream_writer_free(struct kt_stream_writer *s);

/* From here on those in its records are noted there. */
void kt_stream_writer_note(struct kt_stream_writer *s, struct kt_symbol_addresses *addresses);

/*
 * Packets in their order; one that is open ends with its last record. Times that step back by less
 * than a millisecond are levelled, in the packet itself. -EBADMSG for what no probe of these events
 * wrote. After an error the file holds the packets before, and on a full disk one without records
 * can still follow.
 */
int kt_stream_writer_write(struct kt_stream_writer *s, const struct kt_packet *packet,
			   struct kt_error *err);

/*
 * What comes next may have begun before the last packet ended, however long, as it is of another
 * ring: times are levelled until there.
 */
void kt_stream_writer_turn(struct kt_stream_writer *s);

/*
 * Of a packet that comes next, the bytes of the records up to that time, which are the first ones,
 * and how many these are.
 */
size_t kt_stream_writer_until(const struct kt_stream_writer *s, const struct kt_packet *packet,
			      uint64_t time, size_t *n_records);

/* There were no hits after that time: packets end there from now on, or with a later record. */
void kt_stream_writer_stop(struct kt_stream_writer *s, uint64_t time);

/* When the last packet ended. */
uint64_t kt_stream_writer_end(const struct kt_stream_writer *s);

/*
 * The size of the packet of whose file these are bytes, from its first one on; 0: they are too few
 * to tell.
 */
size_t kt_stream_writer_packet_size(const void *bytes, size_t size);

/* How many records of an event are in the file, and the file's size. */
uint64_t kt_stream_writer_records(const struct kt_stream_writer *s, size_t event);
uint64_t kt_stream_writer_size(const struct kt_stream_writer *s);

#endif
