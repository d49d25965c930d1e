/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of a recording, on stderr. */
#ifndef KT_APP_CONTROL_PROGRESS_H
#define KT_APP_CONTROL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_event_counts;
struct kt_resolved_path;
struct kt_recording;
struct kt_session;

/* What 'record' has recorded until now, on one line of a terminal, over the one before. */
void print_progress(const struct kt_session *session, const struct kt_recording *recording);

/* How many probes are still attached, and for how long: on one line of a terminal, or as a line. */
void print_detaching(const char *command, size_t left, uint64_t ns, bool terminal);

/*
 * Prints what was recorded in the end: how many events, in how many ns, and where the trace is,
 * also behind a link; how many were overwritten; how many were filtered and by what, or NULL if
 * nothing filters; what was lost by cause, and then by event.
 */
void print_outcome(const char *command, const struct kt_recording *recording,
		   const struct kt_event_counts *counts, uint64_t ns,
		   const struct kt_resolved_path *place, const char *left_out);

/* The last part of it alone: what was lost, or nothing. */
void print_losses(const char *command, const struct kt_recording *recording,
		  const struct kt_event_counts *counts);

/* System calls that no event is of (kt_session_untraced), or nothing where none was made. */
void print_untraced(const char *command, const struct kt_session *session);

#endif
