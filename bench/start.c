// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * start [ROUNDS]: how long recording a command that does nothing takes: the wait each time a tracer
 * is used.
 */
#include "commands.h"

enum { ROUNDS = 11 };

static struct command commands[] = {
	{"bpftrace -c true -e 'tracepoint:sched:sched_switch { @ = count(); }'",
	 .argv = {"bpftrace", "-c", "/bin/true", "-e",
		  "tracepoint:sched:sched_switch { @ = count(); }"}},
	{"perf record -e sched:sched_switch true",
	 .argv = {"perf", "record", "-o", "perf.data", "-e", "sched:sched_switch", "true"}},
	{"ktrace record -e sched_switch true",
	 .argv = {"ktrace", "record", "-e", "sched_switch", "true"}},
	{"ktrace record -e 'syscalls:*' true",
	 .argv = {"ktrace", "record", "-e", "syscalls:*", "true"}},
	{"ktrace strace true", .argv = {"ktrace", "strace", "-o", "/dev/null", "true"}},
	{"ktrace record true: the default events", .argv = {"ktrace", "record", "true"}},
};

enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? parse_number(argv[1], ROUNDS_MAX) : ROUNDS;

	stop_on_signals();
	enter_scratch();
	rounds = time_commands(commands, N_COMMANDS, rounds);
	if (rounds) {
		printf("recording a command that does nothing: medians of %zu round%s\n", rounds,
		       rounds == 1 ? "" : "s");
		print_commands(commands, N_COMMANDS, rounds, "/ bpftrace");
	}
	return stopped;
}
