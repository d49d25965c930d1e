// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sys_enter [ROUNDS [CALLS]]: cost of recording raw_syscalls:sys_enter to the calling task, in
 * several ways by ktrace, and by ftrace.
 *
 * System calls that do nothing are timed. A way's cost is its difference to an empty program in the
 * same round. ftrace has an instance of its own, with buffers as large as ktrace's that have also
 * been full before.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "ftrace_instance.h"

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

static void attach_ftrace(const struct way *way)
{
	write_instance_file("trace_clock", way->clock);
	write_instance_file("trace", "");
	write_instance_file("events/raw_syscalls/sys_enter/enable", "1");
}

static void detach_ftrace(const struct way *way)
{
	write_instance_file("events/raw_syscalls/sys_enter/enable", "0");
	check_instance(way, WARM + calls);
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
	make_instance(RING);
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
