// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace print: print a trace, one line per event. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/command.h"
#include "app/cli/strace_format.h"
#include "app/control/trace_dir.h"
#include "base/error.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"
#include "values/text.h"
#include "view/event_json.h"
#include "view/ftrace_line.h"
#include "view/syscall_lines.h"
#include "view/syscall_table.h"

struct print_trace {
	bool json, events;
	bool strace;     /* in strace's format */
	bool is_damaged; /* the trace is damaged, before the next hits */
	struct strace_format form;
	struct kt_syscall_lines *paired;
	struct kt_syscall_table *counted;
	uint64_t lost;
	struct kt_text text;
};

static int print_hit(struct print_trace *p, const struct kt_hit *hit)
{
	if (p->json)
		return kt_event_json_print(stdout, hit);
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
	int status = EXIT_OK, ret;
	struct kt_error err;
	struct kt_hit hit;

	while (!ferror(stdout) && (ret = kt_trace_reader_next(r, &hit, &err)) != 0) {
		if (ret < 0)
			status = print_in_place(p, &err);
		else if (add_hit(p, &hit, &err) < 0)
			return print_in_place(p, &err);
	}
	if (!p->is_damaged && kt_syscall_lines_end(p->paired, &p->text) < 0)
		status = report_no_memory(print_command.name);
	if (p->form.table && kt_syscall_table_print(p->counted, &p->text, &p->form.counts) < 0)
		status = report_no_memory(print_command.name);
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

/* Reports what could not be printed. */
static void print_missing(const struct print_trace *p, const struct kt_metadata *metadata)
{
	fflush(stdout);
	if (p->form.paths && !has_paths(metadata))
		fputs("ktrace print: no descriptor has its path in this trace: 'ktrace record -y' "
		      "and 'ktrace start -y' keep them\n",
		      stderr);
	if (p->form.table && p->is_damaged)
		fputs("ktrace print: calls are counted up to the damage alone\n", stderr);
	if (p->form.table)
		print_uncounted_calls(print_command.name, p->counted);
	if (!p->is_damaged)
		print_unknown_calls(print_command.name, p->paired);
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
	p->paired = kt_syscall_lines_new(kt_trace_reader_metadata(r),
					 p->strace ? &p->form.lines : NULL);
	p->counted = kt_syscall_table_new(kt_trace_reader_metadata(r));
	if (p->paired && p->counted) {
		status = print_all(p, r);
		print_missing(p, kt_trace_reader_metadata(r));
	} else {
		report_no_memory(print_command.name);
	}
	kt_syscall_lines_free(p->paired);
	kt_syscall_table_free(p->counted);
	kt_trace_reader_free(r);
	return status;
}

static int run(int argc, char **argv)
{
	enum { JSON = 256, EVENTS, STRACE };
	static const struct option options[] = {
		{"events", no_argument, NULL, EVENTS},
		{"json", no_argument, NULL, JSON},
		{"strace", no_argument, NULL, STRACE},
		STRACE_FORMAT_WORDS,
		{},
	};
	static struct print_trace p = {.form.limit = SIZE_MAX};
	int c, status = EXIT_OK;

	while (status == EXIT_OK &&
	       (c = next_option(argc, argv, STRACE_FORMAT_LETTERS, options)) != -1) {
		if (c == JSON)
			p.json = true;
		else if (c == EVENTS)
			p.events = true;
		else if (c == STRACE || is_strace_format_option(c))
			p.strace = true;
		else
			return EXIT_USAGE;
		if (is_strace_format_option(c))
			status = strace_format_option(argv[0], &p.form, c, optarg);
	}
	if (status == EXIT_OK)
		status = strace_format_check(argv[0], &p.form);
	if (status != EXIT_OK)
		return status;
	if (p.json + p.events + p.strace > 1)
		return report_misuse(argv[0],
				     "--events, --json and what strace has do not go together");
	if (argc > optind + 1)
		return report_unexpected(argv[0], argv[optind + 1]);
	p.text.to = stdout;
	if (p.strace)
		strace_format_set_limit(&p.form, &p.text);
	return print_trace(&p, argv[optind]);
}

const struct command print_command = {
	.name = "print",
	.args = " [--events | --json | --strace [-rtT] [-s SIZE] [-y]\n"
		"                    [-z | -Z | --status SET]\n"
		"                    [{-c | -C} [-S COLUMN] [-U COLUMNS] [-w]]] [DIR]",
	.summary = "the events of a trace, one line each, in the order of time",
	.help = "DIR is where 'ktrace record' left a trace: ktrace.out if none is named.\n"
		"\n"
		"A line is in ftrace's form: task and thread, CPU, seconds since the boot, the\n"
		"event and its fields. Where events were lost it says how many, on which CPU.\n"
		"\n"
		"The entry of a system call and its return are one line, in strace's words and\n"
		"with the seconds between them: at the time of its entry, unless something else\n"
		"happened before it returned. Then '<unfinished ...>' stands there, and another\n"
		"line where it did, '<... read resumed>'.\n"
		"\n"
		"  --events  a line an event, those of system calls, too\n"
		"  --json    an object an event: time (in ns), cpu, tid, comm, system, event,\n"
		"            fields and labels, as some of their values are called; no comm\n"
		"            where the name of the task is not known\n"
		"  --strace  as 'strace -f -o FILE' would have written it; any of these does\n"
		"            that, too, and says what it does there:\n"
		"  -r        the time since the line before\n"
		"  -t        the time of day; twice: to the microsecond; thrice: since 1970\n"
		"  -T        the time that each call took\n"
		"  -s, --string-limit SIZE\n"
		"            of what was recorded of the data that a call reads or writes so many\n"
		"            bytes at most, or elements of an array, or arguments of a program,\n"
		"            and bytes of each; paths in full\n"
		"  -y, --decode-fds\n"
		"            the path of each descriptor's file, as without it, where 'ktrace\n"
		"            record -y' or 'ktrace start -y' has kept them\n"
		"  -z, --successful-only\n"
		"            of calls only those that returned without an error\n"
		"  -Z, --failed-only\n"
		"            only those that returned an error\n"
		"  --status SET\n"
		"            of calls those that were successful, failed, or unfinished, which\n"
		"            had not returned, several with commas; or all or none; '!failed':\n"
		"            all but these. With any of the three each line is whole, and stands\n"
		"            where the call returned\n"
		"  -c        no lines, but a table: of each call how often it returned, with an\n"
		"            error, and after how long\n"
		"  -C        lines and that table\n"
		"  -S COLUMN\n"
		"            sorts it: by time, min-time, max-time, avg-time, calls, errors, name\n"
		"            or nothing (time)\n"
		"  -U COLUMNS\n"
		"            what it has, of time-percent, total-time, min-time, max-time,\n"
		"            avg-time, calls, errors and name\n"
		"  -w        times from entry to return, as without it\n"
		"\n"
		"examples:\n"
		"  ktrace print | less\n"
		"  ktrace print -ttT | grep ENOENT\n"
		"  ktrace print -s 8\n"
		"  ktrace print -Z\n"
		"  ktrace print -c -S errors\n"
		"  ktrace print --json | jq 'select(.event == "
		"\"sched_switch\").fields.next_comm'\n",
	.run = run,
};
