// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sys_enter [ROUNDS [CALLS]]: what a hit of raw_syscalls:sys_enter costs the task that it happens
 * to, as ktrace records it in its several ways, and as ftrace does.
 *
 * System calls that do nothing are timed; what a way adds is its difference to an empty program in
 * the same round. ftrace's buffers, of an instance of its own, are as large as ours, and have been
 * full before as well.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ways.h"

enum {
	ROUNDS = 31,
	CALLS = 50000,
	CALLS_MAX = 50000, /* of some 70 bytes in a ring */
};

static void make_calls(unsigned long n)
{
	while (n--)
		syscall(SYS_getppid);
}

/* ftrace: an instance of our own, with buffers that stop when they are full. */

static char instance[64];

static void write_there(const char *file, const char *text)
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
	write_there("buffer_size_kb", size);
	write_there("options/overwrite", "0");
}

static void attach_ftrace(const struct way *way)
{
	write_there("trace_clock", way->clock);
	write_there("trace", "");
	write_there("events/raw_syscalls/sys_enter/enable", "1");
}

static void detach_ftrace(const struct way *way)
{
	unsigned long entries = 0, overrun = 0, dropped = 0;
	char path[128], *text, *line;
	struct kt_error err;

	write_there("events/raw_syscalls/sys_enter/enable", "0");
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
		fail("%s: %lu entries of at least %lu, %lu overrun, %lu dropped", way->name,
		     entries, WARM + calls, overrun, dropped);
}

#define CALL   .make = make_calls, .events = {{"raw_syscalls", "sys_enter"}}
#define FLOOR  .floor = &ways[1]
#define OURS   SESSION, CALL, FLOOR
#define THEIRS .attach = attach_ftrace, .detach = detach_ftrace, CALL, FLOOR

static struct way ways[] = {
	{"nothing", NOTHING, CALL},
	{"an empty program", PROGRAM, CALL},
	{"ktrace, the whole machine", OURS},
	{"ktrace, a flight recorder", OURS, .overwrites = true},
	{"ktrace, one that can freeze", OURS, .overwrites = true, .can_freeze = true},
	{"ktrace, what this process does", OURS, .follows_us = true},
	{"ktrace, what another one does", OURS, .follows_others = true, .leaves_out = true},
	{"ktrace, no call passes the filter", OURS, .filter = "id == -1", .leaves_out = true},
	{"ktrace, the kernel's own record", OURS, .classic = true},
	{"ftrace, by ktrace's clock", THEIRS, .clock = "mono"},
	{"ftrace", THEIRS, .clock = "local"},
};

enum { N_WAYS = sizeof(ways) / sizeof(ways[0]) };

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? number(argv[1], ROUNDS_MAX) : ROUNDS;

	stop_when_told();
	calls_max = CALLS_MAX;
	calls = argc > 2 ? number(argv[2], CALLS_MAX) : CALLS;
	open_machine();
	make_instance();
	rounds = time_ways(ways, N_WAYS, rounds);
	if (rounds) {
		printf("what recording one system call adds to it: CPU %zu, medians of %zu "
		       "round%s of %lu\n",
		       cpu, rounds, rounds == 1 ? "" : "s", calls);
		print_ways(ways, N_WAYS, &ways[N_WAYS - 1], rounds, "of ftrace's",
			   "attached to raw_syscalls:sys_enter");
	}
	close_machine();
	return stopped;
}
