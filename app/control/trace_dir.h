/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace that a command reads or writes. */
#ifndef KT_APP_CONTROL_TRACE_DIR_H
#define KT_APP_CONTROL_TRACE_DIR_H

struct kt_trace_reader;
struct kt_recording;

/* Opens the trace in dir; NULL: in TRACE_DIR. Returns NULL on error, which is reported. */
struct kt_trace_reader *open_trace(const char *command, const char *dir);

/*
 * Adds names of tasks and kernel addresses to the trace's metadata. On error the trace is valid
 * without them, and the error is only reported.
 */
void add_names(const char *command, struct kt_recording *r, int dir);

#endif
