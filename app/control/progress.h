/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages about a recording, on stderr. */
#ifndef KT_APP_CONTROL_PROGRESS_H
#define KT_APP_CONTROL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_event_counts;
struct kt_resolved_path;
struct kt_recording;
struct kt_session;

/* Prints what was recorded so far, on one line of a terminal, replacing the line before. */
void print_progress(const struct kt_session *session, const struct kt_recording *recording);

/*
 * Prints how many probes are still attached, and for how long: on one line of a terminal, or as a
 * line.
 */
void print_detaching(const char *command, size_t left, uint64_t ns, bool terminal);

/*
 * Prints the result: number of events and duration, where the trace is (also where its link leads),
 * how many events were overwritten, filtered (filtered_by says by what; NULL: no filter), and lost,
 * by cause and by event.
 */
void print_outcome(const char *command, const struct kt_recording *recording,
		   const struct kt_event_counts *counts, uint64_t ns,
		   const struct kt_resolved_path *place, const char *filtered_by);

/* Prints only what was lost, if anything. */
void print_losses(const char *command, const struct kt_recording *recording,
		  const struct kt_event_counts *counts);

/* Prints how many system calls no event was recorded of (kt_session_untraced), if any. */
void print_untraced(const char *command, const struct kt_session *session);

#endif
