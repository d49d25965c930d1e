/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Perf events of probes, to which a program can be attached, one for each place.
 *
 *	struct perf_event_attr attr = {.uprobe_path = path, .probe_offset = offset};
 *	int fd = kt_perf_probe_open("uprobe", &attr, false, 0);
 */
#ifndef KT_HOOK_PERF_PROBE_H
#define KT_HOOK_PERF_PROBE_H

#include <stdbool.h>
#include <sys/types.h>

struct perf_event_attr;

/*
 * Opens an event of a kind, "kprobe" or "uprobe", in a process or, if pid is 0, in all; completes
 * attr. Returns a descriptor that the caller closes, or -errno: -EOPNOTSUPP if the kernel has no
 * such events.
 */
int kt_perf_probe_open(const char *kind, struct perf_event_attr *attr, bool is_return, pid_t pid);

/* Returns the first bit of a number in attr.config, by its name in sysfs; or -1. */
int kt_perf_probe_bit(const char *kind, const char *name);

#endif
