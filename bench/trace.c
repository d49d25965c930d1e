// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace [ROUNDS [CMD [ARG...]]]: what a recording of CMD takes up, of the events that ktrace takes
 * unless told otherwise, and how fast it is read again, of ktrace and of perf.
 *
 * An event is a line that 'print', or 'perf script', puts out: what one can see of a recording.
 */
#include "commands.h"

enum { ROUNDS = 5 };

static const char *work[] = {
	"sh", "-c", "i=0; while [ $i -lt 1000 ]; do cat /proc/version | wc -c; i=$((i + 1)); done",
	NULL};

enum { PERF, KTRACE, N_RECORDERS };

static struct command recorders[N_RECORDERS] = {
	{"perf record", .argv = {"perf", "record", "-o", "perf.data", "-m", "4M", "-e"}},
	{"ktrace record", .argv = {"ktrace", "record", "--strict", "-o", "ktrace.out"}},
};

static const char *const recordings[N_RECORDERS] = {"perf.data", "ktrace.out"};
static unsigned long events[N_RECORDERS];

/* Of the one by perf the first, of ours all others. */
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
	FILE *f = output_of(c);
	unsigned long n = 0;
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, f) > 0)
		n++;
	free(line);
	fclose(f);
	return n;
}

/* What ktrace records by default, as perf takes it. */
static const char *default_events(void)
{
	static struct command list = {"ktrace list --default",
				      .argv = {"ktrace", "list", "--default"}};
	static char names[1 << 14];
	FILE *f = output_of(&list);
	size_t n = fread(names, 1, sizeof(names), f);
	char *p;

	fclose(f);
	if (n == 0 || n == sizeof(names))
		fail("%s: %zu bytes", list.name, n);
	names[n - 1] = '\0';
	for (p = names; (p = strchr(p, '\n'));)
		*p = ',';
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

static void record(const char **cmd)
{
	const char *names[] = {default_events(), NULL};
	size_t i;

	add_args(&recorders[PERF], names);
	for (i = 0; i < N_RECORDERS; i++)
		add_args(&recorders[i], cmd);
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

	printf("a recording of the events that ktrace takes by default\n");
	printf("%10s %14s %10s  command\n", "events", "bytes an event", "MB");
	for (i = 0; i < N_RECORDERS; i++) {
		if (!recorders[i].argv[0])
			continue;
		printf("%10lu %14.1f %10.1f  %s\n", events[i],
		       (double)size_of_tree(recordings[i]) / events[i], recorders[i].memory / 1e6,
		       recorders[i].name);
	}
}

/* Events a second. */
static double rate(size_t reader, size_t n)
{
	if (!readers[reader].argv[0])
		return NAN;
	return events[reader == PERF ? PERF : KTRACE] / median(readers[reader].seconds, NULL, n);
}

static void print_readings(size_t n)
{
	size_t i;

	printf("it is read: medians of %zu round%s\n", n, n == 1 ? "" : "s");
	printf("%10s %14s %10s  command\n", "million/s", "of perf's", "MB");
	for (i = 0; i < N_READERS; i++) {
		if (!readers[i].argv[0])
			continue;
		printf("%10.2f ", rate(i, n) / 1e6);
		print_ratio(14, 2, rate(i, n) / rate(PERF, n));
		printf(" %10.1f  %s\n", readers[i].memory / 1e6, readers[i].name);
	}
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? number(argv[1], ROUNDS_MAX) : ROUNDS;

	stop_when_told();
	enter_scratch();
	record(argc > 2 ? (const char **)argv + 2 : work);
	if (stopped)
		return 1;
	print_recordings();
	rounds = time_commands(readers, N_READERS, rounds);
	if (rounds)
		print_readings(rounds);
	return stopped;
}
