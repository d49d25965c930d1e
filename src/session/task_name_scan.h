/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_SESSION_TASK_NAME_SCAN_H
#define KT_SESSION_TASK_NAME_SCAN_H

#include <stdint.h>
#include <sys/types.h>

struct kt_followed_pids;
struct kt_task_name_log;

/*
 * The names of the tasks that there are, of one process or, by 0, of all that /proc has, as by that
 * time: some 15 µs each. Who of them is followed, if anybody (or NULL). None in a container, where
 * their numbers are not the kernel's. 0 or -ENOMEM.
 */
int kt_task_name_scan_add(struct kt_task_name_log *r, pid_t pid,
			  const struct kt_followed_pids *followed, uint64_t time);

#endif
