// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace strace: print system calls while they are made, as strace does. */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/color.h"
#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/strace/strace_format.h"
#include "app/cli/strace/strace_qualifier.h"
#include "app/cli/strace/strace_quiet.h"
#include "app/cli/strace/strace_refused.h"
#include "app/control/capture.h"
#include "app/control/live_output.h"
#include "app/control/output_file.h"
#include "app/control/task_files.h"
#include "base/error.h"
#include "bpf/callstacks.h"
#include "events/curated.h"
#include "events/event.h"
#include "session/session.h"
#include "session/unfinished_calls.h"
#include "trace/read/live_session.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/unfinished_entry.h"
#include "values/text.h"
#include "view/syscall_lines.h"

#define NAME "strace"

struct strace {
	struct capture_request request;
	struct strace_qualifiers qualifiers;
	unsigned int quiet; /* -q: a set of enum quiet */
	int forks;          /* how often -f was given */
	bool has_stacks;    /* -k */
	struct strace_format form;
	const char *file; /* output file; NULL: standard error */
	bool appends;     /* to that file */
	bool separates;   /* as -ff does */
	struct task_files files;
	enum color color;
	struct live_output output;
	struct kt_unfinished_calls ongoing; /* calls that the processes were in at the start */
};

/* Returns what follows a qualifier's name and '=', or NULL. */
static char *find_value(char *qualifier, const char *name)
{
	size_t len = strlen(name);

	return strncmp(qualifier, name, len) == 0 && qualifier[len] == '=' ? qualifier + len + 1
									   : NULL;
}

/* Parses -e: calls or signals to show, or what another option also says. */
static int set_qualifier(const char *command, void *to, char *arg)
{
	static const struct {
		const char *name;
		int (*set)(const char *command, void *to, char *arg);
		size_t offset;
	} others[] = {
		{"abbrev", set_abbreviated, offsetof(struct strace, form)},
		{"decode-fds", set_decoded_fds, offsetof(struct strace, form)},
		{"decode-pids", set_decoded_pids, offsetof(struct strace, form)},
		{"quiet", set_quiet, offsetof(struct strace, quiet)},
		{"read", set_dumped_reads, offsetof(struct strace, form)},
		{"silent", set_quiet, offsetof(struct strace, quiet)},
		{"silence", set_quiet, offsetof(struct strace, quiet)},
		{"q", set_quiet, offsetof(struct strace, quiet)},
		{"status", set_status, offsetof(struct strace, form)},
		{"write", set_dumped_writes, offsetof(struct strace, form)},
		{"inject", refuse_injection, 0},
		{"fault", refuse_injection, 0},
	};
	struct strace *s = to;
	char *value;
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		value = find_value(arg, others[i].name);
		if (value)
			return others[i].set(command, (char *)to + others[i].offset, value);
	}
	return strace_qualifiers_add(&s->qualifiers, arg);
}

static int set_calls(const char *command, void *to, char *arg)
{
	struct strace *s = to;

	(void)command;
	return strace_qualifiers_add_calls(&s->qualifiers, arg);
}

static int set_signals(const char *command, void *to, char *arg)
{
	struct strace *s = to;

	(void)command;
	return strace_qualifiers_add_signals(&s->qualifiers, arg);
}

static int set_stacks(const char *command, void *to, char *arg)
{
	bool *has_stacks = to;

	if (*has_stacks)
		return refuse_source_lines(command, to, arg);
	*has_stacks = true;
	return EXIT_OK;
}

/* Parses what newer versions of strace also take. */
static int set_stack_trace(const char *command, void *to, char *arg)
{
	struct strace *s = to;

	if (arg && strcmp(arg, "symbol") != 0)
		return refuse_source_lines(command, to, arg);
	s->has_stacks = true;
	return EXIT_OK;
}

static int set_qualifier_filter(const char *command, void *to, char *arg)
{
	(void)command;
	return strace_qualifiers_add_filter(to, arg);
}

/* Counts how often a flag is given. */
static int count_flag(const char *command, void *to, char *arg)
{
	(void)command;
	(void)arg;
	++*(int *)to;
	return EXIT_OK;
}

/* Returns whether each thread has a file of its own. */
static bool has_task_files(const struct strace *s)
{
	return (s->forks > 1 || s->separates) && s->file;
}

static int parse(struct strace *s, int argc, char **argv)
{
	struct capture_request *w = &s->request;
	int status = parse_command_line(&strace_command, s, argc, argv);

	if (status == EXIT_OK)
		status = strace_format_check(NAME, &s->form);
	if (status != EXIT_OK)
		return status;
	if (has_task_files(s) && s->form.table)
		return report_misuse(NAME, "-c and -C exclude -ff with -o: the table is of all "
					   "threads");
	if (argv[optind])
		w->command = argv + optind;
	if (!w->command && !w->processes.n)
		return report_misuse(NAME, "missing command, or -p PID");
	if (w->command && w->processes.n)
		return report_misuse(NAME, "a command and -p exclude each other");
	if (s->has_stacks && !s->form.only_table)
		s->qualifiers.stacks = KT_CALLSTACK_BIT(KT_CALLSTACK_USER);
	if (!s->form.only_table) {
		w->bytes_max = s->form.lines.dumps ? KT_CURATED_POINTED_MAX : s->form.limit;
		w->paths = s->form.paths;
		w->named = s->form.lines.prefix.comms;
	}
	return strace_qualifiers_end(&s->qualifiers, !s->form.only_table,
				     !s->form.only_table && !(s->quiet & QUIET_EXIT));
}

static void print_begin(const struct strace *s)
{
	const struct capture_request *w = &s->request;

	if (s->quiet & QUIET_ATTACH)
		return;
	if (w->processes.n == 1)
		fprintf(stderr, "ktrace strace: process %d and its children; Ctrl-C ends it\n",
			w->processes.pids[0]);
	else if (w->processes.n)
		fprintf(stderr, "ktrace strace: %zu processes and their children; Ctrl-C ends it\n",
			w->processes.n);
}

static const struct kt_event_class *find_entry(const struct live_output *o,
					       const struct kt_unfinished_call *call)
{
	const struct kt_event *e = kt_session_entry(o->capture->session, call->number);
	const struct kt_metadata *metadata = kt_live_session_metadata(o->live);
	size_t i = 0;

	while (e && i < metadata->n_events && strcmp(metadata->events[i].name, e->name) != 0)
		i++;
	return e && i < metadata->n_events ? &metadata->events[i] : NULL;
}

/* Whether a filter matches such a call is unknown, as it depends on the return. */
static int print_older(struct live_output *o, const struct kt_unfinished_call *call)
{
	const struct kt_event_class *entry = find_entry(o, call);
	struct kt_unfinished_entry *older;
	int ret;

	if (!entry || entry->filter)
		return 0;
	older = kt_unfinished_entry_new(entry, call, kt_session_began(o->capture->session));
	if (!older)
		return 0;
	ret = live_output_print_line(o, kt_unfinished_entry_hit(older));
	kt_unfinished_entry_free(older);
	return ret;
}

/* Prints the calls that processes were in before the first line. */
static int print_ongoing(struct strace *s)
{
	size_t i;

	for (i = 0; i < s->ongoing.n && !s->form.only_table; i++)
		if (print_older(&s->output, &s->ongoing.calls[i]) < 0)
			return report_no_memory(NAME);
	return EXIT_OK;
}

/* Starts recording; everything before is known from /proc. */
static int start_recording(struct strace *s, struct capture *c, struct kt_error *err)
{
	const struct processes *p = &s->request.processes;
	size_t i;

	for (i = 0; i < p->n; i++)
		if (kt_unfinished_calls_find(&s->ongoing, p->pids[i], err) < 0)
			return -err->code;
	kt_session_start(c->session);
	kt_unfinished_calls_settle(&s->ongoing);
	return 0;
}

/* Prints everything. Errors come before the command's own messages. */
static int print_all(struct strace *s, struct capture *c)
{
	int status = live_output_open(&s->output, c, &s->form.lines);

	if (status == EXIT_OK) {
		print_begin(s);
		status = capture_begin(c);
	}
	if (status == EXIT_OK)
		status = print_ongoing(s);
	if (status == EXIT_OK)
		status = live_output_run(&s->output);
	kt_session_stop(c->session);
	return live_output_end(&s->output, status);
}

static int trace_processes(struct capture *c, void *arg)
{
	struct strace *s = arg;
	struct kt_error err;
	int status = start_recording(s, c, &err) < 0 ? report_error(NAME, &err) : print_all(s, c);

	kt_unfinished_calls_clear(&s->ongoing);
	return status;
}

/* Opens where lines go. Returns NULL on error. */
static FILE *open_to(struct strace *s, struct kt_error *err)
{
	struct task_files *files = &s->files;

	if (!s->file)
		return stderr;
	if (!has_task_files(s))
		return s->appends ? output_file_append(s->file, err)
				  : output_file_open(s->file, err);
	s->form.lines.prefix.hides_thread = true;
	s->form.lines.choice = (struct kt_output_choice){task_files_choose, files};
	s->output.files = files;
	return task_files_open(files, s->file, s->appends, err);
}

static int open_output(struct strace *s)
{
	struct live_output *o = &s->output;
	struct kt_error err;

	o->to = open_to(s, &err);
	o->to_name = s->file ? s->file : "standard error";
	o->has_table = s->form.table;
	o->only_table = s->form.only_table;
	o->table_form = s->form.counts;
	strace_format_set_text(&s->form, &o->text);
	o->text.hides_paths = !s->form.shows_paths;
	if (!o->to)
		return report_error(NAME, &err);
	o->text.colors = color_is_wanted(s->color, fileno(o->to));
	return EXIT_OK;
}

static void free_all(struct strace *s)
{
	if (s->output.files)
		task_files_close(s->output.files);
	else if (s->output.to && s->output.to != stderr)
		fclose(s->output.to);
	strace_qualifiers_free(&s->qualifiers);
	strace_format_free(&s->form);
	processes_free(&s->request.processes);
	free(s->request.event_options);
}

static int run_strace(int argc, char **argv)
{
	static struct strace s = {
		.request = {.by = NAME},
		.form = {.limit = BYTES_MAX, STRACE_FORMAT_DEFAULT},
		.output.by = NAME,
	};
	int status = EXIT_FAILED;

	s.form.lines.detaches = true;
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

static const struct command_option options[] = {
	{.letter = 'e',
	 .name = "event",
	 .arg = "PATTERN",
	 .help = "show these calls: names, globs, %CLASS, separated by commas, or other "
		 "SYSTEM:EVENTs; "
		 "signal=SET: show these signals; status=SET: as --status; '!' excludes",
	 .initial = "all calls",
	 .set = set_qualifier,
	 .repeats = true},
	{.name = "filter",
	 .arg = "FILTER",
	 .help = "show only calls that match; applies to the preceding -e",
	 .set = set_qualifier_filter,
	 .offset = offsetof(struct strace, qualifiers),
	 .repeats = true},
	OPTION_PID(struct strace, request.processes),
	OPTION_DURATION(struct strace, request.duration),
	{.letter = 'f',
	 .name = "follow-forks",
	 .help = "always on; -ff -o FILE: write each thread's lines to FILE.TID",
	 .set = count_flag,
	 .offset = offsetof(struct strace, forks),
	 .repeats = true},
	{.letter = 'k',
	 .name = "stack-traces",
	 .help = "print the program's stack after each call",
	 .set = set_stacks,
	 .offset = offsetof(struct strace, has_stacks),
	 .repeats = true},
	{.letter = 'o',
	 .name = "output",
	 .arg = "FILE",
	 .help = "write to FILE",
	 .initial = "standard error",
	 .set = set_text,
	 .offset = offsetof(struct strace, file)},
	{.letter = 'A',
	 .name = "output-append-mode",
	 .help = "append to FILE instead of truncating it",
	 .set = set_flag,
	 .offset = offsetof(struct strace, appends),
	 .needs = "output"},
	{.letter = 'q',
	 .name = "quiet",
	 .arg = "SET",
	 .arg_is_optional = true,
	 .help = "suppress attach messages; -qq also exit lines; SET: attach, exit, all",
	 .set = set_quiet,
	 .offset = offsetof(struct strace, quiet),
	 .repeats = true},
	STRACE_FORMAT_OPTIONS(struct strace, form, "32"),
	OPTION_COLOR(struct strace, color),
	{.name = "trace", .arg = "CALLS", .set = set_calls},
	{.name = "signal", .arg = "SIGNALS", .set = set_signals},
	{.name = "output-separately",
	 .set = set_flag,
	 .offset = offsetof(struct strace, separates)},
	{.name = "inject", .arg = "SET", .set = refuse_injection},
	{.name = "fault", .arg = "SET", .set = refuse_injection},
	{.name = "seccomp-bpf", .set = refuse_seccomp},
	{.name = "stack-trace", .arg = "KIND", .arg_is_optional = true, .set = set_stack_trace},
	{.letter = 'i', .name = "instruction-pointer", .set = refuse_instruction_pointers},
	OPTION_BUFFER_SIZE(struct strace, request.ring),
	{},
};

static const struct command_example examples[] = {
	{"ktrace strace ls", "Trace a command"},
	{"ktrace strace -e %file -o /tmp/files make",
	 "Trace calls of a build that take file names, into a file"},
	{"ktrace strace -e openat --filter 'flags & O_CREAT' make", "Trace which files it creates"},
	{"ktrace strace -e '!%memory' -e 'signal=!CHLD' make",
	 "Trace all calls but some, and all signals but one"},
	{"ktrace strace -Z -e %file make", "Trace calls that fail"},
	{"ktrace strace -ff -o /tmp/make make", "Trace a build, with one file per thread"},
	{"ktrace strace -k -e unlink,unlinkat make", "Show what in a program removes files"},
	{"ktrace strace -c make", "Count calls, errors and time"},
	{"ktrace strace -ttT -p $(pidof -s sshd)", "Trace a running process, with times"},
	{"ktrace strace -e %desc,sched:sched_switch cat /etc/hosts",
	 "Show context switches between the calls"},
	{},
};

const struct command strace_command = {
	.name = NAME,
	.operands = "[[--] CMD [ARG...]]",
	.summary = "trace system calls as they are made",
	.about = "Prints the system calls of CMD, or of running processes (-p), and of their "
		 "children, to standard error, as 'strace -f' does, but without stopping them: a "
		 "line appears some 50 ms after its call. If calls come faster than lines can be "
		 "written, some are lost; their number is printed in their place.\n\n"
		 "With CMD the exit status is that of CMD, 128 + the signal that killed it, or 126 "
		 "or 127 if it cannot be run. Signals sent to ktrace are forwarded to CMD.",
	.options = options,
	.examples = examples,
	.run = run_strace,
};
