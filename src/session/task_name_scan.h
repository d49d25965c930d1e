/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_SESSION_TASK_NAME_SCAN_H
#define KT_SESSION_TASK_NAME_SCAN_H

#include <stdint.h>
#include <sys/types.h>

struct kt_followed_pids;
struct kt_task_name_log;

/*
 * Adds the present names of tasks to a log: of one process or (0) of all in /proc, with that time;
 * about 15 µs each. Marks those that are followed, unless followed is NULL. Adds nothing in a
 * container, where numbers are not the kernel's. Returns 0 or -ENOMEM.
 */
int kt_task_name_scan_add(struct kt_task_name_log *r, pid_t pid,
			  const struct kt_followed_pids *followed, uint64_t time);

#endif
