/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs: where the kernel describes its tracepoints.
 *
 *	int tracefs = kt_tracefs_open(&err);
 *	char *text = kt_tracefs_read(tracefs, "events/sched/sched_switch/format", &err);
 *
 * Reading these files costs the traced machine nothing.
 */
#ifndef KT_EVENTS_TRACEFS_H
#define KT_EVENTS_TRACEFS_H

struct kt_error;

/*
 * Opens the root of tracefs: the first mount in /proc/self/mounts that this process can open and
 * that is not mounted over; otherwise a detached mount made here, gone with its descriptor, which
 * needs CAP_SYS_ADMIN. Returns a descriptor that the caller closes, or -errno: -EPERM if tracefs is
 * empty, as under lockdown.
 */
int kt_tracefs_open(struct kt_error *err);

/*
 * Returns the whole text of a file below dir, with a NUL; the caller frees it. Returns NULL on
 * error.
 */
char *kt_tracefs_read(int dir, const char *path, struct kt_error *err);

#endif
