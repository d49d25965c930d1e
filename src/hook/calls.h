/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs for system calls, each run at one call's entry or return, by its number: a table, and
 * one program at the tracepoint of all calls that looks there (doc/syscalls.md).
 *
 *	struct kt_calls *calls = kt_calls_new(tracefs, btf, &err);
 *
 *	kt_calls_place(calls, event, program, &place, &err);	// from here on it runs
 *	...
 *	kt_calls_leave(place);					// from here on not
 *	kt_calls_free(calls);
 *
 * A call that has no program costs some 3 ns; to come to one costs some 15.
 */
#ifndef KT_HOOK_CALLS_H
#define KT_HOOK_CALLS_H

#include <stdint.h>

#include "catalog/syscall.h"

struct kt_btf;
struct kt_calls;
struct kt_error;
struct kt_event;

/* Nothing is attached yet. tracefs and btf must outlive it. On lack of memory NULL. */
struct kt_calls *kt_calls_new(int tracefs, struct kt_btf *btf, struct kt_error *err);

/* Detaches all, which have left before. A program may still be running on another CPU then. */
void kt_calls_free(struct kt_calls *calls);

/* The same, until a program is placed again. All have left before. */
void kt_calls_detach(struct kt_calls *calls);

/* Where a program stands. */
struct kt_place {
	int table; /* the calls' own */
	uint32_t number;
};

/*
 * Of the threads whose call a filter chose (emit/chosen.h): made when it is first asked for, and
 * the calls' own. On error -errno.
 */
int kt_calls_chosen(struct kt_calls *calls, struct kt_error *err);

/*
 * Puts an event's program, one of a curated call's, into the place that its call's number says; and
 * attaches what looks there, with the first event of its side. 0, or -errno: as
 * hook/numbers.h; -EEXIST where another one has it; -EOPNOTSUPP for a return by what its entry was
 * chosen by (catalog/filter.h), where no such program of that was placed.
 */
int kt_calls_place(struct kt_calls *calls, const struct kt_event *event, int program,
		   struct kt_place *place, struct kt_error *err);

/*
 * Scratch memory (emit/pointees.h) of the programs of one side, which must not outlive it. Its
 * descriptor remains the calls' own. On error -errno.
 */
int kt_calls_scratch(struct kt_calls *calls, enum kt_side side, struct kt_error *err);

/* Takes it out again. It may still be running on another CPU when this returns. */
void kt_calls_leave(struct kt_place place);

#endif
