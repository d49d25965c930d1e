/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording has come to, so far or in the end: every hit of its events is in the trace or
 * lost, and lost for a reason.
 *
 *	struct outcome o = outcome_of_all(session, recording);
 *
 *	printf("%lu of %lu are in the trace\n", o.records, o.hits);
 */
#ifndef KT_APP_OUTCOME_H
#define KT_APP_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_recording;
struct kt_session;

enum loss {
	LOST_FULL,
	LOST_CONTENDED,
	LOST_NO_RING,
	LOST_UNFIT,
	LOST_MISSED,
	LOST_UNWRITTEN,
	N_LOSSES
};

struct outcome {
	uint64_t hits;     /* with those that the kernel did not give to us, whoever's they were */
	uint64_t filtered; /* not among them: hits of processes that are not followed */
	uint64_t records;
	uint64_t lost[N_LOSSES]; /* of an ended recording: hits - records, by cause */
	uint64_t missed_forks;   /* on the whole machine; of all events alone */
};

/* A system call an event. */
struct outcome outcome_of(const struct kt_session *s, const struct kt_recording *r, size_t event);
struct outcome outcome_of_all(const struct kt_session *s, const struct kt_recording *r);

/* By whatever cause. */
uint64_t outcome_lost(const struct outcome *o);

/* Whether all that should be in the trace is. */
bool outcome_complete(const struct outcome *o);

/* Say on stderr how many were lost, by cause, and then for each event that lost any. */
void say_losses(const char *command, const struct kt_session *s, const struct kt_recording *r);

#endif
