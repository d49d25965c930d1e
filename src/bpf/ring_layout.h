/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory layout of a ring, shared by BPF programs, which write it, and the reader (doc/ring.md).
 * Append only.
 *
 *	element 0	struct kt_control
 *	element 1...	struct kt_subbuf, followed by its records up to the end of the element
 *
 * Positions are bytes since the ring was made. Times are ns of CLOCK_MONOTONIC.
 */
#ifndef KT_BPF_RING_LAYOUT_H
#define KT_BPF_RING_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ring's header: one cache line for writers, one for the reader. */
struct kt_control {
	uint64_t reserved;    /* position of the next record, or a sub-buffer boundary */
	uint64_t lost;        /* records dropped since the ring was made */
	uint64_t overwritten; /* records overwritten by newer ones since the ring was made */
	uint64_t pad[5];
	uint64_t consumed; /* position of the first sub-buffer not read yet: a boundary */
	uint64_t lost_then, overwritten_then; /* values of lost and overwritten when the ring was
						 last cleared */
	uint64_t pad2[5];
};

struct kt_subbuf {
	uint64_t committed; /* bytes completely written, over all rounds, and records: see below */
	uint64_t begin;     /* time of the first record */
	uint64_t end;       /* time when the sub-buffer was closed */
	uint64_t lost;      /* kt_control.lost at begin */
	uint64_t used; /* bytes from the start of the sub-buffer to the end of its last record */
	uint64_t pad[3];
};

/*
 * In a ring in overwrite mode, kt_subbuf.committed holds the records of this round above
 * KT_COUNT_SHIFT, and the bytes modulo 1 TiB below.
 */
enum { KT_COUNT_SHIFT = 40 };

/* Returns whether exactly that many bytes are committed, so that no writer is active. */
static inline bool kt_is_committed(uint64_t committed, uint64_t bytes)
{
	return (committed - bytes) << (64 - KT_COUNT_SHIFT) == 0;
}

/*
 * A session's maps have room for this many buffer sets. Each set has a ring and a row of counters
 * per CPU. The programs write to one set at a time.
 */
enum { KT_BUFFER_SETS = 2 };

/*
 * Which rings an event's records go to. Rare events that must be kept have rings of their own,
 * where frequent events cannot overwrite them.
 */
enum kt_channel { KT_MAIN, KT_RARE, KT_CHANNELS };

/*
 * The enable word of a session (generate/enable_check.h). Above the row of CPU 0 it holds:
 *
 * - the shift of enable numbers, 0 or KT_NUMBER_BITS, as each event has two of them;
 * - whether a handover of events is in progress;
 * - whether only hits of some tasks are recorded (generate/pid_filter_check.h);
 * - the buffer set that is written.
 */
#define KT_ENABLE_SHUT   (UINT64_C(1) << 63)
#define KT_ENABLE_SECOND ((uint64_t)KT_NUMBER_BITS << KT_ENABLE_SHIFT)
#define KT_ENABLE_BUFFER_SET \
	(UINT64_C(1) << KT_ENABLE_BUFFER_SET_SHIFT) /* the second set is written */
#define KT_ENABLE_PID_FILTER (UINT64_C(1) << KT_ENABLE_PID_FILTER_SHIFT)
#define KT_ENABLE_HANDOVER   (UINT64_C(1) << KT_ENABLE_HANDOVER_SHIFT)

/*
 * Offsets in the map of the enable word, all u64: when events were handed over; by buffer set, when
 * its trigger was hit, and by which event, plus 1; the mark of calls that filters chose; and the
 * events' enable numbers.
 */
enum {
	KT_ENABLE_HANDED = 32,
	KT_ENABLE_HIT = 40,
	KT_ENABLE_BY = KT_ENABLE_HIT + 8 * KT_BUFFER_SETS
};
enum {
	KT_ENABLE_MARK = KT_ENABLE_BY + 8 * KT_BUFFER_SETS,
	KT_ENABLE_SWITCHES = KT_ENABLE_MARK + 8,
	KT_ENABLE_BUFFER_SET_SHIFT = 62,
	KT_ENABLE_PID_FILTER_SHIFT = 61,
	KT_ENABLE_HANDOVER_SHIFT = 60,
};
enum { KT_ENABLE_SHIFT = 32, KT_NUMBER_BITS = 16, KT_NUMBER_MAX = (1 << KT_NUMBER_BITS) - 1 };

/*
 * Head of every record. The fields follow without gaps. A field of varying length is a u16, the
 * number of its elements; the elements come after the last field.
 */
struct kt_record {
	uint64_t head; /* event | time << KT_TIME_SHIFT */
	uint32_t tid;
} __attribute__((packed));

/* Bits of the event in the head, and the number of events they can distinguish. */
enum { KT_TIME_SHIFT = 16, KT_EVENTS_MAX = 1 << KT_TIME_SHIFT };

_Static_assert(sizeof(struct kt_control) == 128, "layout shared with generated programs");
_Static_assert(offsetof(struct kt_control, consumed) == 64, "a line of cache of its own");
_Static_assert(sizeof(struct kt_subbuf) == 64, "layout shared with generated programs");
_Static_assert(sizeof(struct kt_record) == 12, "layout shared with generated programs");

/* Returns a record's full time, from its head and its sub-buffer's begin time. */
static inline uint64_t kt_record_time(uint64_t head, uint64_t begin)
{
	return begin + (((head >> KT_TIME_SHIFT) - begin) & ((1ull << 48) - 1));
}

/* How a ring is divided into sub-buffers. */
struct kt_geometry {
	unsigned int shift;     /* a sub-buffer has 1 << shift bytes; shift is 12 to 22 */
	unsigned int n_subbufs; /* a power of two, at least 2; all sub-buffers have at most 1 GiB */
};

static inline size_t kt_subbuf_size(struct kt_geometry g)
{
	return (size_t)1 << g.shift;
}

/*
 * Returns the geometry of a ring of that many bytes, 8 KiB to 1 GiB, rounded up to a power of two:
 * 64 sub-buffers of 4 to 64 KiB where possible.
 */
static inline struct kt_geometry kt_geometry_of(uint64_t bytes)
{
	struct kt_geometry g = {.shift = 12, .n_subbufs = 2};

	while (g.shift < 16 && kt_subbuf_size(g) * 64 < bytes)
		g.shift++;
	while (kt_subbuf_size(g) * g.n_subbufs < bytes)
		g.n_subbufs *= 2;
	return g;
}

/*
 * Returns the geometry of the rare-event rings: a quarter of the size, with sub-buffers as large,
 * so that every record fits.
 */
static inline struct kt_geometry kt_geometry_rare(struct kt_geometry g)
{
	g.n_subbufs = g.n_subbufs < 8 ? 2 : g.n_subbufs / 4;
	return g;
}

/* Returns the room that a record of n bytes takes: records start at multiples of 8. */
static inline size_t kt_record_size(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

/* Returns the largest record that fits in a sub-buffer without filling it to the last byte. */
static inline size_t kt_record_max(struct kt_geometry g)
{
	return kt_subbuf_size(g) - sizeof(struct kt_subbuf) - 8;
}

/*
 * Returns the maximum bytes of varying data in a record. Sub-buffers of 64 KiB hold all that the
 * kernel ever passes: 8 KiB per hit, fields included.
 */
static inline size_t kt_record_data_max(struct kt_geometry g)
{
	return kt_subbuf_size(g) / 8;
}

/*
 * Returns the same for data that system call arguments point to. Sub-buffers of 64 KiB hold four
 * texts of 4 KiB.
 */
static inline size_t kt_record_call_data_max(struct kt_geometry g)
{
	return kt_subbuf_size(g) / 4;
}

#endif
