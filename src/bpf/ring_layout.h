/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of a ring, as generated programs write it and the reader finds it: doc/ring.md says
 * how. Append only.
 *
 *	element 0	struct kt_control
 *	element 1...	struct kt_subbuf, its records behind it up to the element's end
 *
 * Positions are bytes since the ring was made, times nanoseconds of CLOCK_MONOTONIC.
 */
#ifndef KT_BPF_RING_LAYOUT_H
#define KT_BPF_RING_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two lines of cache: one for the writers, one for the reader. */
struct kt_control {
	uint64_t reserved;    /* position of the next record, or a boundary */
	uint64_t lost;        /* records dropped since the ring was made */
	uint64_t overwritten; /* records that newer ones took the place of since then */
	uint64_t pad[5];
	uint64_t consumed; /* position of the first sub-buffer that is not read: a boundary */
	uint64_t lost_then, overwritten_then; /* when the ring was last cleared */
	uint64_t pad2[5];
};

struct kt_subbuf {
	uint64_t committed; /* bytes written whole, over all rounds, and records: see below */
	uint64_t begin;     /* time of the first record */
	uint64_t end;       /* time of closing */
	uint64_t lost;      /* kt_control.lost at begin */
	uint64_t used;      /* bytes from the sub-buffer's start to the last record's end */
	uint64_t pad[3];
};

/*
 * In a ring that is overwritten, committed has the records of this round above KT_COUNT_SHIFT, and
 * the bytes below, modulo 1 TiB.
 */
enum { KT_COUNT_SHIFT = 40 };

/* Whether just so many bytes are written whole, and nobody is at work. */
static inline bool kt_is_committed(uint64_t committed, uint64_t bytes)
{
	return (committed - bytes) << (64 - KT_COUNT_SHIFT) == 0;
}

/*
 * A session's maps have room for so many banks, each of a ring and a row of tallies for every CPU.
 * Its programs write to one of them.
 */
enum { KT_BUFFER_SETS = 2 };

/*
 * Where an event's records go: most to rings that all of them share, and those that are rare and
 * are to be kept to others, where what comes often does not overwrite them.
 */
enum kt_channel { KT_MAIN, KT_KEPT, KT_CHANNELS };

/*
 * The word of a session's gate (generate/enable_check.h). Above the row of CPU 0 it has what
 * switches are shifted by, 0 or KT_NUMBER_BITS, as each has two numbers of so many bits; whether
 * events are just being handed over; whether hits of some tasks alone are recorded
 * (generate/pid_filter_check.h); and which bank it is.
 */
#define KT_ENABLE_SHUT     (UINT64_C(1) << 63)
#define KT_ENABLE_SECOND   ((uint64_t)KT_NUMBER_BITS << KT_ENABLE_SHIFT)
#define KT_ENABLE_BANK     (UINT64_C(1) << KT_ENABLE_BANK_SHIFT) /* the second */
#define KT_ENABLE_FOCUSED  (UINT64_C(1) << KT_ENABLE_FOCUSED_SHIFT)
#define KT_ENABLE_HANDOVER (UINT64_C(1) << KT_ENABLE_HANDOVER_SHIFT)

/*
 * In its map, u64s: from when on events are handed over; by bank, when its trigger was hit, and by
 * which event, plus 1; what calls are marked with that a filter chooses; and switches.
 */
enum {
	KT_ENABLE_HANDED = 32,
	KT_ENABLE_HIT = 40,
	KT_ENABLE_BY = KT_ENABLE_HIT + 8 * KT_BUFFER_SETS
};
enum {
	KT_ENABLE_MARK = KT_ENABLE_BY + 8 * KT_BUFFER_SETS,
	KT_ENABLE_SWITCHES = KT_ENABLE_MARK + 8,
	KT_ENABLE_BANK_SHIFT = 62,
	KT_ENABLE_FOCUSED_SHIFT = 61,
	KT_ENABLE_HANDOVER_SHIFT = 60,
};
enum { KT_ENABLE_SHIFT = 32, KT_NUMBER_BITS = 16, KT_NUMBER_MAX = (1 << KT_NUMBER_BITS) - 1 };

/*
 * What every record starts with. Its fields follow, without gaps; one whose length differs from hit
 * to hit as a u16, the number of its elements, and those stand behind the last field.
 */
struct kt_record {
	uint64_t head; /* event | time << KT_TIME_SHIFT */
	uint32_t tid;
} __attribute__((packed));

/* How many events the head can tell apart. */
enum { KT_TIME_SHIFT = 16, KT_EVENTS_MAX = 1 << KT_TIME_SHIFT };

_Static_assert(sizeof(struct kt_control) == 128, "layout shared with generated programs");
_Static_assert(offsetof(struct kt_control, consumed) == 64, "a line of cache of its own");
_Static_assert(sizeof(struct kt_subbuf) == 64, "layout shared with generated programs");
_Static_assert(sizeof(struct kt_record) == 12, "layout shared with generated programs");

/* A record's time in full, from its head and the time at which its sub-buffer was begun. */
static inline uint64_t kt_record_time(uint64_t head, uint64_t begin)
{
	return begin + (((head >> KT_TIME_SHIFT) - begin) & ((1ull << 48) - 1));
}

/* How a ring is cut. */
struct kt_geometry {
	unsigned int shift;     /* a sub-buffer is 1 << shift bytes: 12 to 22 */
	unsigned int n_subbufs; /* a power of two, at least 2; together at most 1 GiB */
};

static inline size_t kt_subbuf_size(struct kt_geometry g)
{
	return (size_t)1 << g.shift;
}

/*
 * A ring of so many bytes, 8 KiB to 1 GiB, rounded up to a power of two: 64 sub-buffers, within 4
 * to 64 KiB each.
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

/* Of the kept channel's rings beside others: a quarter, for every record that fits there. */
static inline struct kt_geometry kt_geometry_kept(struct kt_geometry g)
{
	g.n_subbufs = g.n_subbufs < 8 ? 2 : g.n_subbufs / 4;
	return g;
}

/* What a record of n bytes takes: the next one begins at a multiple of 8 again. */
static inline size_t kt_record_size(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

/* The largest size that fits in a sub-buffer, and does not fill it to the last byte. */
static inline size_t kt_record_max(struct kt_geometry g)
{
	return kt_subbuf_size(g) - sizeof(struct kt_subbuf) - 8;
}

/*
 * The most that a record holds of data whose length differs from hit to hit. With sub-buffers of
 * 64 KiB it is all that the kernel ever passes: a hit's data, fields included, are up to 8 KiB.
 */
static inline size_t kt_record_data_max(struct kt_geometry g)
{
	return kt_subbuf_size(g) / 8;
}

/*
 * The same of what the arguments of a system call point to: with sub-buffers of 64 KiB room for
 * four texts of 4 KiB.
 */
static inline size_t kt_record_call_data_max(struct kt_geometry g)
{
	return kt_subbuf_size(g) / 4;
}

#endif
