/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace that a command reads or makes. */
#ifndef KT_APP_CONTROL_TRACE_DIR_H
#define KT_APP_CONTROL_TRACE_DIR_H

struct kt_trace_reader;
struct kt_recording;

/* That in dir, or TRACE_DIR where it is NULL. NULL where it cannot be read: that has been said. */
struct kt_trace_reader *open_trace(const char *command, const char *dir);

/* Names the kernel's addresses that are in it. A trace without is as true: that is said alone. */
void name_addresses(const char *command, struct kt_recording *r, int dir);

#endif
