/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event counts of a recording, by event and CPU: every hit is in the trace, overwritten or lost,
 * and every loss has a reason.
 *
 *	kt_session_stop(session);
 *	kt_recording_stop(recording, kt_session_ended(session));
 *	kt_recording_end(recording, &err);
 *	counts = kt_event_counts_of(recording, kt_session_missed_all(session), &err);
 *	sum = kt_event_counts_sum(counts);
 *	printf("%lu of %lu are in the trace\n", sum.records, sum.hits);
 *
 * Takes 80 bytes per event and CPU with a hit.
 */
#ifndef KT_TRACE_EVENT_COUNTS_H
#define KT_TRACE_EVENT_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/counters.h"

struct kt_error;
struct kt_missed;
struct kt_recording;

/* Why a hit is not in the trace. */
enum kt_loss {
	KT_LOST_FULL,      /* the CPU's ring had no free sub-buffer */
	KT_LOST_CONTENDED, /* every attempt to reserve room was disturbed by others */
	KT_LOST_NO_RING,   /* the CPU was not there when the rings were made */
	KT_LOST_UNFIT,     /* its data is too large for any record */
	KT_LOST_MISSED,    /* the kernel did not pass it to our program */
	KT_LOST_UNWRITTEN, /* not in the trace yet, or it could not be written */
	KT_N_LOSSES,
};

/* Returns the name of a loss in files and JSON: "no_ring". */
const char *kt_loss_name(enum kt_loss loss);

/* What happened to hits: hits = records + overwritten + the sum of lost. */
struct kt_outcome {
	uint64_t hits;     /* including missed ones, of any process */
	uint64_t filtered; /* not part of hits: rejected by a filter */
	uint64_t records;
	uint64_t overwritten; /* by newer records, in overwrite mode */
	uint64_t lost_stacks; /* not part of hits: stacks of records (doc/stacks.md) */
	uint64_t lost[KT_N_LOSSES];
};

/* An outcome is an array of this many 64-bit counters. */
enum { KT_OUTCOME_FIGURES = sizeof(struct kt_outcome) / sizeof(uint64_t) };

/* Returns the name of the i-th counter in files: "hits", "filtered", ..., "no_ring". */
const char *kt_outcome_figure(size_t figure);

/* Returns the outcome of counters before any record was read: records and unwritten are 0. */
struct kt_outcome kt_outcome_of(struct kt_counters counters);

/* Returns the sum of all losses. */
uint64_t kt_outcome_lost(const struct kt_outcome *o);

#define KT_NO_CPU UINT32_MAX /* missed hits are known by event only */

struct kt_row {
	uint32_t event; /* id in the trace */
	uint32_t cpu;   /* or KT_NO_CPU */
	struct kt_outcome outcome;
};

struct kt_event_counts {
	uint64_t missed_forks, missed_functions, missed_calls; /* as in struct kt_missed */
	bool missed_unknown; /* this kernel does not count missed hits */
	struct kt_row *rows; /* sorted by event, then by CPU; without rows of zeros */
	size_t n;
};

/*
 * Computes the counts of a recording. They are final after its end; before, what is in the rings
 * counts as unwritten. Returns NULL on error.
 */
struct kt_event_counts *kt_event_counts_of(const struct kt_recording *r, struct kt_missed missed,
					   struct kt_error *err);
void kt_event_counts_free(struct kt_event_counts *b);

/* Returns whether hits were missed that are in no row. */
bool kt_event_counts_miss(const struct kt_event_counts *b);

/* Appends a row, unless it is all zeros. Returns false without memory. */
bool kt_event_counts_add(struct kt_event_counts *b, struct kt_row row);

/* Return the sum over all events, and over the rows of one event. */
struct kt_outcome kt_event_counts_sum(const struct kt_event_counts *b);
struct kt_outcome kt_event_counts_event(const struct kt_event_counts *b, uint32_t event);

/* Returns whether the trace is complete, as far as the kernel reports. */
bool kt_event_counts_is_complete(const struct kt_event_counts *b);

#endif
