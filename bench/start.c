// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * start [ROUNDS]: how long a recording takes of a command that does nothing: what one waits for
 * each time that one asks a tracer anything.
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
	{"ktrace record true: the default set", .argv = {"ktrace", "record", "true"}},
};

enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? number(argv[1], ROUNDS_MAX) : ROUNDS;

	stop_when_told();
	enter_scratch();
	rounds = time_commands(commands, N_COMMANDS, rounds);
	if (rounds) {
		printf("a recording from start to end: medians of %zu round%s\n", rounds,
		       rounds == 1 ? "" : "s");
		print_commands(commands, N_COMMANDS, rounds, "of bpftrace's");
	}
	return stopped;
}
