/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU's part of a trace, as it is read: the counterpart of stream.h.
 *
 *	struct kt_stream_reader *s = kt_stream_reader_open(schema, dir, "cpu0", &err);
 *	struct kt_hit hit;
 *
 *	while ((ret = kt_stream_reader_next(s, &hit, &err)) > 0)
 *		if (hit.event)
 *			printf("%s:%s\n", hit.event->system, hit.event->name);
 *		else
 *			printf("%" PRIu64 " lost\n", hit.lost);
 *	kt_stream_reader_free(s);
 *
 * Holds a packet's next 128 KiB, and checks all that it finds: whatever a file holds, what it gives
 * is in the bytes that are there. A record of more than KT_RECORD_MAX bytes is damage.
 */
#ifndef KT_TRACE_READ_STREAM_READER_H
#define KT_TRACE_READ_STREAM_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/ring_layout.h"
#include "trace/record_layout.h"

struct kt_error;
struct kt_event_class;
struct kt_metadata;
struct kt_stream_reader;

/* A record; or how many, of whatever events, were dropped on its CPU since the one before it. */
struct kt_hit {
	const struct kt_event_class *event; /* NULL: dropped */
	const struct kt_value *values;      /* of event->fields */
	uint64_t time;                      /* ns of CLOCK_MONOTONIC */
	uint64_t lost;                      /* 0 for a record */
	bool is_early;                      /* the reader's: not all is there of that time */
	bool is_older; /* an entry from before the trace, at a time that is not known */
	unsigned int cpu;
	int32_t tid;
	const char *comm; /* the reader's (reader.h): the task's name; NULL where it is not known */
	uint32_t task; /* the reader's: which one, as kt_task_names_reader_task (comms.h) has it */
};

/* From when to when it was recorded, whether there were hits or not; ns of CLOCK_MONOTONIC. */
struct kt_extent {
	uint64_t begin, end;
};

/* ktrace's own records have up to 512 KiB. */
enum { KT_RECORD_MAX = 1 << 20, KT_SOURCES_MAX = 512 << 20 };

/*
 * The schema must outlive the source, and all hits. So must *memory, to which it adds the bytes it
 * takes for packets; all sources that share one take KT_SOURCES_MAX at most. On error NULL.
 */
struct kt_stream_reader *kt_stream_reader_open(const struct kt_metadata *schema, int dir,
					       const char *name, size_t *memory,
					       struct kt_error *err);
void kt_stream_reader_free(struct kt_stream_reader *s);

/*
 * The next one in the order of time, valid until the one after it: 1; 0 at the end. After an error,
 * -ENODATA for a last packet that is not whole, -EBADMSG for bytes that no recording wrote, it is
 * at its end; what was given before is good.
 */
int kt_stream_reader_next(struct kt_stream_reader *s, struct kt_hit *hit, struct kt_error *err);

/* There may be more of it than there was at its end, unless it is damaged. */
void kt_stream_reader_resume(struct kt_stream_reader *s);

/*
 * Gives the file's bytes that have been read back, where the file system can: they are read as
 * zeros from then on. For a trace that nobody else reads.
 */
void kt_stream_reader_forget(struct kt_stream_reader *s);

/* One CPU's, as far as it has been read: of no length before the first packet. */
struct kt_share {
	unsigned int cpu;
	enum kt_channel channel;
	struct kt_extent extent;
};

struct kt_share kt_stream_reader_share(const struct kt_stream_reader *s);

#endif
