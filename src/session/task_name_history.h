/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_SESSION_TASK_NAME_HISTORY_H
#define KT_SESSION_TASK_NAME_HISTORY_H

#include <stdint.h>

struct kt_task_name_ring;
struct kt_task_name_log;

/*
 * How tasks were called up to now, into an empty roll: by a ring that programs have written since
 * before that time (ns of CLOCK_MONOTONIC), ends of tasks too, and that is read from its oldest
 * naming on; and by /proc. What each was called before its first naming the naming says itself; who
 * has none has been called so all the time. It goes back to that time, or to the oldest naming that
 * the ring still has, and is not in the order of time. What is written just now is waited for, some
 * ms at most. 0 or -ENOMEM.
 */
int kt_task_name_history_read(struct kt_task_name_log *r, struct kt_task_name_ring *ring,
			      uint64_t began);

#endif
