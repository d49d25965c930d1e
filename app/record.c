// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace record: record events into a trace. */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/event_selection.h"
#include "app/cli/options.h"
#include "app/cli/process_list.h"
#include "app/control/capture.h"
#include "app/control/progress.h"
#include "app/control/trace_dir.h"
#include "base/clock.h"
#include "base/error.h"
#include "ring/rings.h"
#include "session/session.h"
#include "session/trace_source.h"
#include "trace/event_counts.h"
#include "trace/event_counts_file.h"
#include "trace/recording.h"
#include "trace/trace_directory.h"

#define NAME "record"

enum { SECOND = 1000000000 }; /* ns */

struct record {
	struct capture_request request;
	bool strict; /* return EXIT_LOST if hits were lost */
	struct capture *capture;
	struct kt_recording *recording;
	struct kt_event_counts *counts; /* after the end */
};

/* Prints "on CPU 3" or "on 2 CPUs". */
static void print_cpus(const struct capture *c)
{
	const struct kt_rings *rings = kt_session_rings(c->session);
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

static void print_begin(const struct capture *c)
{
	const struct capture_request *w = c->request;
	size_t n = kt_session_count(c->session), pids = w->processes.n;

	fprintf(stderr, "ktrace record: recording %zu event%s", n, n == 1 ? "" : "s");
	if (capture_is_of_command(w))
		fprintf(stderr, " of '%s' and its children", *w->command);
	else if (pids == 1)
		fprintf(stderr, " of process %d and its children", w->processes.pids[0]);
	else if (pids)
		fprintf(stderr, " of %zu processes and their children", pids);
	else if (!w->cpus)
		fputs(" on the whole machine", stderr);
	if (w->cpus)
		print_cpus(c);
	if (w->command && !capture_is_of_command(w))
		fprintf(stderr, " while '%s' runs", *w->command);
	if (c->skipped)
		fprintf(stderr, ", %zu skipped", c->skipped);
	fputs(w->command ? "\n" : "; Ctrl-C ends it\n", stderr);
}

static bool has_filters(const struct capture_request *w)
{
	const struct event_option *event_option = w->event_options;

	while (event_option->patterns && !event_option->filter)
		event_option++;
	return event_option->patterns;
}

/* Returns what filters hits, for messages; NULL: nothing. */
static const char *get_filters(const struct capture_request *w)
{
	static char which[64];

	snprintf(which, sizeof(which), "%s%s%s", capture_is_of_all(w) ? "" : ", other processes",
		 w->cpus ? ", other CPUs" : "", has_filters(w) ? ", -f" : "");
	return which[0] ? which + strlen(", ") : NULL;
}

/* An error of copying is reported at the end. */
static void copy_until_end(struct record *r)
{
	struct kt_error err;
	bool terminal = !r->request.command && isatty(STDERR_FILENO);
	uint64_t reported = kt_clock_now();
	int n = 0;

	while (!capture_has_ended(r->capture, n ? 0 : capture_interval(r->capture))) {
		n = kt_recording_copy(r->recording, &err);
		if (n < 0)
			break;
		if (!terminal || kt_clock_now() - reported < SECOND)
			continue;
		reported = kt_clock_now();
		print_progress(r->capture->session, r->recording);
	}
	if (terminal)
		fputs("\r\033[K", stderr);
}

/* Writes the event counts, which are part of the trace. */
static int write_counts(struct record *r, int dir)
{
	struct kt_error err;
	int ret;

	r->counts =
		kt_event_counts_of(r->recording, kt_session_missed_all(r->capture->session), &err);
	ret = r->counts ? kt_event_counts_file_write(r->counts, kt_recording_metadata(r->recording),
						     dir, &err)
			: -err.code;
	if (ret == 0)
		return EXIT_OK;
	kt_fail_because(&err, "cannot write to %s", r->request.dir);
	return report_error(NAME, &err);
}

/* Returns the exit status if nothing failed: first of all the command's. */
static int get_status(const struct record *r, int of_command)
{
	if (of_command)
		return of_command;
	return r->strict && !kt_event_counts_is_complete(r->counts) ? EXIT_LOST : EXIT_OK;
}

static void print_continuing(const struct capture *c)
{
	fprintf(stderr, "ktrace record: recording has ended; '%s' continues\n",
		*c->request->command);
}

/* What happens on behalf of a process is often done by others: softirqs, kernel threads. */
static void print_hint(const struct record *r)
{
	struct kt_outcome sum = kt_event_counts_sum(r->counts);

	if (!sum.records && sum.filtered && !capture_is_of_all(&r->request))
		fputs("  other processes had these events: -a records the whole machine\n", stderr);
}

/* Records from the first packet to the last. */
static int copy_records(struct record *r, const struct kt_trace_directory *dir)
{
	struct capture *c = r->capture;
	struct kt_error err;
	int status, of_command;

	print_begin(c);
	status = capture_begin(c);
	if (status == EXIT_OK)
		copy_until_end(r);
	kt_session_stop(r->capture->session);
	kt_recording_stop(r->recording, kt_session_ended(r->capture->session));
	if (kt_recording_end(r->recording, &err) < 0) {
		kt_fail_because(&err, "cannot write to %s", r->request.dir);
		status = report_error(NAME, &err);
		if (c->workload.pid)
			print_continuing(c);
	}
	if (write_counts(r, dir->fd) != EXIT_OK)
		status = EXIT_FAILED;
	add_names(NAME, r->recording, dir->fd);
	if (status == EXIT_OK && c->workload.pid)
		print_continuing(c);
	of_command = capture_end(c);
	if (r->counts) {
		print_outcome(NAME, r->recording, r->counts,
			      kt_session_ended(c->session) - kt_session_began(c->session),
			      &dir->place, get_filters(&r->request));
		print_hint(r);
	}
	print_untraced(NAME, c->session);
	return status == EXIT_OK ? get_status(r, of_command) : status;
}

/* Creates all files of the trace. */
static int make_trace(struct record *r, int dir, struct kt_error *err)
{
	struct kt_trace_source source = kt_session_trace_source(r->capture->session);

	r->recording = kt_recording_new(&source, ktrace_version, dir, err);
	if (!r->recording)
		return -err->code;
	return kt_event_counts_file_make(dir, kt_recording_rows(r->recording), err);
}

static int record_events(struct capture *c, void *arg)
{
	struct record *r = arg;
	struct kt_trace_directory dir;
	struct kt_error err;
	int status;

	r->capture = c;
	if (kt_trace_directory_make(&dir, r->request.dir, &err) < 0)
		return report_error(NAME, &err);
	kt_session_start(r->capture->session);
	if (make_trace(r, dir.fd, &err) == 0) {
		status = copy_records(r, &dir);
	} else {
		kt_trace_directory_discard(&dir);
		kt_fail_because(&err, "cannot write to %s", r->request.dir);
		status = report_error(NAME, &err);
	}
	kt_event_counts_free(r->counts);
	kt_recording_free(r->recording);
	kt_trace_directory_close(&dir);
	return status;
}

static int run_record(int argc, char **argv)
{
	struct record r = {
		.request =
			{
				.by = NAME,
				.dir = TRACE_DIR,
				.bytes_max = BYTES_UNSET,
				.named = true,
			},
	};
	struct capture_request *w = &r.request;
	int status;

	w->event_options = new_event_options(NAME, argc);
	if (!w->event_options)
		return EXIT_FAILED;
	status = parse_command_line(&record_command, &r, argc, argv);
	if (status == EXIT_OK)
		status = capture_request_end(w, argv + optind);
	if (status == EXIT_OK)
		status = capture(w, record_events, &r);
	capture_request_free(w);
	return status;
}

static const struct command_option options[] = {
	CAPTURE_OPTIONS(struct record, request),
	{.letter = 'o',
	 .name = "output",
	 .arg = "DIR",
	 .help = "write the trace to DIR; moves an existing one to DIR.old",
	 .initial = TRACE_DIR,
	 .set = set_text,
	 .offset = offsetof(struct record, request.dir)},
	OPTION_BUFFER_SIZE(struct record, request.ring),
	OPTION_STRING_LIMIT(struct record, request.bytes_max, "32"),
	OPTION_STACK(struct record, request.event_options),
	OPTION_DECODE_FDS(struct record, request.paths),
	{.name = "nested",
	 .help = "also record events within the event's own program, by a second one (80 ns per "
		 "event)",
	 .set = set_flag,
	 .offset = offsetof(struct record, request.nested)},
	{.name = "strict",
	 .help = "exit with status 3 if events were lost",
	 .set = set_flag,
	 .offset = offsetof(struct record, strict)},
	{.name = "dump",
	 .help = "print the generated programs, and the verifier's log if refused; do "
		 "not record",
	 .set = set_flag,
	 .offset = offsetof(struct record, request.dump)},
	{},
};

static const struct command_example examples[] = {
	{"ktrace record", "Record the whole machine until Ctrl-C"},
	{"ktrace record -- make -j4", "Record a build with all its processes"},
	{"ktrace record -e sched_switch", "Record which task runs on each CPU"},
	{"ktrace record -e 'irq:*,timer:*' -b 64M -o /tmp/irqs",
	 "Record interrupts and timers with larger rings, into another directory"},
	{"ktrace record -e 'syscalls:*' -e '!futex,%clock' -- make",
	 "Record all system calls of a build but two kinds"},
	{"ktrace record -e sched_switch -f 'next_prio < 100'",
	 "Record switches to real-time tasks"},
	{"ktrace record -e 'irq:*,sched_switch' -C 3 -d 10s", "Record one CPU for 10 seconds"},
	{"ktrace record -e sched_process_exec -f 'filename ~ \"*/cc1*\"'",
	 "Record each start of a compiler"},
	{"ktrace record -e syscalls:sys_enter_openat -f 'filename ~ \"/etc/*\"' -- make",
	 "Record which files below /etc a build opens"},
	{"ktrace record -e syscalls:read,syscalls:write -s 256 -- cat /etc/hosts",
	 "Record more of the data that a program reads and writes"},
	{"ktrace record -e %network -p $(pidof -s sshd) -d 10s",
	 "Record the network calls of a running process for 10 seconds"},
	{"ktrace record -e func:vfs_fsync:return -f 'duration > 1000000'",
	 "Record calls of a function of the kernel that take more than 1 ms"},
	{"ktrace record -e uprobe:bash:readline:return", "Record when a shell has read a line"},
	{"ktrace record -e 'usdt:libstdc++:*:throw'", "Record where C++ programs throw exceptions"},
	{"ktrace record --dump -e sched_switch -f 'next_prio < 100'",
	 "Print the program for an event"},
	{},
};

const struct command record_command = {
	.name = NAME,
	.operands = "[[--] CMD [ARG...]]",
	.summary = "record events into a trace",
	.about = "Records the whole machine until Ctrl-C; or only CMD and its children, until CMD "
		 "exits. The trace is in the Common Trace Format, which 'ktrace print', "
		 "babeltrace2 and Trace Compass read.\n\n"
		 "With CMD the exit status is that of CMD, 128 + the signal that killed it, or 126 "
		 "or 127 if it cannot be run. Signals sent to ktrace are forwarded to CMD.",
	.options = options,
	.examples = examples,
	.run = run_record,
};
