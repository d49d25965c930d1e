/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_SESSION_TASK_NAME_HISTORY_H
#define KT_SESSION_TASK_NAME_HISTORY_H

#include <stdint.h>

struct kt_task_name_ring;
struct kt_task_name_log;

/*
 * Reconstructs the names of tasks since a time, into an empty log: from the ring of names that
 * programs have written since before that time (ns of CLOCK_MONOTONIC), with ends of tasks, and
 * from /proc. A renaming tells the name before it; a task without one has always had its name. Goes
 * back to that time, or to the oldest entry in the ring; the log is not sorted. Waits some ms for
 * entries that are being written. Returns 0 or -ENOMEM.
 */
int kt_task_name_history_read(struct kt_task_name_log *r, struct kt_task_name_ring *ring,
			      uint64_t began);

#endif
