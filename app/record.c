// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace record: what happens from now on, into a trace. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "app/choice.h"
#include "app/command.h"
#include "app/processes.h"
#include "app/progress.h"
#include "app/workload.h"
#include "base/clock.h"
#include "base/cpus.h"
#include "base/error.h"
#include "base/layout.h"
#include "base/size.h"
#include "catalog/event.h"
#include "catalog/filter.h"
#include "ring/rings.h"
#include "session/session.h"
#include "trace/balance.h"
#include "trace/directory.h"
#include "trace/recording.h"
#include "trace/sheet.h"
#include "view/losses.h"
#include "view/text.h"

#define NAME "record"

/* Bytes of a ring, one a CPU. */
#define RING_MIN (8ull << 10)
#define RING_MAX (1ull << 30)
#define RING     (4ull << 20)

enum { SECOND = 1000000000 }; /* ns */

enum { STRICT = 256 }; /* an option without a letter */

struct record {
	struct pick *picks; /* up to one without patterns */
	size_t n_picks;
	bool filters;               /* some pick has one */
	struct processes processes; /* -p: they are recorded, with what they fork */
	bool all;                   /* -a: the whole machine is */
	bool *cpus;                 /* -C: all that is recorded, there alone; or NULL */
	char **command; /* while it runs, and it alone where nothing else is said; or NULL */
	const char *dir;
	uint64_t ring;
	bool strict;

	sigset_t signals; /* that end it */
	bool ended;
	struct workload workload; /* of the command */
	size_t skipped;
	struct kt_session *session;
	struct kt_recording *recording;
	struct kt_balance *balance; /* once it has ended */
};

/*
 * What ends the recording is blocked and waited for, so that it comes between two steps, and never
 * within one. A hang-up that nohup ignores stays ignored. A pipe that breaks is one that no longer
 * hears what we say, and no reason to lose what is recorded.
 */
static void take_signals(struct record *r)
{
	struct sigaction hup;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&r->signals);
	sigaddset(&r->signals, SIGINT);
	sigaddset(&r->signals, SIGTERM);
	if (r->command)
		sigaddset(&r->signals, SIGCHLD);
	if (sigaction(SIGHUP, NULL, &hup) == 0 && hup.sa_handler != SIG_IGN)
		sigaddset(&r->signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &r->signals, NULL);
}

/*
 * Whether it has been ended, waiting for that so long. Once a command runs, only its end does; the
 * end of the processes that are recorded does where there is none.
 */
static bool wait_for_end(struct record *r, long us)
{
	struct timespec time = {us / 1000000, us % 1000000 * 1000};
	siginfo_t info;

	if (!r->ended && sigtimedwait(&r->signals, &info, &time) > 0)
		r->ended = r->workload.pid ? workload_ended(&r->workload, &info)
					   : info.si_signo != SIGCHLD;
	if (!r->command && processes_have_ended(&r->processes))
		r->ended = true;
	return r->ended;
}

/* Every probe takes two descriptors. Where this is refused, attaching will say so. */
static void raise_files(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

static int add_event(struct record *r, const struct choice *c, size_t i, struct kt_error *err)
{
	struct kt_event *event = read_choice(c, i, err);

	if (!event)
		return -err->code;
	if (kt_session_add(r->session, event, err) < 0) {
		kt_event_free(event);
		return -err->code;
	}
	return 0;
}

/*
 * What cannot be recorded is said and skipped, as long as something is left. Where rights are
 * missing it is said once.
 */
static int add_events(struct record *r, const struct choice *c)
{
	struct kt_error err;
	size_t i;

	for (i = next_choice(c, 0); i < c->n && !wait_for_end(r, 0); i = next_choice(c, i + 1)) {
		if (add_event(r, c, i, &err) == 0)
			continue;
		say_error(NAME, &err);
		if (err.code == EPERM || err.code == EACCES)
			return EXIT_FAILED;
		r->skipped++;
	}
	if (kt_session_count(r->session))
		return EXIT_OK;
	if (r->ended)
		kt_fail(&err, EINTR, "ended before anything was recorded");
	else
		kt_fail(&err, ENOENT, "nothing is left to record: %zu skipped", r->skipped);
	return say_error(NAME, &err);
}

/* Whether the command is what is recorded, and not just as long as that. */
static bool records_command(const struct record *r)
{
	return r->command && !r->all && !r->processes.n;
}

static bool records_all(const struct record *r)
{
	return !records_command(r) && !r->processes.n;
}

/* on CPU 3; on 2 CPUs */
static void say_cpus(const struct record *r)
{
	const struct kt_rings *rings = kt_session_rings(r->session);
	size_t cpu, last = 0, n = 0;

	for (cpu = 0; cpu < kt_rings_cpus(rings); cpu++) {
		if (!kt_rings_at(rings, cpu))
			continue;
		last = cpu;
		n++;
	}
	if (n == 1)
		fprintf(stderr, " on CPU %zu", last);
	else
		fprintf(stderr, " on %zu CPUs", n);
}

static void say_begin(const struct record *r)
{
	size_t n = kt_session_count(r->session), pids = r->processes.n;

	fprintf(stderr, "ktrace " NAME ": recording %zu event%s", n, n == 1 ? "" : "s");
	if (records_command(r))
		fprintf(stderr, " of '%s' and its children", *r->command);
	else if (pids == 1)
		fprintf(stderr, " of process %d and its children", r->processes.pids[0]);
	else if (pids)
		fprintf(stderr, " of %zu processes and their children", pids);
	else if (!r->cpus)
		fputs(" on the whole machine", stderr);
	if (r->cpus)
		say_cpus(r);
	if (r->command && !records_command(r))
		fprintf(stderr, " while '%s' runs", *r->command);
	if (r->skipped)
		fprintf(stderr, ", %zu skipped", r->skipped);
	fputs(r->command ? "\n" : "; Ctrl-C ends it\n", stderr);
}

/* Which hits were not to be recorded: NULL where all were. */
static const char *left_out(const struct record *r)
{
	static char which[64];

	snprintf(which, sizeof(which), "%s%s%s", records_all(r) ? "" : ", other processes",
		 r->cpus ? ", other CPUs" : "", r->filters ? ", -f" : "");
	return which[0] ? which + strlen(", ") : NULL;
}

/* How long a ring lasts when 200 MB/s fill it: so long we sleep (doc/trace.md). */
static long ring_lasts_us(const struct record *r)
{
	struct kt_geometry g = kt_session_geometry(r->session);
	long us = kt_subbuf_size(g) * g.n_subbufs / 200;

	return us < 1000 ? 1000 : us > 100000 ? 100000 : us;
}

static int copy_until_end(struct record *r, struct kt_error *err)
{
	bool terminal = !r->command && isatty(STDERR_FILENO);
	uint64_t said = kt_clock_now();
	int n = 0;

	while (!wait_for_end(r, n ? 0 : ring_lasts_us(r))) {
		n = kt_recording_copy(r->recording, err);
		if (n < 0)
			break;
		if (!terminal || kt_clock_now() - said < SECOND)
			continue;
		said = kt_clock_now();
		say_progress(r->session, r->recording);
	}
	if (terminal)
		fputs("\r\033[K", stderr);
	return n < 0 ? n : 0;
}

/* At the last moment: what a command does while we get ready would not be recorded. */
static int begin_workload(struct record *r)
{
	struct kt_error err;

	if (!wait_for_end(r, 0))
		return workload_begin(&r->workload, NAME, records_command(r) ? r->session : NULL);
	kt_fail(&err, EINTR, "ended before '%s' was begun", *r->command);
	return say_error(NAME, &err);
}

/* What it has come to, which is part of the trace. */
static int balance(struct record *r, int dir)
{
	struct kt_error err;
	int ret;

	r->balance = kt_balance_of(r->recording, &err);
	ret = r->balance
		      ? kt_sheet_write(r->balance, kt_recording_metadata(r->recording), dir, &err)
		      : -err.code;
	if (ret == 0)
		return EXIT_OK;
	kt_fail_because(&err, "cannot write to %s", r->dir);
	return say_error(NAME, &err);
}

/* Says what it waits for where that is long: the kernel takes its time for each probe. */
static void detach(struct kt_session *s)
{
	uint64_t began = kt_clock_now(), said = began, now, rest;
	bool terminal = isatty(STDERR_FILENO);
	size_t left, done;

	for (done = 1; (left = kt_session_detach_one(s)) > 0; done++) {
		now = kt_clock_now();
		rest = (now - began) / done * left;
		if (now - said < SECOND || (!terminal && (said > began || rest < SECOND)))
			continue;
		said = now;
		say_detaching(left, rest, terminal);
	}
	if (terminal && said > began)
		fputs("\r\033[K", stderr);
}

/* From the first packet to the last. */
static int copy(struct record *r, int dir)
{
	struct kt_error err;
	int ret = 0, status = EXIT_OK;

	say_begin(r);
	if (r->command)
		status = begin_workload(r);
	if (status == EXIT_OK)
		ret = copy_until_end(r, &err);
	kt_session_stop(r->session);
	if (ret == 0)
		ret = kt_recording_end(r->recording, &err);
	if (ret < 0) {
		kt_fail_because(&err, "cannot write to %s", r->dir);
		status = say_error(NAME, &err);
	}
	if (balance(r, dir) != EXIT_OK)
		status = EXIT_FAILED;
	/* A command does not end because we cannot go on, and is to pay for no probes then. */
	if (r->workload.pid)
		detach(r->session);
	while (r->workload.pid)
		wait_for_end(r, 1000000);
	if (r->balance)
		say_outcome(r->session, r->recording, r->balance, r->dir, left_out(r));
	return status;
}

/* Of what went well: the command's own one first. */
static int status_of(const struct record *r)
{
	if (r->workload.status)
		return r->workload.status;
	return r->strict && !kt_balance_is_complete(r->balance) ? EXIT_LOST : EXIT_OK;
}

/* All its files. */
static int make_trace(struct record *r, int dir, struct kt_error *err)
{
	size_t rows;

	r->recording = kt_recording_new(r->session, ktrace_version, dir, err);
	if (!r->recording)
		return -err->code;
	rows = kt_session_count(r->session) * (kt_recording_streams(r->recording) + 1);
	return kt_sheet_make(dir, rows, err);
}

static int record_session(struct record *r)
{
	int status, dir;
	struct kt_error err;

	dir = kt_directory_make(r->dir, &err);
	if (dir < 0)
		return say_error(NAME, &err);
	kt_session_start(r->session);
	if (make_trace(r, dir, &err) == 0) {
		status = copy(r, dir);
		if (status == EXIT_OK)
			status = status_of(r);
	} else {
		kt_directory_remove(r->dir, dir);
		kt_fail_because(&err, "cannot write to %s", r->dir);
		status = say_error(NAME, &err);
	}
	kt_balance_free(r->balance);
	kt_recording_free(r->recording);
	close(dir);
	return status;
}

/* Whom the session looks at, where that is not everybody. */
static int follow(struct record *r, const struct choice *c)
{
	struct kt_error err;

	if (records_all(r))
		return EXIT_OK;
	if (kt_session_follow(r->session, c->tracefs, c->btf, &err) < 0 ||
	    processes_follow(&r->processes, r->session, &err) < 0)
		return say_error(NAME, &err);
	return EXIT_OK;
}

static int record_chosen(struct record *r, const struct choice *c)
{
	struct kt_error err;
	int status;

	/* Before anything is attached, as this is what goes wrong most. */
	if (kt_directory_check(r->dir, &err) < 0)
		return say_error(NAME, &err);
	r->session = kt_session_new(kt_geometry_of(r->ring), count_choice(c), r->cpus, &err);
	if (!r->session)
		return say_error(NAME, &err);
	status = follow(r, c);
	if (status == EXIT_OK)
		status = add_events(r, c);
	if (status == EXIT_OK)
		status = record_session(r);
	detach(r->session);
	kt_session_free(r->session);
	return status;
}

static int record(struct record *r)
{
	struct choice c;
	int status;

	if (r->command) {
		status = workload_find(&r->workload, NAME, r->command);
		if (status != EXIT_OK)
			return status;
	}
	take_signals(r);
	raise_files();
	status = choose(&c, NAME, r->picks);
	if (status == EXIT_OK)
		status = record_chosen(r, &c);
	end_choice(&c);
	workload_free(&r->workload);
	return status;
}

static int usage(const char *what)
{
	fprintf(stderr, "ktrace " NAME ": %s\n", what);
	return EXIT_USAGE;
}

static int parse_ring(struct record *r, const char *text)
{
	struct kt_error err;
	int ret = kt_size_parse(text, &r->ring, &err);

	if (ret == 0 && (r->ring < RING_MIN || r->ring > RING_MAX))
		ret = kt_fail_at(&err, EINVAL, text, 0, strlen(text), "a ring has 8K to 1G");
	return ret < 0 ? say_error(NAME, &err) : EXIT_OK;
}

static int parse_processes(struct record *r, const char *text)
{
	struct kt_error err;

	return processes_add(&r->processes, text, &err) < 0 ? say_error(NAME, &err) : EXIT_OK;
}

static int parse_cpus(struct record *r, const char *text)
{
	struct kt_error err;

	return kt_cpus_choose(&r->cpus, text, &err) < 0 ? say_error(NAME, &err) : EXIT_OK;
}

/* Of the -e before it. Whether it is one is seen here, whether it fits its events there. */
static int parse_filter(struct record *r, const char *text)
{
	struct kt_filter *filter;
	struct kt_error err;
	struct pick *pick;

	if (!r->n_picks)
		return usage("'-f' says which hits of the '-e' before it: there is none");
	pick = &r->picks[r->n_picks - 1];
	if (pick->filter)
		return usage("two '-f' behind one '-e': join them with '&&'");
	filter = kt_filter_parse(NULL, text, &err);
	if (!filter)
		return say_error(NAME, &err);
	kt_filter_free(filter);
	pick->filter = text;
	r->filters = true;
	return EXIT_OK;
}

/* What one option says. */
static int parse_option(struct record *r, int c)
{
	switch (c) {
	case 'a':
		r->all = true;
		return EXIT_OK;
	case 'b':
		return parse_ring(r, optarg);
	case 'C':
		return parse_cpus(r, optarg);
	case 'e':
		r->picks[r->n_picks++].patterns = optarg;
		return EXIT_OK;
	case 'f':
		return parse_filter(r, optarg);
	case 'o':
		r->dir = optarg;
		return EXIT_OK;
	case 'p':
		return parse_processes(r, optarg);
	case STRICT:
		r->strict = true;
		return EXIT_OK;
	default:
		return EXIT_USAGE;
	}
}

static int parse(struct record *r, int argc, char **argv)
{
	static const struct option options[] = {
		{"all", no_argument, NULL, 'a'},
		{"buffer-size", required_argument, NULL, 'b'},
		{"cpu", required_argument, NULL, 'C'},
		{"event", required_argument, NULL, 'e'},
		{"filter", required_argument, NULL, 'f'},
		{"output", required_argument, NULL, 'o'},
		{"pid", required_argument, NULL, 'p'},
		{"strict", no_argument, NULL, STRICT},
		{},
	};
	int c, status = EXIT_OK;

	while (status == EXIT_OK && (c = next_option(argc, argv, "+ab:C:e:f:o:p:", options)) != -1)
		status = parse_option(r, c);
	if (status != EXIT_OK)
		return status;
	if (argv[optind])
		r->command = argv + optind;
	if (r->all && r->processes.n)
		return usage("'-a' records everybody, '-p' some processes alone: say one of them");
	if (!r->n_picks)
		return usage("no events: say which with '-e PATTERN'; 'ktrace list' names them");
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct record r = {.dir = TRACE_DIR, .ring = RING};
	int status;

	r.picks = calloc(argc, sizeof(*r.picks));
	if (!r.picks) {
		fprintf(stderr, "ktrace " NAME ": %s\n", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	status = parse(&r, argc, argv);
	if (status == EXIT_OK)
		status = record(&r);
	processes_free(&r.processes);
	free(r.cpus);
	free(r.picks);
	return status;
}

const struct command record_command = {
	.name = NAME,
	.args = " -e PATTERN [-f FILTER]... [-a | -p PID...] [-C CPU...]\n"
		"                     [-o DIR] [-b SIZE] [--strict] [[--] CMD [ARG...]]",
	.summary = "what happens from now on, into a trace",
	.help = "Records every hit of the events on the whole machine until Ctrl-C, or by CMD and\n"
		"its children alone until CMD ends, and leaves a trace in the Common Trace\n"
		"Format, which 'ktrace print', babeltrace2 and Trace Compass open.\n"
		"\n"
		"  -e, --event PATTERN     which events, as 'ktrace list' takes it: SYSTEM:EVENT,\n"
		"                          globs, several with commas; can be repeated\n"
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
		"  --strict                exit with 3 if any events were lost\n"
		"\n"
		"With CMD the exit status is CMD's, or 128 + the signal that killed it, or 126 or\n"
		"127 where it cannot be run. Signals sent to ktrace go to CMD. What CMD leaves\n"
		"running is no longer recorded.\n"
		"\n"
		"examples:\n"
		"  ktrace record -e sched_switch\n"
		"  ktrace record -e 'irq:*,timer:*' -b 16M -o /tmp/irqs\n"
		"  ktrace record -e sched_switch -f 'next_prio < 100'\n"
		"  ktrace record -e 'irq:*,sched_switch' -C 3 -- sleep 10\n"
		"  ktrace record -e sched_process_exec -f 'filename ~ \"*/cc1*\"'\n"
		"  ktrace record -e 'syscalls:sys_enter_*' -- make -j4\n"
		"  ktrace record -e raw_syscalls:sys_enter -p $(pidof -s sshd) -- sleep 10\n",
	.run = run,
};
