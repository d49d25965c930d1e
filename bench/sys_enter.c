// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sys_enter [ROUNDS [CALLS]]: cost of recording raw_syscalls:sys_enter to the calling task, in
 * several ways by ktrace, and by ftrace.
 *
 * System calls that do nothing are timed. A way's cost is its difference to an empty program in the
 * same round. ftrace has an instance of its own, with buffers as large as ktrace's that have also
 * been full before.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ways.h"

enum {
	ROUNDS = 31,
	CALLS = 50000,
	CALLS_MAX = 50000, /* records of some 70 bytes fit into a ring */
};

static void make_calls(unsigned long n)
{
	while (n--)
		syscall(SYS_getppid);
}

/* ftrace: a private instance, with buffers that stop when full. */

static char instance[64];

static void write_instance_file(const char *file, const char *text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", instance, file);
	fd = openat(tracefs, path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fail("tracefs: %s: %s", path, strerror(errno));
	close(fd);
}

static void remove_instance(void)
{
	if (unlinkat(tracefs, instance, AT_REMOVEDIR) < 0)
		fprintf(stderr, "sys_enter: tracefs: %s: %s\n", instance, strerror(errno));
}

static void make_instance(void)
{
	char size[16];

	snprintf(instance, sizeof(instance), "instances/ktrace-bench-%d", (int)getpid());
	if (mkdirat(tracefs, instance, 0700) < 0)
		fail("tracefs: %s: %s", instance, strerror(errno));
	atexit(remove_instance);
	snprintf(size, sizeof(size), "%d", RING >> 10);
	write_instance_file("buffer_size_kb", size);
	write_instance_file("options/overwrite", "0");
}

static void attach_ftrace(const struct way *way)
{
	write_instance_file("trace_clock", way->clock);
	write_instance_file("trace", "");
	write_instance_file("events/raw_syscalls/sys_enter/enable", "1");
}

static void detach_ftrace(const struct way *way)
{
	unsigned long entries = 0, overrun = 0, dropped = 0;
	char path[128], *text, *line;
	struct kt_error err;

	write_instance_file("events/raw_syscalls/sys_enter/enable", "0");
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
	if (entries < WARM + calls || overrun || dropped)
		fail("%s: %lu entries, expected at least %lu, %lu overrun, %lu dropped", way->name,
		     entries, WARM + calls, overrun, dropped);
}

#define CALL      .make = make_calls, .events = {{"raw_syscalls", "sys_enter"}}
#define FLOOR     .floor = &ways[1]
#define BY_KTRACE SESSION, CALL, FLOOR
#define BY_FTRACE .attach = attach_ftrace, .detach = detach_ftrace, CALL, FLOOR

static struct way ways[] = {
	{"nothing", NOTHING, CALL},
	{"an empty program", PROGRAM, CALL},
	{"ktrace, the whole machine", BY_KTRACE},
	{"ktrace, a flight recorder", BY_KTRACE, .overwrites = true},
	{"ktrace, a flight recorder with a trigger", BY_KTRACE, .overwrites = true,
	 .can_freeze = true},
	{"ktrace, this process followed", BY_KTRACE, .follows_us = true},
	{"ktrace, another process followed", BY_KTRACE, .follows_others = true,
	 .filters_all = true},
	{"ktrace, filtered out", BY_KTRACE, .filter = "id == -1", .filters_all = true},
	{"ktrace, the kernel's own record (classic)", BY_KTRACE, .classic = true},
	{"ftrace, with ktrace's clock", BY_FTRACE, .clock = "mono"},
	{"ftrace", BY_FTRACE, .clock = "local"},
};

enum { N_WAYS = sizeof(ways) / sizeof(ways[0]) };

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? parse_number(argv[1], ROUNDS_MAX) : ROUNDS;

	stop_on_signals();
	calls_max = CALLS_MAX;
	calls = argc > 2 ? parse_number(argv[2], CALLS_MAX) : CALLS;
	open_machine();
	make_instance();
	rounds = time_ways(ways, N_WAYS, rounds);
	if (rounds) {
		printf("cost of recording an event: CPU %zu, medians of %zu round%s of %lu "
		       "events\n",
		       cpu, rounds, rounds == 1 ? "" : "s", calls);
		print_ways(ways, N_WAYS, &ways[N_WAYS - 1], rounds, "/ ftrace",
			   "attached to raw_syscalls:sys_enter");
	}
	close_machine();
	return stopped;
}
