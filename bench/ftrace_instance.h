/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An instance of ftrace of the benchmark's own, with buffers that stop when full.
 *
 *	make_instance(RING);				// removed at exit
 *	write_instance_file("trace", "");
 *	write_instance_file("events/raw_syscalls/sys_enter/enable", "1");
 *	...
 *	write_instance_file("events/raw_syscalls/sys_enter/enable", "0");
 *	check_instance(way, 1000);			// fails if there are fewer events
 */
#ifndef KT_BENCH_FTRACE_INSTANCE_H
#define KT_BENCH_FTRACE_INSTANCE_H

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ways.h"

static char instance[64];

static inline void write_instance_file(const char *file, const char *text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", instance, file);
	fd = openat(tracefs, path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fail("tracefs: %s: %s", path, strerror(errno));
	close(fd);
}

static inline void remove_instance(void)
{
	if (unlinkat(tracefs, instance, AT_REMOVEDIR) < 0)
		fprintf(stderr, "%s: tracefs: %s: %s\n", program_invocation_short_name, instance,
			strerror(errno));
}

/* Makes it, with that many bytes for each CPU. */
static inline void make_instance(size_t buffer)
{
	char size[16];

	snprintf(instance, sizeof(instance), "instances/ktrace-bench-%d", (int)getpid());
	if (mkdirat(tracefs, instance, 0700) < 0)
		fail("tracefs: %s: %s", instance, strerror(errno));
	atexit(remove_instance);
	snprintf(size, sizeof(size), "%zu", buffer >> 10);
	write_instance_file("buffer_size_kb", size);
	write_instance_file("options/overwrite", "0");
}

/* Fails unless the CPU's buffer has at least that many events, and has lost none. */
static inline void check_instance(const struct way *way, unsigned long least)
{
	unsigned long entries = 0, overrun = 0, dropped = 0;
	char path[128], *text, *line;
	struct kt_error err;

	snprintf(path, sizeof(path), "%s/per_cpu/cpu%zu/stats", instance, cpu);
	text = kt_tracefs_read(tracefs, path, &err);
	if (!text)
		fail("%s", err.text);
	for (line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		sscanf(line, "entries: %lu", &entries);
		sscanf(line, "overrun: %lu", &overrun);
		sscanf(line, "dropped events: %lu", &dropped);
	}
	free(text);
	if (entries < least || overrun || dropped)
		fail("%s: %lu entries, expected at least %lu, %lu overrun, %lu dropped", way->name,
		     entries, least, overrun, dropped);
}

#endif
