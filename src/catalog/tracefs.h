/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel describes its tracepoints.
 *
 *	int tracefs = kt_tracefs_open(&err);
 *	char *text = kt_tracefs_read(tracefs, "events/sched/sched_switch/format", &err);
 *
 * What is read here costs the traced machine nothing.
 */
#ifndef KT_CATALOG_TRACEFS_H
#define KT_CATALOG_TRACEFS_H

struct kt_error;

/*
 * Open the root of tracefs: of its first mount in /proc/self/mounts that this process may open, or
 * else, where it is not mounted at all, of a mount made here, attached nowhere and gone with its
 * descriptor; making it needs CAP_SYS_ADMIN. Returns a descriptor that the caller closes, or
 * -errno.
 */
int kt_tracefs_open(struct kt_error *err);

/* The whole text of a file below dir, ended by a NUL. The caller frees it. On error NULL. */
char *kt_tracefs_read(int dir, const char *path, struct kt_error *err);

#endif
