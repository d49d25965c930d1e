// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/perf_probe.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Reads a number of such events, behind `before`. Returns -1 if there is none. */
static int read_number(const char *kind, const char *file, const char *before)
{
	char path[128], format[64];
	int number = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/%s", kind, file);
	snprintf(format, sizeof(format), "%s%%d", before);
	f = fopen(path, "re");
	if (!f)
		return -1;
	if (fscanf(f, format, &number) != 1)
		number = -1;
	fclose(f);
	return number;
}

int kt_perf_probe_bit(const char *kind, const char *name)
{
	char file[64];

	snprintf(file, sizeof(file), "format/%s", name);
	return read_number(kind, file, "config:");
}

int kt_perf_probe_open(const char *kind, struct perf_event_attr *attr, bool is_return, pid_t pid)
{
	int type = read_number(kind, "type", ""), bit = kt_perf_probe_bit(kind, "retprobe"), fd;

	if (type < 0 || bit < 0)
		return -EOPNOTSUPP;
	attr->type = type;
	attr->size = sizeof(*attr);
	if (is_return)
		attr->config |= 1ull << bit;
	fd = syscall(SYS_perf_event_open, attr, pid ? pid : -1, pid ? -1 : sched_getcpu(), -1,
		     PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}
