/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace is made from: the events, rings and counters of a session. Everything pointed to
 * remains its owner's.
 */
#ifndef KT_SESSION_TRACE_SOURCE_H
#define KT_SESSION_TRACE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/provenance.h"

struct kt_callstack_tables;
struct kt_event;
struct kt_counter_map;
struct kt_rings;
struct kt_time_span;
struct kt_task_names;

struct kt_trace_source {
	const struct kt_event *const *events; /* by index */
	size_t n_events;
	const struct kt_time_span *complete; /* by index: when all hits are recorded
						(session/enable_word.h); NULL: always */
	bool follows;                        /* only hits of followed processes */
	struct kt_provenance from;
	struct kt_task_names *task_names;   /* names of tasks; NULL: not needed */
	struct kt_callstack_tables *stacks; /* NULL: no event has stacks */

	const struct kt_rings *rings;
	const struct kt_counter_map
		*counters; /* counters of the buffer set that these rings belong to (doc/ring.md) */
	uint64_t began;    /* ns of CLOCK_MONOTONIC: hits since then are recorded */
	bool is_one;       /* all traces with this start are one and the same trace */
};

/* Hits in no counter, since the kernel missed them. */
struct kt_missed {
	const uint64_t *events; /* by index */
	uint64_t forks;         /* of all processes, which should have been followed
				   (session/followed_pids.h) */
	uint64_t functions;     /* hits of functions that share a program, of all processes */
	uint64_t calls;         /* system calls of all processes, which may not be in any event */
};

#endif
