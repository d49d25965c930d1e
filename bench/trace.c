// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace [ROUNDS [CMD [ARG...]]]: size of a recording of CMD by ktrace and by perf, and how fast it
 * is read.
 *
 * An event is a line of 'ktrace print' or 'perf script'.
 */
#include "commands.h"

enum { ROUNDS = 5 };

static const char *work[] = {
	"sh", "-c", "i=0; while [ $i -lt 1000 ]; do cat /proc/version | wc -c; i=$((i + 1)); done",
	NULL};

enum { PERF, KTRACE, N_RECORDERS };

static struct command recorders[N_RECORDERS] = {
	{"perf record", .argv = {"perf", "record", "-o", "perf.data", "-m", "4M"}},
	{"ktrace record", .argv = {"ktrace", "record", "--strict", "-o", "ktrace.out"}},
};

static const char *const recordings[N_RECORDERS] = {"perf.data", "ktrace.out"};
static unsigned long events[N_RECORDERS];

/* The first reads perf's recording, all others ktrace's. */
static struct command readers[] = {
	{"perf script", .argv = {"perf", "script", "-i", "perf.data"}},
	{"ktrace print", .argv = {"ktrace", "print"}},
	{"ktrace print --json", .argv = {"ktrace", "print", "--json"}},
	{"ktrace report", .argv = {"ktrace", "report"}},
	{"babeltrace2 ktrace.out", .argv = {"babeltrace2", "ktrace.out"}},
};

enum { N_READERS = sizeof(readers) / sizeof(readers[0]) };

static unsigned long count_lines(struct command *c)
{
	FILE *f = open_output_of(c);
	unsigned long n = 0;
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, f) > 0)
		n++;
	free(line);
	fclose(f);
	return n;
}

#define CALLS "syscalls:"

/*
 * Returns ktrace's default events as an argument, with raw_syscalls in place of the calls by name:
 * perf takes minutes to start and end with these.
 */
static const char *list_events(void)
{
	static struct command list = {"ktrace list --default",
				      .argv = {"ktrace", "list", "--default"}};
	static char names[1 << 12] = "raw_syscalls:sys_enter,raw_syscalls:sys_exit";
	FILE *f = open_output_of(&list);
	char name[256];
	size_t n = 0;

	while (fscanf(f, "%255s", name) == 1) {
		n++;
		if (strncmp(name, CALLS, strlen(CALLS)) == 0)
			continue;
		if (strlen(names) + 1 + strlen(name) >= sizeof(names))
			fail("too many events");
		strcat(strcat(names, ","), name);
	}
	fclose(f);
	if (n == 0)
		fail("%s: no events", list.name);
	return names;
}

static void add_args(struct command *c, const char **args)
{
	size_t n;

	for (n = 0; c->argv[n]; n++)
		;
	for (; *args; args++) {
		if (n == ARGS_MAX - 1)
			fail("too many arguments");
		c->argv[n++] = *args;
	}
}

static void make_recordings(const char **cmd)
{
	const char *names[] = {"-e", list_events(), NULL};
	size_t i;

	for (i = 0; i < N_RECORDERS; i++) {
		add_args(&recorders[i], names);
		add_args(&recorders[i], cmd);
	}
	time_commands(recorders, N_RECORDERS, 1);
	for (i = 0; i < N_RECORDERS && !stopped; i++) {
		if (recorders[i].argv[0])
			events[i] = count_lines(&readers[i]);
		else
			readers[i].argv[0] = NULL;
	}
}

static void print_recordings(void)
{
	size_t i;

	printf("a recording of ktrace's default events, with raw_syscalls\n");
	printf("%10s %14s %10s  command\n", "events", "bytes/event", "MB");
	for (i = 0; i < N_RECORDERS; i++) {
		if (!recorders[i].argv[0])
			continue;
		printf("%10lu %14.1f %10.1f  %s\n", events[i],
		       (double)size_of_tree(recordings[i]) / events[i], recorders[i].memory / 1e6,
		       recorders[i].name);
	}
}

/* Returns the events per second that a reader reads. */
static double rate_of(size_t reader, size_t n)
{
	if (!readers[reader].argv[0])
		return NAN;
	return events[reader == PERF ? PERF : KTRACE] / median(readers[reader].seconds, NULL, n);
}

static void print_readings(size_t n)
{
	size_t i;

	printf("reading it: medians of %zu round%s\n", n, n == 1 ? "" : "s");
	printf("%10s %14s %10s  command\n", "million/s", "/ perf", "MB");
	for (i = 0; i < N_READERS; i++) {
		if (!readers[i].argv[0])
			continue;
		printf("%10.2f ", rate_of(i, n) / 1e6);
		print_ratio(14, 2, rate_of(i, n) / rate_of(PERF, n));
		printf(" %10.1f  %s\n", readers[i].memory / 1e6, readers[i].name);
	}
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? parse_number(argv[1], ROUNDS_MAX) : ROUNDS;

	stop_on_signals();
	enter_scratch();
	make_recordings(argc > 2 ? (const char **)argv + 2 : work);
	if (stopped)
		return 1;
	print_recordings();
	rounds = time_commands(readers, N_READERS, rounds);
	if (rounds)
		print_readings(rounds);
	return stopped;
}
