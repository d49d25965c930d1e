/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel describes its tracepoints.
 *
 *	int tracefs = kt_tracefs_open(&err);
 *	char *text = kt_tracefs_read(tracefs, "events/sched/sched_switch/format", &err);
 *
 * What is read here costs the traced machine nothing.
 */
#ifndef KT_EVENTS_TRACEFS_H
#define KT_EVENTS_TRACEFS_H

struct kt_error;

/*
 * Opens the root of tracefs: of the first mount in /proc/self/mounts that this process may open and
 * that nothing else is mounted over, or else of a mount made here, attached nowhere and gone with
 * its descriptor; making it needs CAP_SYS_ADMIN. Returns a descriptor that the caller closes, or
 * -errno: -EPERM if it is empty, as under lockdown.
 */
int kt_tracefs_open(struct kt_error *err);

/* The whole text of a file below dir, ended by a NUL. The caller frees it. On error NULL. */
char *kt_tracefs_read(int dir, const char *path, struct kt_error *err);

#endif
