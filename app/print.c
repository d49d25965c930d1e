// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace print: print a trace, one line per event. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/color.h"
#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/pager.h"
#include "app/cli/read_progress.h"
#include "app/cli/strace/strace_format.h"
#include "app/cli/trace_selection.h"
#include "app/control/trace_dir.h"
#include "base/error.h"
#include "events/syscall_names.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"
#include "values/text.h"
#include "view/event_json.h"
#include "view/folded_stacks.h"
#include "view/ftrace_line.h"
#include "view/strace_signal_line.h"
#include "view/syscall_json.h"
#include "view/syscall_lines.h"
#include "view/syscall_table.h"

struct print_trace {
	bool json, events, no_pager;
	bool folded; /* count stacks, and print nothing else */
	enum color color;
	bool strace;     /* in strace's format */
	bool is_damaged; /* the trace is damaged, before the next hits */
	struct strace_format form;
	struct trace_selection selection;
	struct kt_syscall_lines *paired;
	struct kt_syscall_json *objects;
	struct kt_syscall_table *counted;
	struct kt_folded_stacks *stacks;
	uint64_t lost;
	struct kt_text text;
};

static int print_hit(struct print_trace *p, const struct kt_hit *hit)
{
	if (p->folded)
		return kt_folded_stacks_add(p->stacks, hit);
	if (p->json && p->events)
		return kt_event_json_print(&p->text, hit);
	if (p->json)
		return kt_syscall_json_print(p->objects, &p->text, hit);
	if (!p->events)
		return kt_syscall_lines_print(p->paired, &p->text, hit);
	kt_ftrace_line_print(&p->text, hit);
	return 0;
}

static int add_hit(struct print_trace *p, const struct kt_hit *hit, struct kt_error *err)
{
	int ret = p->form.table && !p->is_damaged ? kt_syscall_table_add(p->counted, hit) : 0;

	p->lost += hit->lost;
	if (ret == 0 && !p->form.only_table)
		ret = print_hit(p, hit);
	return ret == 0 ? 0 : kt_fail(err, -ret, "%s", strerror(-ret));
}

/* Adds what a hit selects: itself, or a call of which it is the return. */
static int add_selected(struct print_trace *p, const struct kt_hit *hit, struct kt_error *err)
{
	const struct kt_hit *selected[KT_SELECTED_MAX];
	int i, n = trace_selection_add(&p->selection, hit, selected), ret = 0;

	if (n < 0)
		return kt_fail(err, -n, "%s", strerror(-n));
	for (i = 0; i < n && ret == 0; i++)
		ret = add_hit(p, selected[i], err);
	return ret;
}

/*
 * Reports damage after everything that comes before it. Uncounted events may be missing from there
 * on, so calls are neither paired nor counted any more.
 */
static int print_in_place(struct print_trace *p, const struct kt_error *err)
{
	kt_syscall_lines_flush(p->paired, &p->text);
	p->events = p->is_damaged = true;
	kt_text_flush(&p->text);
	fflush(stdout);
	return report_error(print_command.name, err);
}

/*
 * Prints all hits. If the records of one CPU cannot be read, that is reported, and those of others
 * are printed.
 */
static int print_all(struct print_trace *p, struct kt_trace_reader *r)
{
	struct read_progress progress = {.reader = r, .prints = true};
	int status = EXIT_OK, ret;
	struct kt_error err;
	struct kt_hit hit;

	while (!ferror(stdout) && !trace_selection_is_done(&p->selection) &&
	       (ret = kt_trace_reader_next(r, &hit, &err)) != 0) {
		if (ret < 0)
			status = print_in_place(p, &err);
		else if (add_selected(p, &hit, &err) < 0)
			return print_in_place(p, &err);
		read_progress_step(&progress);
	}
	read_progress_end(&progress);
	if (!p->is_damaged && kt_syscall_lines_end(p->paired, &p->text) < 0)
		status = report_no_memory(print_command.name);
	if (!p->is_damaged && p->json && kt_syscall_json_end(p->objects, &p->text) < 0)
		status = report_no_memory(print_command.name);
	if (p->form.table && kt_syscall_table_print(p->counted, &p->text, &p->form.counts) < 0)
		status = report_no_memory(print_command.name);
	if (p->folded)
		kt_folded_stacks_print(p->stacks, &p->text);
	kt_text_flush(&p->text);
	return status;
}

static bool has_paths(const struct kt_metadata *metadata)
{
	size_t i, k;

	for (i = 0; i < metadata->n_events; i++)
		for (k = 0; k < metadata->events[i].fields.n_members; k++)
			if (metadata->events[i].fields.members[k].path)
				return true;
	return false;
}

static bool is_call(const struct kt_event_class *e)
{
	enum kt_side side;

	return kt_syscall_of(e->system, e->name, &side);
}

/* Returns whether strace has a line for such events. */
static bool is_of_strace(const struct kt_event_class *e)
{
	return is_call(e) || kt_strace_signal_line_may_be(e);
}

/* Returns whether the trace has what strace's options print: calls, or only signals and exits. */
static bool has_any(const struct kt_metadata *metadata,
		    bool (*is_wanted)(const struct kt_event_class *))
{
	const struct kt_event_class *e = metadata->events, *end = e + metadata->n_events;

	while (e < end && !(e->system && is_wanted(e)))
		e++;
	return e < end;
}

/* Returns whether the options are about system calls, and not about signals, too. */
static bool needs_calls(const struct print_trace *p)
{
	return p->form.table || p->form.lines.hidden;
}

/* Reports what could not be printed. */
static void print_missing(const struct print_trace *p, const struct kt_metadata *metadata)
{
	fflush(stdout);
	if (p->form.paths && !has_paths(metadata))
		fputs("ktrace print: this trace has no paths of file descriptors: record with -y\n",
		      stderr);
	if (p->folded && !kt_folded_stacks_has_any(p->stacks))
		fputs("ktrace print: these events have no stacks: record with -k\n", stderr);
	if (p->form.table && p->is_damaged)
		fputs("ktrace print: calls are counted only up to the damage\n", stderr);
	if (p->form.table)
		print_uncounted_calls(print_command.name, p->counted);
	if (!p->is_damaged)
		print_unknown_calls(print_command.name, p->paired);
	trace_selection_report_held(&p->selection, print_command.name);
	if (p->lost > 0)
		fprintf(stderr, "ktrace print: %" PRIu64 " event%s lost when this was recorded%s\n",
			p->lost, p->lost == 1 ? " was" : "s were",
			p->form.only_table ? "" : "; the output says where");
}

static int print_trace(struct print_trace *p, const char *dir)
{
	struct kt_trace_reader *r = open_trace(print_command.name, dir);
	int status = EXIT_FAILED;

	if (!r)
		return EXIT_FAILED;
	if (p->strace &&
	    !has_any(kt_trace_reader_metadata(r), needs_calls(p) ? is_call : is_of_strace)) {
		fputs("ktrace print: this trace has no system calls: record with -e 'syscalls:*'\n",
		      stderr);
		kt_trace_reader_free(r);
		return EXIT_FAILED;
	}
	status = trace_selection_open(&p->selection, print_command.name, dir, r);
	if (status != EXIT_OK) {
		kt_trace_reader_free(r);
		return status;
	}
	status = EXIT_FAILED;
	p->paired = kt_syscall_lines_new(kt_trace_reader_metadata(r),
					 p->strace ? &p->form.lines : NULL);
	p->counted = kt_syscall_table_new(kt_trace_reader_metadata(r));
	p->objects = kt_syscall_json_new(kt_trace_reader_metadata(r));
	p->stacks = kt_folded_stacks_new();
	if (p->paired && p->counted && p->objects && p->stacks) {
		status = print_all(p, r);
		print_missing(p, kt_trace_reader_metadata(r));
	} else {
		report_no_memory(print_command.name);
	}
	kt_syscall_lines_free(p->paired);
	kt_syscall_table_free(p->counted);
	kt_syscall_json_free(p->objects);
	kt_folded_stacks_free(p->stacks);
	kt_trace_reader_free(r);
	return status;
}

static int parse(struct print_trace *p, int argc, char **argv)
{
	int status = parse_command_line(&print_command, p, argc, argv);

	if (status == EXIT_OK)
		status = strace_format_check(argv[0], &p->form);
	if (status != EXIT_OK)
		return status;
	p->strace |= p->form.is_given;
	if (p->strace && (p->json || p->events))
		return report_misuse(argv[0], "--events and --json exclude strace's options");
	if (p->folded && (p->strace || p->json || p->events))
		return report_misuse(argv[0], "--folded excludes other formats");
	return argc > optind + 1 ? report_unexpected(argv[0], argv[optind + 1]) : EXIT_OK;
}

static int run_print(int argc, char **argv)
{
	static struct print_trace p = {.form = {.limit = SIZE_MAX, STRACE_FORMAT_DEFAULT}};
	int status = EXIT_FAILED;
	struct pager pager;

	p.selection.events = new_event_options(argv[0], argc);
	if (p.selection.events)
		status = parse(&p, argc, argv);
	p.text.to = stdout;
	p.text.colors = color_is_wanted(p.color, STDOUT_FILENO);
	if (status == EXIT_OK && p.strace)
		strace_format_set_text(&p.form, &p.text);
	if (status == EXIT_OK) {
		pager_begin(&pager, p.no_pager);
		status = print_trace(&p, argv[optind]);
		pager_end(&pager);
	}
	trace_selection_close(&p.selection);
	strace_format_free(&p.form);
	return status;
}

static const struct command_option options[] = {
	{.name = "events",
	 .help = "print one line or object per event, for system calls, too",
	 .set = set_flag,
	 .offset = offsetof(struct print_trace, events)},
	OPTION_JSON(
		struct print_trace, json,
		"print one JSON object per event or call: time in ns, cpu, tid, comm, event and "
		"fields, or call, args and ret"),
	{.name = "folded",
	 .help = "print each stack on one line, with the number of its events, for flame graphs",
	 .set = set_flag,
	 .offset = offsetof(struct print_trace, folded)},
	{.name = "strace",
	 .help = "print as 'strace -f -o FILE' does; implied by the options below",
	 .set = set_flag,
	 .offset = offsetof(struct print_trace, strace)},
	TRACE_SELECTION_OPTIONS(struct print_trace, selection, 0, 0),
	OPTION_COLOR(struct print_trace, color),
	OPTION_NO_PAGER(struct print_trace, no_pager),
	STRACE_FORMAT_OPTIONS(struct print_trace, form, NULL),
	{},
};

static const struct command_example examples[] = {
	{"ktrace print", "Read a trace"},
	{"ktrace print -e openat -f 'ret == -ENOENT'", "Find files that were looked for in vain"},
	{"ktrace print -f 'duration > 10ms' --comm 'my*'", "Print slow calls of some programs"},
	{"ktrace print --since -2 -e 'sched:*'", "Print the last two seconds of scheduling"},
	{"ktrace print -s 8", "Print less of the data that calls read and write"},
	{"ktrace print -Z", "Print calls that failed"},
	{"ktrace print -c -S errors", "Count calls, sorted by errors"},
	{"ktrace print --json | jq -r 'select(.error == \"ENOENT\").args.filename'",
	 "Print files that were not found"},
	{"ktrace print --folded -e block_rq_issue >stacks", "Print stacks for a flame graph"},
	{},
};

const struct command print_command = {
	.name = "print",
	.operands = "[DIR]",
	.summary = "print the events of a trace",
	.about = "DIR is a trace of 'ktrace record' or 'ktrace snapshot'; it defaults to "
		 "ktrace.out.\n\n"
		 "A line has ftrace's format: task and thread, CPU, seconds since boot, event and "
		 "fields. Both events of a system call share a line, in strace's words, with the "
		 "seconds between them. Lost events are counted in their place.",
	.options = options,
	.examples = examples,
	.run = run_print,
};
