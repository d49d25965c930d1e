// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * openat [ROUNDS [CALLS]]: cost to a program of tracing its openat calls with their paths, by
 * ktrace and other tracers, each as a whole command that runs the program.
 *
 * The program, which is this one with --program, opens a missing file CALLS times on one CPU and
 * writes down the time per call. The kernel decides where a tracer runs. A tracer's cost is the
 * difference to the program alone in the same round. Its output must have exactly the calls made.
 */
#include "commands.h"

enum {
	ROUNDS = 7,
	CALLS = 10000,
	CALLS_MAX = 40000, /* records of some 90 bytes fit into a ring */
	WARM = 1000,
};

#define PATH       "/nowhere/at/all"
#define RESULT     "result" /* of the program: ns per call */
#define RING_PAGES "1024"   /* of bpftrace, per CPU: 4 MiB, as ktrace's */

#define AT_ENTRY "tracepoint:syscalls:sys_enter_openat /pid == cpid/ "
#define AT_EXIT  "tracepoint:syscalls:sys_exit_openat /pid == cpid/ "
#define CALL     "printf(\"%d openat(%d, %s, %x, %x)"
#define ARGS     "\", pid, args->dfd, str(args->filename), args->flags, args->mode); "

enum { PROGRAM, STRACE, STRACE_SAME_CPU, BPF_ENTRY, BPF, ENTRY, RECORD, LIVE, N_TRACERS };

static struct tracer {
	struct command c;
	const char *file;      /* its output; NULL: a trace */
	size_t like;           /* the bpftrace command that prints the same; 0: none */
	bool same_cpu;         /* runs on the program's CPU */
	double ns[ROUNDS_MAX]; /* per call */
} tracers[N_TRACERS] = {
	[PROGRAM] = {{"nothing"}},
	[STRACE] = {{"strace -f -e trace=openat",
		     .argv = {"strace", "-f", "-o", "strace.out", "-e", "trace=openat"}},
		    "strace.out",
		    BPF},
	[STRACE_SAME_CPU] = {{"strace -f -e trace=openat, on the same CPU",
			      .argv = {"strace", "-f", "-o", "strace.out", "-e", "trace=openat"}},
			     "strace.out",
			     BPF,
			     true},
	[BPF_ENTRY] = {{"bpftrace, printing entries",
			.argv = {"bpftrace", "-o", "bpftrace.out", "-e",
				 AT_ENTRY "{ " CALL "\\n" ARGS "}", "-c"}},
		       "bpftrace.out",
		       BPF_ENTRY},
	[BPF] = {{"bpftrace, printing calls",
		  .argv = {"bpftrace", "-o", "bpftrace.out", "-e",
			   AT_ENTRY "{ " CALL ARGS "} " AT_EXIT
				    "{ printf(\" = %d\\n\", args->ret); }",
			   "-c"}},
		 "bpftrace.out",
		 BPF},
	[ENTRY] = {{"ktrace record -e sys_enter_openat",
		    .argv = {"ktrace", "record", "--strict", "-e", "sys_enter_openat"}},
		   NULL,
		   BPF_ENTRY},
	[RECORD] = {{"ktrace record -e syscalls:openat",
		     .argv = {"ktrace", "record", "--strict", "-e", "syscalls:openat"}},
		    NULL,
		    BPF},
	[LIVE] = {{"ktrace strace -e openat",
		   .argv = {"ktrace", "strace", "-o", "live.out", "-e", "openat"}},
		  "live.out",
		  BPF},
};

/* Arguments of the program. */
static char self[PATH_MAX], calls[16], command[PATH_MAX + 64];

/* The program */

static double time_calls(unsigned long n)
{
	uint64_t since = kt_clock_now();
	unsigned long i;

	for (i = 0; i < n; i++)
		if (openat(AT_FDCWD, PATH, O_RDONLY) >= 0 || errno != ENOENT)
			fail(PATH ": exists");
	return (double)(kt_clock_now() - since) / n;
}

static int run_program(unsigned long n)
{
	double ns;
	FILE *f;

	pin_to_last_cpu();
	time_calls(WARM);
	ns = time_calls(n);
	f = fopen(RESULT, "w");
	if (!f || fprintf(f, "%f\n", ns) < 0 || fclose(f) != 0)
		fail(RESULT ": %s", strerror(errno));
	return 0;
}

/* The tracers */

static void add_program(struct command *c)
{
	size_t n = 0;

	while (c->argv[n])
		n++;
	if (n && strcmp(c->argv[n - 1], "-c") == 0) {
		c->argv[n] = command;
		return;
	}
	if (n + 4 > ARGS_MAX)
		fail("too many arguments");
	c->argv[n++] = self;
	c->argv[n++] = "--program";
	c->argv[n] = calls;
}

static void add_programs(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t i;

	if (n < 0)
		fail("/proc/self/exe: %s", strerror(errno));
	self[n] = '\0';
	snprintf(command, sizeof(command), "%s --program %s", self, calls);
	for (i = 0; i < N_TRACERS; i++)
		add_program(&tracers[i].c);
	setenv("BPFTRACE_PERF_RB_PAGES", RING_PAGES, 1);
}

/* Reads and removes the program's result. */
static double take_result(const struct command *c)
{
	FILE *f = fopen(RESULT, "r");
	double ns;

	if (!f || fscanf(f, "%lf", &ns) != 1)
		fail("%s: the program wrote no result", c->name);
	fclose(f);
	remove(RESULT);
	return ns;
}

static void check_output(const struct tracer *t)
{
	struct command reader = {"ktrace print", .argv = {"ktrace", "print"}};
	FILE *f = t->file ? fopen(t->file, "r") : open_output_of(&reader);
	unsigned long n = 0, made = WARM + strtoul(calls, NULL, 10);
	char *line = NULL;
	size_t size = 0;

	if (!f)
		fail("%s: %s: %s", t->c.name, t->file, strerror(errno));
	while (getline(&line, &size, f) > 0)
		n += strstr(line, PATH) != NULL;
	free(line);
	fclose(f);
	if (n != made && !stopped)
		fail("%s: %lu calls of %lu recorded", t->c.name, n, made);
}

static void time_tracer(struct tracer *t, size_t round)
{
	int output = open_memory();
	cpu_set_t ours;

	sched_getaffinity(0, sizeof(ours), &ours);
	if (t->same_cpu)
		pin_to_last_cpu();
	run_command(&t->c, output);
	sched_setaffinity(0, sizeof(ours), &ours);
	close(output);
	if (!t->c.argv[0] || stopped)
		return;
	t->ns[round] = take_result(&t->c);
	if (t != &tracers[PROGRAM])
		check_output(t);
}

/* Returns the number of complete rounds. */
static size_t time_tracers(size_t rounds)
{
	size_t i, round;

	for (round = 0; round < rounds; round++) {
		for (i = 0; i < N_TRACERS && !stopped; i++)
			if (tracers[i].c.argv[0])
				time_tracer(&tracers[i], round);
		if (stopped)
			break;
	}
	return round;
}

/* Returns the ns per call that a tracer adds; NAN if it is not installed. */
static double cost_of(size_t tracer, size_t n)
{
	if (!tracers[tracer].c.argv[0])
		return NAN;
	return median(tracers[tracer].ns, tracers[PROGRAM].ns, n);
}

static void print_table(size_t n)
{
	const struct tracer *t;
	size_t i;

	printf("cost of tracing openat to the traced program: medians of %zu round%s of %s calls\n",
	       n, n == 1 ? "" : "s", calls);
	printf("%10s %10s %12s %14s  command\n", "ns/call", "added ns", "/ strace", "/ bpftrace");
	for (i = 0; i < N_TRACERS; i++) {
		t = &tracers[i];
		if (!t->c.argv[0])
			continue;
		printf("%10.0f ", median(t->ns, NULL, n));
		if (i != PROGRAM) {
			printf("%10.0f ", cost_of(i, n));
			print_ratio(12, 4, cost_of(i, n) / cost_of(STRACE, n));
			putchar(' ');
			print_ratio(14, 4, cost_of(i, n) / cost_of(t->like, n));
		} else {
			printf("%38s", "");
		}
		printf("  %s\n", t->c.name);
	}
}

int main(int argc, char **argv)
{
	bool is_program = argc == 3 && strcmp(argv[1], "--program") == 0;
	size_t rounds;

	if (is_program)
		return run_program(parse_number(argv[2], CALLS_MAX));
	rounds = argc > 1 ? parse_number(argv[1], ROUNDS_MAX) : ROUNDS;
	snprintf(calls, sizeof(calls), "%lu", argc > 2 ? parse_number(argv[2], CALLS_MAX) : CALLS);
	stop_on_signals();
	enter_scratch();
	add_programs();
	rounds = time_tracers(rounds);
	if (rounds)
		print_table(rounds);
	return stopped;
}
