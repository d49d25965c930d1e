/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How BPF programs pass stacks to user space (doc/stacks.md). A stack is stored once, in a map, and
 * records name it by its id.
 *
 *	record     ... │ id of the kernel's stack │ id of the user's stack │ fields
 *	table      id ──► the stack			a hash map for each kind
 *	scratch    slots, where a stack is until its id is known	an array, by CPU
 */
#ifndef KT_BPF_CALLSTACKS_H
#define KT_BPF_CALLSTACKS_H

#include <stddef.h>
#include <stdint.h>

enum kt_callstack_kind { KT_CALLSTACK_KERNEL, KT_CALLSTACK_KINDS };

/* Returns the name of a kind's ids in traces. */
static inline const char *kt_callstack_name(enum kt_callstack_kind kind)
{
	(void)kind;
	return "kernel_stack";
}

/* Bits of a set of kinds. */
#define KT_CALLSTACK_BIT(kind) (1u << (kind))

/* Most frames of a stack: the kernel's default of kernel.perf_event_max_stack. */
enum { KT_CALLSTACK_FRAMES_MAX = 127 };

/* A stack, innermost frame first; the rest is 0. */
struct kt_callstack {
	uint64_t frames[KT_CALLSTACK_FRAMES_MAX]; /* addresses */
};

/* Ids that are no stack's; those of stacks are larger. */
enum {
	KT_CALLSTACK_NONE = 0, /* there is none: of a hit in user space, the kernel's */
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
	struct kt_callstack stack;
};

struct kt_callstack_scratch {
	struct kt_callstack_slot slots[KT_CALLSTACK_SLOTS];
};

_Static_assert(sizeof(struct kt_callstack) == 1016, "layout shared with generated programs");

/*
 * Returns an address in the code of the i-th frame's function. Frames but the innermost are where a
 * call returns to, which may be behind the function's last instruction.
 */
static inline uint64_t kt_callstack_code(const uint64_t *frames, size_t i)
{
	return frames[i] - (i > 0);
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
