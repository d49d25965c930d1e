// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace record: what happens from now on, into a trace. */
#include <stdbool.h>
#include <stdlib.h>

#include "app/capture.h"
#include "app/choice.h"
#include "app/command.h"
#include "app/options.h"
#include "app/processes.h"
#include "base/cpus.h"
#include "base/error.h"

#define NAME "record"

enum { DUMP = 256, STRICT }; /* options without a letter */

static int parse_processes(struct wanted *w, const char *text)
{
	struct kt_error err;

	return processes_add(&w->processes, text, &err) < 0 ? say_error(NAME, &err) : EXIT_OK;
}

static int parse_cpus(struct wanted *w, const char *text)
{
	struct kt_error err;

	return kt_cpus_choose(&w->cpus, text, &err) < 0 ? say_error(NAME, &err) : EXIT_OK;
}

/* What one option says. */
static int parse_option(struct wanted *w, int c)
{
	switch (c) {
	case 'a':
		w->all = true;
		return EXIT_OK;
	case 'b':
		return option_ring(NAME, &w->ring, optarg);
	case 'C':
		return parse_cpus(w, optarg);
	case 'e':
		return option_event(w->picks, optarg);
	case 'f':
		return option_filter(NAME, w->picks, optarg);
	case 'o':
		w->dir = optarg;
		return EXIT_OK;
	case 'p':
		return parse_processes(w, optarg);
	case 's':
		return option_bytes(NAME, &w->bytes_max, optarg);
	case DUMP:
		w->dump = true;
		return EXIT_OK;
	case STRICT:
		w->strict = true;
		return EXIT_OK;
	default:
		return EXIT_USAGE;
	}
}

static int parse(struct wanted *w, int argc, char **argv)
{
	static const struct option options[] = {
		{"all", no_argument, NULL, 'a'},
		{"buffer-size", required_argument, NULL, 'b'},
		{"cpu", required_argument, NULL, 'C'},
		{"dump", no_argument, NULL, DUMP},
		{"event", required_argument, NULL, 'e'},
		{"filter", required_argument, NULL, 'f'},
		{"output", required_argument, NULL, 'o'},
		{"pid", required_argument, NULL, 'p'},
		{"strict", no_argument, NULL, STRICT},
		{"string-limit", required_argument, NULL, 's'},
		{},
	};
	int c, status = EXIT_OK;

	while (status == EXIT_OK &&
	       (c = next_option(argc, argv, "+ab:C:e:f:o:p:s:", options)) != -1)
		status = parse_option(w, c);
	if (status != EXIT_OK)
		return status;
	if (argv[optind])
		w->command = argv + optind;
	if (w->all && w->processes.n)
		return misused(
			NAME, "'-a' records everybody, '-p' some processes alone: say one of them");
	if (!w->picks->patterns)
		*w->picks = default_pick;
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct wanted w = {.dir = TRACE_DIR, .ring = RING_SIZE, .bytes_max = BYTES_MAX};
	int status;

	w.picks = new_picks(NAME, argc);
	if (!w.picks)
		return EXIT_FAILED;
	status = parse(&w, argc, argv);
	if (status == EXIT_OK)
		status = capture(&w);
	processes_free(&w.processes);
	free(w.cpus);
	free(w.picks);
	return status;
}

const struct command record_command = {
	.name = NAME,
	.args = " [-e PATTERN [-f FILTER]]... [-a | -p PID...] [-C CPU...]\n"
		"                     [-o DIR] [-b SIZE] [-s SIZE] [--strict] [--dump]\n"
		"                     [[--] CMD [ARG...]]",
	.summary = "what happens from now on, into a trace",
	.help = "Records every hit of the events on the whole machine until Ctrl-C, or by CMD and\n"
		"its children alone until CMD ends, and leaves a trace in the Common Trace\n"
		"Format, which 'ktrace print', babeltrace2 and Trace Compass open.\n"
		"\n"
		"  -e, --event PATTERN     which events, as 'ktrace list' takes it: SYSTEM:EVENT,\n"
		"                          globs, %file and its like, several with commas; can be\n"
		"                          repeated. Without any those that tell what a machine\n"
		"                          was doing, which 'ktrace list --default' names\n"
		"  -f, --filter FILTER     of the events before it only the hits that it is true\n"
		"                          of: tests of their fields, pid, tid, comm and cpu by\n"
		"                          == != < <= > >= & and, for text in quotes, == != and\n"
		"                          ~ (* ? [a-z]), joined by ! && || ()\n"
		"  -a, --all               the whole machine, with CMD too: as long as that runs\n"
		"  -p, --pid PID           these processes, several with commas, and what they\n"
		"                          fork from now on; until they end or Ctrl-C, or with\n"
		"                          CMD, which is not recorded then, as long as that runs\n"
		"  -C, --cpu CPU           of all that only what happens on these CPUs, as in\n"
		"                          0,2-3; no other has a ring then\n"
		"  -o, --output DIR        where to (ktrace.out); a trace that is there is moved\n"
		"                          to DIR.old, and the one there removed\n"
		"  -b, --buffer-size SIZE  of the ring of each CPU, rounded up to a power of two,\n"
		"                          with K, M or G behind it (4M)\n"
		"  -s, --string-limit SIZE\n"
		"                          of the data that a system call reads or writes keep so\n"
		"                          many bytes at most, or elements of an array, or\n"
		"                          arguments of a program (32); paths are kept in full\n"
		"  --strict                exit with 3 if any events were lost\n"
		"  --dump                  record nothing: print the programs that the kernel\n"
		"                          would run, with comments, and of one that it refuses\n"
		"                          all that it says; exits with 1 if an event has none\n"
		"\n"
		"With CMD the exit status is CMD's, or 128 + the signal that killed it, or 126 or\n"
		"127 where it cannot be run. Signals sent to ktrace go to CMD. What CMD leaves\n"
		"running is no longer recorded.\n"
		"\n"
		"examples:\n"
		"  ktrace record\n"
		"  ktrace record -- make -j4\n"
		"  ktrace record -e sched_switch\n"
		"  ktrace record -e 'irq:*,timer:*' -b 16M -o /tmp/irqs\n"
		"  ktrace record -e sched_switch -f 'next_prio < 100'\n"
		"  ktrace record -e 'irq:*,sched_switch' -C 3 -- sleep 10\n"
		"  ktrace record -e sched_process_exec -f 'filename ~ \"*/cc1*\"'\n"
		"  ktrace record -e syscalls:sys_enter_openat -f 'filename ~ \"/etc/*\"' -- make\n"
		"  ktrace record -e syscalls:read,syscalls:write -s 256 -- cat /etc/hosts\n"
		"  ktrace record -e raw_syscalls:sys_enter -p $(pidof -s sshd) -- sleep 10\n"
		"  ktrace record --dump -e sched_switch -f 'next_prio < 100'\n",
	.run = run,
};
