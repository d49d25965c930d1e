/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the records of one CPU and channel. The counterpart of trace/stream_writer.h.
 *
 *	struct kt_stream_reader *s = kt_stream_reader_open(metadata, dir, "cpu0", &memory, &err);
 *	struct kt_hit hit;
 *
 *	while ((ret = kt_stream_reader_next(s, &hit, &err)) > 0)
 *		if (hit.event)
 *			printf("%s:%s\n", hit.event->system, hit.event->name);
 *		else
 *			printf("%" PRIu64 " lost\n", hit.lost);
 *	kt_stream_reader_free(s);
 *
 * Holds 128 KiB of a packet at a time. Checks everything it reads: whatever a file contains,
 * results lie within the bytes of the file. A record of more than KT_RECORD_MAX bytes is treated as
 * damage.
 */
#ifndef KT_TRACE_READ_STREAM_READER_H
#define KT_TRACE_READ_STREAM_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/callstacks.h"
#include "bpf/ring_layout.h"
#include "trace/record_layout.h"

struct kt_error;
struct kt_event_class;
struct kt_frame;
struct kt_metadata;
struct kt_stream_reader;

/* A stack of a hit: innermost frame first. */
struct kt_hit_stack {
	uint64_t id; /* bpf/callstacks.h */
	size_t n;    /* set by the trace reader; 0: none, or it is not in the trace */
	bool is_cut;
	const struct kt_frame *frames; /* trace/read/stacks_reader.h */
};

/*
 * A record; or the number of records, of any events, that were dropped on the CPU since the record
 * before.
 */
struct kt_hit {
	const struct kt_event_class *event;             /* NULL: records were dropped */
	const struct kt_value *values;                  /* of event->fields */
	struct kt_hit_stack stacks[KT_CALLSTACK_KINDS]; /* if event->stacks has them */
	uint64_t time;                                  /* ns of CLOCK_MONOTONIC */
	uint64_t lost;                                  /* dropped records; 0 for a record */
	bool is_early; /* set by the trace reader: other CPUs' records of that time are incomplete
			*/
	bool is_older; /* an entry from before the trace, at an unknown time */
	unsigned int cpu;
	int32_t tid;
	int32_t pid;      /* set by the trace reader, as the next two: the process; -1: unknown */
	const char *comm; /* the task's name; NULL: unknown */
	uint32_t task;    /* the task's id (struct kt_task_now) */
};

/* Time that was recorded, with hits or without; ns of CLOCK_MONOTONIC. */
struct kt_extent {
	uint64_t begin, end;
};

/* ktrace's own records have up to 512 KiB. */
enum { KT_RECORD_MAX = 1 << 20, KT_SOURCES_MAX = 512 << 20 };

/*
 * Opens a stream. The metadata must outlive the reader and all hits; so must *memory, which counts
 * the bytes that packets take: readers that share it take at most KT_SOURCES_MAX. Returns NULL on
 * error.
 */
struct kt_stream_reader *kt_stream_reader_open(const struct kt_metadata *metadata, int dir,
					       const char *name, size_t *memory,
					       struct kt_error *err);
void kt_stream_reader_free(struct kt_stream_reader *s);

/*
 * Reads the next record in the order of time, valid until the next call. Returns 1; 0 at the end;
 * or -errno, after which the reader is at its end, and what was returned before is valid: -ENODATA
 * for an incomplete last packet, -EBADMSG for bytes that no recording wrote.
 */
int kt_stream_reader_next(struct kt_stream_reader *s, struct kt_hit *hit, struct kt_error *err);

/*
 * Declares that the file may have grown since the end was reached. A damaged stream remains at its
 * end.
 */
void kt_stream_reader_resume(struct kt_stream_reader *s);

/*
 * Frees the file's bytes that were read, if the file system can; they read as zeros from then on.
 * For a trace without other readers.
 */
void kt_stream_reader_forget(struct kt_stream_reader *s);

/* What was read so far of one CPU and channel: an empty extent before the first packet. */
struct kt_stream_share {
	unsigned int cpu;
	enum kt_channel channel;
	struct kt_extent extent;
	uint64_t bytes, size; /* that were read, and of the file when it was opened */
};

struct kt_stream_share kt_stream_reader_share(const struct kt_stream_reader *s);

#endif
