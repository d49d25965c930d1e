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

enum { BPFTRACE, N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_table(size_t n)
{
	const struct command *b = &commands[BPFTRACE];
	double reference = b->argv[0] ? median(b->seconds, NULL, n) : NAN;
	double seconds;
	size_t i;

	printf("a recording from start to end: medians of %zu round%s\n", n, n == 1 ? "" : "s");
	printf("%10s %15s %10s  command\n", "ms", "of bpftrace's", "MB");
	for (i = 0; i < N_COMMANDS; i++) {
		if (!commands[i].argv[0])
			continue;
		seconds = median(commands[i].seconds, NULL, n);
		printf("%10.1f ", seconds * 1e3);
		print_ratio(15, seconds / reference);
		printf(" %10.1f  %s\n", commands[i].memory / 1e6, commands[i].name);
	}
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? number(argv[1], ROUNDS_MAX) : ROUNDS;

	stop_when_told();
	enter_scratch();
	rounds = time_commands(commands, N_COMMANDS, rounds);
	if (rounds)
		print_table(rounds);
	return stopped;
}
