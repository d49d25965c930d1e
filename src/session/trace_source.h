/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a trace comes from: what a session records. All that is pointed to remains its owner's.
 */
#ifndef KT_SESSION_TRACE_SOURCE_H
#define KT_SESSION_TRACE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/provenance.h"

struct kt_event;
struct kt_counter_map;
struct kt_rings;
struct kt_time_span;
struct kt_task_names;

struct kt_trace_source {
	const struct kt_event *const *events; /* by index */
	size_t n_events;
	const struct kt_time_span
		*complete; /* by index (session/enable_word.h); NULL: all of them always */
	bool follows;      /* hits of followed processes alone */
	struct kt_provenance from;
	struct kt_task_names *tasks; /* how they are called; NULL: nobody asks for it */

	const struct kt_rings *rings;
	const struct kt_counter_map
		*ledger; /* where the bank of these rings is the one (doc/ring.md) */
	uint64_t began;  /* ns of CLOCK_MONOTONIC: since then what is hit goes there */
	bool is_one;     /* all traces of something that began then are one and the same */
};

/* Hits that are in no ledger, as the kernel kept them back from the probes. */
struct kt_missed {
	const uint64_t *events; /* by index */
	uint64_t forks; /* of anybody's, that were to be followed (session/followed_pids.h) */
};

#endif
