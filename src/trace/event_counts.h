/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording has come to, by event and CPU: every hit is in the trace or lost, and lost for a
 * reason.
 *
 *	kt_session_stop(session);
 *	kt_recording_stop(recording, kt_session_ended(session));
 *	kt_recording_end(recording, &err);
 *	balance = kt_event_counts_of(recording, kt_session_missed_all(session), &err);
 *	sum = kt_event_counts_sum(balance);
 *	printf("%lu of %lu are in the trace\n", sum.records, sum.hits);
 *
 * 80 bytes for each event on each CPU where it had a hit.
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
	KT_LOST_FULL,      /* its CPU's ring had no free sub-buffer */
	KT_LOST_CONTENDED, /* every try to take room there was disturbed by others */
	KT_LOST_NO_RING,   /* its CPU was not there when the rings were made */
	KT_LOST_UNFIT,     /* a record has no room for its data */
	KT_LOST_MISSED,    /* the kernel did not give it to us */
	KT_LOST_UNWRITTEN, /* not yet in the trace, or it could not be written */
	KT_N_LOSSES,
};

/* Its name in files, and for programs: no_ring. */
const char *kt_loss_name(enum kt_loss loss);

/* hits = records + overwritten + the sum of what was lost */
struct kt_outcome {
	uint64_t hits;     /* with those that were missed, whoever's they were */
	uint64_t filtered; /* not among them: hits that were not to be recorded */
	uint64_t records;
	uint64_t overwritten; /* by newer ones, in a ring that is to keep the last alone */
	uint64_t lost[KT_N_LOSSES];
};

/* An outcome is this many figures of 64 bits, and nothing else. */
enum { KT_OUTCOME_FIGURES = sizeof(struct kt_outcome) / sizeof(uint64_t) };

/* The name of a figure in files: "hits", "filtered", ..., "no_ring". */
const char *kt_outcome_figure(size_t figure);

/* Of a tally, before any of its records is anywhere: records and what is unwritten are 0. */
struct kt_outcome kt_outcome_of(struct kt_counters tally);

/* By whatever cause. */
uint64_t kt_outcome_lost(const struct kt_outcome *o);

#define KT_NO_CPU UINT32_MAX /* what was missed is known by event alone */

struct kt_row {
	uint32_t event; /* its id in the trace */
	uint32_t cpu;   /* or KT_NO_CPU */
	struct kt_outcome outcome;
};

struct kt_event_counts {
	uint64_t missed_forks; /* kt_missed's */
	bool missed_unknown;   /* the kernel does not count what it keeps back: there it says 0 */
	struct kt_row *rows;   /* by event, then by CPU; not those that are all zero */
	size_t n;
};

/*
 * Final once the recording has ended; before that, what is in the rings counts as unwritten. On
 * error NULL.
 */
struct kt_event_counts *kt_event_counts_of(const struct kt_recording *r, struct kt_missed missed,
					   struct kt_error *err);
void kt_event_counts_free(struct kt_event_counts *b);

/* One more row, behind all others; none where it is all zero. False where there is no memory. */
bool kt_event_counts_add(struct kt_event_counts *b, struct kt_row row);

/* Of all events, and of one. */
struct kt_outcome kt_event_counts_sum(const struct kt_event_counts *b);
struct kt_outcome kt_event_counts_event(const struct kt_event_counts *b, uint32_t event);

/* Whether all that should be in the trace is, as far as the kernel tells. */
bool kt_event_counts_is_complete(const struct kt_event_counts *b);

#endif
