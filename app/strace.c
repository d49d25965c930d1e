// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace strace: print system calls while they are made, as strace does. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "app/cli/strace_format.h"
#include "app/cli/strace_qualifier.h"
#include "app/control/capture.h"
#include "app/control/memory_dir.h"
#include "app/control/output_file.h"
#include "app/control/progress.h"
#include "base/error.h"
#include "events/event.h"
#include "session/session.h"
#include "session/trace_source.h"
#include "session/unfinished_calls.h"
#include "trace/event_counts.h"
#include "trace/read/live_session.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"
#include "trace/read/unfinished_entry.h"
#include "trace/recording.h"
#include "values/text.h"
#include "view/syscall_lines.h"
#include "view/syscall_table.h"

#define NAME "strace"

struct strace {
	struct capture_request request;
	struct strace_qualifiers qualifiers;
	int quiet, forks; /* how often -q and -f were given */
	struct strace_format form;
	const char *file; /* output file; NULL: standard error */
	FILE *to;
	struct capture *capture;
	struct kt_unfinished_calls ongoing; /* calls that the processes were in at the start */
	struct kt_live_session *live;
	struct kt_syscall_lines *paired;
	struct kt_syscall_table *counted;
	struct kt_text text;
};

enum { FILTER = 256 }; /* an option without a letter */

/* Parses -e: calls, signals, or statuses of calls to show. */
static int parse_qualifier(struct strace *s, const char *text)
{
	static const char status[] = "status=";

	if (strncmp(text, status, strlen(status)) == 0)
		return strace_format_option(NAME, &s->form, STRACE_FORMAT_STATUS,
					    text + strlen(status));
	return strace_qualifiers_add(&s->qualifiers, text);
}

/* Parses one option. */
static int parse_option(struct strace *s, int c)
{
	struct capture_request *w = &s->request;

	switch (c) {
	case 'b':
		return option_ring(NAME, &w->ring, optarg);
	case 'e':
		return parse_qualifier(s, optarg);
	case 'f':
		s->forks++;
		return EXIT_OK;
	case 'o':
		s->file = optarg;
		return EXIT_OK;
	case 'p':
		return option_processes(NAME, &w->processes, optarg);
	case 'q':
		s->quiet++;
		return EXIT_OK;
	case FILTER:
		return strace_qualifiers_add_filter(&s->qualifiers, optarg);
	default:
		return is_strace_format_option(c) ? strace_format_option(NAME, &s->form, c, optarg)
						  : EXIT_USAGE;
	}
}

static int parse(struct strace *s, int argc, char **argv)
{
	static const struct option options[] = {
		{"buffer-size", required_argument, NULL, 'b'},
		{"event", required_argument, NULL, 'e'},
		{"filter", required_argument, NULL, FILTER},
		{"follow-forks", no_argument, NULL, 'f'},
		{"output", required_argument, NULL, 'o'},
		{"pid", required_argument, NULL, 'p'},
		{"quiet", no_argument, NULL, 'q'},
		STRACE_FORMAT_WORDS,
		{},
	};
	struct capture_request *w = &s->request;
	int c, status = EXIT_OK;

	while (status == EXIT_OK &&
	       (c = next_option(argc, argv, "+b:e:fo:p:q" STRACE_FORMAT_LETTERS, options)) != -1)
		status = parse_option(s, c);
	if (status == EXIT_OK)
		status = strace_format_check(NAME, &s->form);
	if (status != EXIT_OK)
		return status;
	if (s->forks > 1 && s->file)
		return report_misuse(NAME,
				     "-ff with -o is not supported: -f -o FILE writes all threads' "
				     "lines to one file");
	if (argv[optind])
		w->command = argv + optind;
	if (!w->command && !w->processes.n)
		return report_misuse(NAME, "a command is to be named, or a process with -p");
	if (w->command && w->processes.n)
		return report_misuse(NAME, "a command or '-p': say one of them");
	if (!s->form.only_table) {
		w->bytes_max = s->form.limit;
		w->paths = s->form.paths;
	}
	return strace_qualifiers_end(&s->qualifiers, !s->form.only_table,
				     !s->form.only_table && s->quiet < 2);
}

/* Flushes the output; an error is reported once. */
static int flush_output(struct strace *s)
{
	struct kt_error err;

	kt_text_flush(&s->text);
	if (fflush(s->to) == 0 && !ferror(s->to))
		return EXIT_OK;
	kt_fail(&err, errno, "cannot write to %s: %s", s->file ? s->file : "standard error",
		strerror(errno));
	return report_error(NAME, &err);
}

/* Reports an error after everything that comes before it. */
static int report_in_place(struct strace *s, const struct kt_error *err)
{
	kt_syscall_lines_flush(s->paired, &s->text);
	flush_output(s);
	return report_error(NAME, err);
}

static int add_hit(struct strace *s, const struct kt_hit *hit)
{
	int ret = s->form.table ? kt_syscall_table_add(s->counted, hit) : 0;

	return ret == 0 && !s->form.only_table ? kt_syscall_lines_print(s->paired, &s->text, hit)
					       : ret;
}

/*
 * Prints what there is by now. If the records of one CPU cannot be read, that is reported, and
 * those of others are printed.
 */
static int print_hits(struct strace *s)
{
	int status = EXIT_OK, ret;
	struct kt_error err;
	struct kt_hit hit;

	while (!ferror(s->to) && (ret = kt_live_session_next(s->live, &hit, &err)) != 0) {
		if (ret > 0)
			ret = add_hit(s, &hit);
		if (ret == -ENOMEM)
			kt_fail(&err, ENOMEM, "%s", strerror(ENOMEM));
		if (ret < 0)
			status = report_in_place(s, &err);
		if (ret == -ENOMEM)
			return status;
	}
	return status;
}

/* Prints new hits, and the beginning of a call that a process waits in. */
static int print_new(struct strace *s)
{
	int status = print_hits(s);

	kt_syscall_lines_show(s->paired, &s->text);
	return flush_output(s) == EXIT_OK ? status : EXIT_FAILED;
}

/* Returns whether more may have come already: after much data, sleeping would be too long. */
static bool is_busy(const struct strace *s, uint64_t *size)
{
	uint64_t before = *size;

	*size = kt_recording_size(kt_live_session_recording(s->live));
	return *size - before > s->request.ring / 4;
}

static int print_until_end(struct strace *s)
{
	long interval = capture_interval(s->capture);
	struct kt_error err;
	uint64_t size = 0;
	int status = EXIT_OK;

	while (status == EXIT_OK &&
	       !capture_has_ended(s->capture, is_busy(s, &size) ? 0 : interval)) {
		if (kt_live_session_copy(s->live, &err) < 0)
			return report_in_place(s, &err);
		status = print_new(s);
	}
	return status;
}

static int print_rest(struct strace *s)
{
	struct kt_error err;
	int status = EXIT_OK;

	if (kt_live_session_end(s->live, kt_session_ended(s->capture->session), &err) < 0)
		status = report_in_place(s, &err);
	if (print_hits(s) != EXIT_OK)
		status = EXIT_FAILED;
	if (kt_syscall_lines_end(s->paired, &s->text) < 0)
		status = report_no_memory(NAME);
	if (s->form.table && kt_syscall_table_print(s->counted, &s->text, &s->form.counts) < 0)
		status = report_no_memory(NAME);
	return flush_output(s) == EXIT_OK ? status : EXIT_FAILED;
}

static int print_losses_of(const struct strace *s)
{
	const struct kt_recording *r = kt_live_session_recording(s->live);
	struct kt_error err;
	struct kt_event_counts *b =
		kt_event_counts_of(r, kt_session_missed_all(s->capture->session), &err);

	if (!b)
		return report_error(NAME, &err);
	print_losses(NAME, r, b);
	print_untraced(NAME, s->capture->session);
	if (s->form.table)
		print_uncounted_calls(NAME, s->counted);
	print_unknown_calls(NAME, s->paired);
	kt_event_counts_free(b);
	return EXIT_OK;
}

static void print_begin(const struct strace *s)
{
	const struct capture_request *w = &s->request;

	if (s->quiet)
		return;
	if (w->processes.n == 1)
		fprintf(stderr, "ktrace strace: process %d and its children; Ctrl-C ends it\n",
			w->processes.pids[0]);
	else if (w->processes.n)
		fprintf(stderr, "ktrace strace: %zu processes and their children; Ctrl-C ends it\n",
			w->processes.n);
}

static const struct kt_event_class *find_entry(const struct strace *s,
					       const struct kt_unfinished_call *call)
{
	const struct kt_event *e = kt_session_entry(s->capture->session, call->number);
	const struct kt_metadata *metadata = kt_live_session_metadata(s->live);
	size_t i = 0;

	while (e && i < metadata->n_events && strcmp(metadata->events[i].name, e->name) != 0)
		i++;
	return e && i < metadata->n_events ? &metadata->events[i] : NULL;
}

/* Whether a filter matches such a call is unknown, as it depends on the return. */
static int print_older(struct strace *s, const struct kt_unfinished_call *call)
{
	const struct kt_event_class *entry = find_entry(s, call);
	struct kt_unfinished_entry *older;
	int ret;

	if (!entry || entry->filter)
		return 0;
	older = kt_unfinished_entry_new(entry, call, kt_session_began(s->capture->session));
	if (!older)
		return 0;
	ret = kt_syscall_lines_print(s->paired, &s->text, kt_unfinished_entry_hit(older));
	kt_unfinished_entry_free(older);
	return ret;
}

/* Prints the calls that processes were in before the first line. */
static int print_ongoing(struct strace *s)
{
	size_t i;

	for (i = 0; i < s->ongoing.n && !s->form.only_table; i++)
		if (print_older(s, &s->ongoing.calls[i]) < 0)
			return report_no_memory(NAME);
	return EXIT_OK;
}

/* Prints everything. Errors come before the command's own messages. */
static int print_all(struct strace *s)
{
	struct capture *c = s->capture;
	int status, of_command;

	print_begin(s);
	status = capture_begin(c);
	if (status == EXIT_OK)
		status = print_ongoing(s);
	if (status == EXIT_OK)
		status = print_until_end(s);
	kt_session_stop(c->session);
	if (status == EXIT_OK)
		status = print_rest(s);
	if (c->workload.pid)
		fprintf(stderr, "ktrace strace: nothing more is shown; '%s' goes on\n",
			*s->request.command);
	of_command = capture_end(c);
	if (print_losses_of(s) != EXIT_OK && status == EXIT_OK)
		status = EXIT_FAILED;
	return status == EXIT_OK ? of_command : status;
}

static int make_live(struct strace *s, int dir, struct kt_error *err)
{
	struct kt_trace_source source = kt_session_trace_source(s->capture->session);

	s->live = kt_live_session_new(&source, ktrace_version, dir, err);
	if (!s->live)
		return -err->code;
	s->paired = kt_syscall_lines_new(kt_live_session_metadata(s->live), &s->form.lines);
	s->counted = kt_syscall_table_new(kt_live_session_metadata(s->live));
	return s->paired && s->counted ? 0 : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

/* Starts recording; everything before is known from /proc. */
static int start_recording(struct strace *s, struct kt_error *err)
{
	const struct processes *p = &s->request.processes;
	size_t i;

	for (i = 0; i < p->n; i++)
		if (kt_unfinished_calls_find(&s->ongoing, p->pids[i], err) < 0)
			return -err->code;
	kt_session_start(s->capture->session);
	kt_unfinished_calls_settle(&s->ongoing);
	return 0;
}

static int trace_processes(struct capture *c, void *arg)
{
	struct strace *s = arg;
	struct kt_error err;
	int dir = memory_dir_new(&err), status;

	if (dir < 0)
		return report_error(NAME, &err);
	s->capture = c;
	status = start_recording(s, &err) < 0 || make_live(s, dir, &err) < 0
			 ? report_error(NAME, &err)
			 : print_all(s);
	kt_syscall_lines_free(s->paired);
	kt_syscall_table_free(s->counted);
	kt_live_session_free(s->live);
	kt_unfinished_calls_clear(&s->ongoing);
	close(dir);
	return status;
}

static int open_output(struct strace *s)
{
	struct kt_error err;

	s->to = s->file ? output_file_open(s->file, &err) : stderr;
	s->text.to = s->to;
	strace_format_set_limit(&s->form, &s->text);
	return s->to ? EXIT_OK : report_error(NAME, &err);
}

static void free_all(struct strace *s)
{
	if (s->to && s->to != stderr)
		fclose(s->to);
	strace_qualifiers_free(&s->qualifiers);
	processes_free(&s->request.processes);
	free(s->request.event_options);
}

static int run(int argc, char **argv)
{
	static struct strace s = {
		.request = {.by = NAME, .ring = RING_SIZE},
		.form = {.limit = BYTES_MAX, .lines.detaches = true},
	};
	int status = EXIT_FAILED;

	s.request.event_options = new_event_options(NAME, argc + QUALIFIERS_MORE);
	s.qualifiers = (struct strace_qualifiers){.command = NAME,
						  .event_options = s.request.event_options};
	if (s.request.event_options)
		status = parse(&s, argc, argv);
	if (status == EXIT_OK)
		status = open_output(&s);
	if (status == EXIT_OK)
		status = capture(&s.request, trace_processes, &s);
	free_all(&s);
	return status;
}

const struct command strace_command = {
	.name = NAME,
	.args = " [-e PATTERN [--filter FILTER]]... [-e signal=SET] [-f] [-q]\n"
		"                     [-z | -Z | --status SET] [-r] [-t[t[t]]] [-T]\n"
		"                     [{-c | -C} [-S COLUMN] [-U COLUMNS] [-w]]\n"
		"                     [-o FILE] [-s SIZE] [-y] [-b SIZE]\n"
		"                     {-p PID... | [--] CMD [ARG...]}",
	.summary = "the system calls of a command or a process, as they are made",
	.help = "Prints the system calls of CMD, or of processes, and of all that they fork, in\n"
		"strace's words, as 'strace -f -o FILE' would have written them; to standard\n"
		"error. Nobody is stopped for it: a line comes some 50 ms after its call. Where\n"
		"calls come faster than their lines can be written some are lost; where, and how\n"
		"many, stands between the others. Signals and ends of threads have lines, too.\n"
		"\n"
		"  -e, --event PATTERN     which calls: openat,close or 'open*', or of a class,\n"
		"                          %file; also with trace= before them; can be repeated.\n"
		"                          SYSTEM:EVENT is any event that 'ktrace list' has, to\n"
		"                          be seen between them. '!futex,%memory': not these.\n"
		"                          Without any all calls\n"
		"  -e signal=SET           which signals: INT,TERM or all or none (all), or, as\n"
		"                          in '!CHLD', all but these\n"
		"  --filter FILTER         of the calls before it, or all, only those that it is\n"
		"                          true of, as 'ktrace record' takes it\n"
		"  -f, --follow-forks      what they fork, too, as without it\n"
		"  -o, --output FILE       to that file\n"
		"  -p, --pid PID           these processes, several with commas, and what they\n"
		"                          fork from now on; until they end or Ctrl-C\n"
		"  -q, --quiet             says not whom it looks at; twice: nor who ends\n"
		"  -r                      the time since the line before\n"
		"  -s, --string-limit SIZE\n"
		"                          of the data that a call reads or writes so many bytes\n"
		"                          at most, or elements of an array, or arguments of a\n"
		"                          program, and bytes of each (32); paths are shown in\n"
		"                          full\n"
		"  -t                      the time of day; twice: to the microsecond; thrice:\n"
		"                          since 1970\n"
		"  -T                      the time that each call took\n"
		"  -y, --decode-fds        the path of each descriptor's file: 3</etc/passwd>\n"
		"  -z, --successful-only   of calls only those that return without an error\n"
		"  -Z, --failed-only       only those that return an error\n"
		"  --status SET            of calls those that are successful, failed, or\n"
		"                          unfinished, which do not return, several with commas;\n"
		"                          or all or none; '!failed': all but these; also as\n"
		"                          '-e status=SET'. With any of the three each line is\n"
		"                          whole, and comes when the call returns\n"
		"  -c                      no lines, but in the end a table: of each call how\n"
		"                          often it returned, with an error, and after how long\n"
		"  -C                      lines and that table\n"
		"  -S COLUMN               sorts it: by time, min-time, max-time, avg-time,\n"
		"                          calls, errors, name or nothing (time)\n"
		"  -U COLUMNS              what it has, of time-percent, total-time, min-time,\n"
		"                          max-time, avg-time, calls, errors and name\n"
		"  -w                      times from entry to return, as without it\n"
		"  -b, --buffer-size SIZE  of the ring of each CPU, with K, M or G behind it (4M)\n"
		"\n"
		"With CMD the exit status is CMD's, or 128 + the signal that killed it, or 126 or\n"
		"127 where it cannot be run. Signals sent to ktrace go to CMD.\n"
		"\n"
		"examples:\n"
		"  ktrace strace ls\n"
		"  ktrace strace -e %file -o /tmp/files make\n"
		"  ktrace strace -e openat --filter 'flags & O_CREAT' make\n"
		"  ktrace strace -e '!%memory' -e 'signal=!CHLD' make\n"
		"  ktrace strace -Z -e %file make\n"
		"  ktrace strace -c make\n"
		"  ktrace strace -ttT -p $(pidof -s sshd)\n"
		"  ktrace strace -e %desc,sched:sched_switch cat /etc/hosts\n",
	.run = run,
};
