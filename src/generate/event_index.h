/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits uses of an event's index in its session, which selects its counters and enable number and
 * is in each record. It is a number in the program of one event. A program that several events
 * share looks it up at each hit, by the number of a system call, or by that of a function of the
 * kernel, which is in the cookie that the function was attached with.
 *
 *	struct kt_event_index i = {.event = 5};
 *	struct kt_event_index i = {.shared = &(struct kt_event_indices){map, 720}};
 *
 *	kt_emit_index_find(a, i, call, none);		// only if it is shared
 *	kt_emit_index_add(a, BPF_REG_0, i, sizeof(struct kt_counters), BPF_REG_1);
 *
 * Looking it up costs about 3 ns.
 */
#ifndef KT_GENERATE_EVENT_INDEX_H
#define KT_GENERATE_EVENT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_asm;
struct kt_curated;

/* Calls, or functions, that can share a program: those whose number is less. */
enum { KT_SHARED_CALLS = 1024 };

/* The indices of system calls' events, or of functions'. */
struct kt_event_indices {
	int map;  /* with one element: a u32 for each call's number, KT_SHARED_CALLS of them */
	size_t n; /* number of events in the session; an index that is not less has no event */
	bool by_cookie; /* functions */
};

/*
 * A function's attach cookie: its number; from these bits on its class, which is the number of the
 * code for its record (handlers/function_group_prog.h), and the bytes of that record.
 */
enum { KT_COOKIE_CLASS = 16, KT_COOKIE_SIZE = 32 };

struct kt_event_index {
	size_t event;                          /* unless it is shared */
	const struct kt_event_indices *shared; /* or NULL */
};

/*
 * First, for a curated event (else call is NULL), stores the global 'regs' if it is used; r1 is the
 * context. Then, if the index is shared, looks it up by the call's number, an expression over the
 * tracepoint's arguments (r6), or by the cookie (r6 is the context), and stores it at
 * KT_STACK_EVENT. With a cookie it also stores the class at KT_STACK_DATA, and the size at
 * KT_STACK_SIZE (generate/reserve.h). Jumps to `none` if the index is invalid: a function's event
 * may not be in the session yet. Clobbers r0 to r5 and r7.
 */
void kt_emit_index_find(struct kt_asm *a, struct kt_event_index i, const struct kt_curated *call,
			int none);

/* Emits pointer += index * size; may clobber another register. */
void kt_emit_index_add(struct kt_asm *a, int pointer, struct kt_event_index i, size_t size,
		       int other);

/* Emits number |= index; may clobber another register. */
void kt_emit_index_or(struct kt_asm *a, int number, struct kt_event_index i, int other);

/* Emits a store of index + 1, a u64, at pointer + off; may clobber another register. */
void kt_emit_index_store(struct kt_asm *a, int pointer, int16_t off, struct kt_event_index i,
			 int other);

/* Writes "event 5", "the call's event", or "the function's event", for comments. */
struct kt_index_name {
	char text[32];
};
struct kt_index_name kt_index_name(struct kt_event_index i);

/* Stack offset of a u64. */
enum { KT_STACK_EVENT = -64 };

#endif
