/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How BPF programs pass stacks to user space (doc/stacks.md). A stack is stored once, in a map, and
 * records name it by its id.
 *
 *	record     ... │ id of the kernel's stack │ id of the user's stack │ fields
 *	table      id ──► the stack			a hash map for each kind, or an array
 *	scratch    slots, where a stack is until its id is known	an array, by CPU
 *
 * The kernel's stacks are equal, and have the same id, if their frames are equal. So are stacks in
 * user space if they are of the same address space, too, with as many pages of code in it.
 */
#ifndef KT_BPF_CALLSTACKS_H
#define KT_BPF_CALLSTACKS_H

#include <stddef.h>
#include <stdint.h>

enum kt_callstack_kind { KT_CALLSTACK_KERNEL, KT_CALLSTACK_USER, KT_CALLSTACK_KINDS };

/* Returns the name of a kind's ids in traces. */
static inline const char *kt_callstack_name(enum kt_callstack_kind kind)
{
	return kind == KT_CALLSTACK_USER ? "user_stack" : "kernel_stack";
}

/* Bits of a set of kinds. */
#define KT_CALLSTACK_BIT(kind) (1u << (kind))

/*
 * Most frames of a stack: the kernel's default of kernel.perf_event_max_stack; and as many as make
 * an element of a map one page.
 */
enum { KT_CALLSTACK_FRAMES_MAX = 127, KT_USER_CALLSTACK_FRAMES_MAX = 125 };

/* A stack, innermost frame first; the rest is 0. */
struct kt_callstack {
	uint64_t frames[KT_CALLSTACK_FRAMES_MAX]; /* addresses */
};

enum { KT_BUILD_ID_SIZE = 20 };

enum kt_user_frame_state {
	KT_USER_FRAME_END,     /* there is no such frame */
	KT_USER_FRAME_IN_FILE, /* the offset in the file with this build id */
	KT_USER_FRAME_ADDRESS, /* the address: its file has no build id, or the kernel could not say
				*/
};

/* A frame in user space: the kernel's struct bpf_stack_build_id. */
struct kt_user_frame {
	int32_t state;
	uint8_t build_id[KT_BUILD_ID_SIZE]; /* a shorter one with 0 behind it */
	uint64_t at;
};

/* A stack in user space, innermost frame first. */
struct kt_user_callstack {
	uint32_t pid;  /* the process */
	uint32_t size; /* bytes of the frames' addresses, of those that did not fit, too */
	uint64_t time; /* of the hit, ns of CLOCK_MONOTONIC */
	struct kt_user_frame frames[KT_USER_CALLSTACK_FRAMES_MAX];
};

/* Ids that are no stack's; those of stacks are larger. */
enum {
	KT_CALLSTACK_NONE = 0, /* there is none: of a hit in user space, the kernel's; of a task of
				  the kernel, the user's */
	KT_CALLSTACK_LOST = 1, /* no slot, no room in the table, or the kernel could not say */
	KT_CALLSTACK_FIRST = 2
};

/*
 * Scratch memory of a CPU. Programs that interrupt each other, or are preempted, use different
 * slots: one that finds none loses its stack.
 */
enum { KT_CALLSTACK_SLOTS = 4 };

struct kt_callstack_slot {
	uint64_t is_used;
	struct kt_callstack stack;     /* of either kind */
	struct kt_user_callstack user; /* what goes into the table of that kind */
};

struct kt_callstack_scratch {
	struct kt_callstack_slot slots[KT_CALLSTACK_SLOTS];
};

/*
 * A table of which nobody takes stacks out, of a flight recorder, keeps those that were hit last:
 * it is an array of buckets. A stack can be in one bucket only (kt_callstack_bucket), in any of its
 * places; a new one replaces the one that was not hit for longest.
 *
 * While a program writes a stack, the id in its place is KT_CALLSTACK_LOST. The id is written last.
 */
enum { KT_CALLSTACK_PLACES = 4 };

/* Buckets of the tables: 8192 stacks, 8.3 MiB; and 4096, 15.8 MiB. */
enum { KT_CALLSTACK_BUCKETS = 2048, KT_USER_CALLSTACK_BUCKETS = 1024 };

struct kt_callstack_bucket {
	uint64_t ids[KT_CALLSTACK_PLACES];  /* 0: there is none yet */
	uint64_t hits[KT_CALLSTACK_PLACES]; /* time of the last hit: the kernel's jiffies */
	struct kt_callstack stacks[KT_CALLSTACK_PLACES];
};

struct kt_user_callstack_bucket {
	uint64_t ids[KT_CALLSTACK_PLACES], hits[KT_CALLSTACK_PLACES];
	struct kt_user_callstack stacks[KT_CALLSTACK_PLACES];
};

/* Bits of an id by which its bucket is chosen. */
enum { KT_CALLSTACK_BUCKET_SHIFT = 48 };

/* Returns the bucket of an id; n is a power of two, up to 2^16. */
static inline size_t kt_callstack_bucket(uint64_t id, size_t n)
{
	return id >> KT_CALLSTACK_BUCKET_SHIFT & (n - 1);
}

_Static_assert(offsetof(struct kt_callstack_bucket, stacks) ==
		       offsetof(struct kt_user_callstack_bucket, stacks),
	       "one way to find both");
_Static_assert(sizeof(struct kt_callstack) == 1016, "layout shared with generated programs");
_Static_assert(sizeof(struct kt_user_frame) == 32, "layout of the kernel");
_Static_assert(sizeof(struct kt_user_callstack) == 4016, "layout shared with generated programs");

/*
 * Returns an address in the code of the i-th frame's function. Frames but the innermost are where a
 * call returns to, which may be behind the function's last instruction.
 */
static inline uint64_t kt_callstack_code(uint64_t frame, size_t i)
{
	return frame - (i > 0);
}

/* Returns the bytes of the ids in a record whose event has stacks of these kinds. */
static inline size_t kt_callstack_ids_size(unsigned int kinds)
{
	return __builtin_popcount(kinds) * sizeof(uint64_t);
}

/* Returns where the id of a kind is among them. */
static inline size_t kt_callstack_id_offset(unsigned int kinds, enum kt_callstack_kind kind)
{
	return kt_callstack_ids_size(kinds & (KT_CALLSTACK_BIT(kind) - 1));
}

#endif
