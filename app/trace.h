/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace that a command is to read. */
#ifndef KT_APP_TRACE_H
#define KT_APP_TRACE_H

struct kt_reader;

/* That in dir, or TRACE_DIR where it is NULL. NULL where it cannot be read: that has been said. */
struct kt_reader *open_trace(const char *command, const char *dir);

#endif
