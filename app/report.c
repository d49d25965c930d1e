// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace report: print a summary of a trace. */
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
#include "app/cli/field_groups.h"
#include "app/cli/options.h"
#include "app/cli/pager.h"
#include "app/cli/read_progress.h"
#include "app/cli/trace_selection.h"
#include "app/control/trace_dir.h"
#include "base/error.h"
#include "trace/event_counts.h"
#include "trace/read/trace_reader.h"
#include "values/text.h"
#include "view/report/report_json.h"
#include "view/report/report_text.h"
#include "view/report/trace_report.h"
#include "view/syscall_table.h"

struct report_options {
	bool json, each_task, all, no_pager;
	enum color color;
	struct trace_selection selection;
	struct field_groups groups;
};

static bool has_times(const struct kt_trace_report *report)
{
	return !report->is_partial && !report->groups;
}

/*
 * Adds a hit to the tables that no groups replace: all of a whole trace; of selected events only
 * counts and calls, as times need all switches.
 */
static bool add_to_tables(struct kt_trace_report *report, const struct kt_hit *hit)
{
	struct kt_report_times *times = &report->times;

	if (!kt_report_counts_add(&report->summary, hit))
		return false;
	if (report->groups)
		return true;
	return report->is_partial ? kt_syscall_table_add(times->calls, hit) == 0
				  : kt_report_times_add(times, report->reader, hit);
}

/* Counts what a hit selects. Returns 0 or -ENOMEM. */
static int add_hit(struct kt_trace_report *report, struct report_options *o,
		   const struct kt_hit *hit)
{
	const struct kt_hit *selected[KT_SELECTED_MAX];
	int i, n = trace_selection_add(&o->selection, hit, selected);

	if (n < 0)
		return n;
	if (!report->is_partial && !add_to_tables(report, hit))
		return -ENOMEM;
	for (i = 0; report->is_partial && i < n; i++)
		if (!add_to_tables(report, selected[i]))
			return -ENOMEM;
	return report->groups ? field_groups_add(&o->groups, selected, n) : 0;
}

static bool begin_tables(struct kt_trace_report *report, struct kt_trace_reader *r)
{
	if (has_times(report) && !kt_report_times_begin(&report->times, r))
		return false;
	if (report->is_partial && !report->groups) {
		report->times.calls = kt_syscall_table_new(kt_trace_reader_metadata(r));
		if (!report->times.calls)
			return false;
	}
	return kt_report_counts_begin(&report->summary, r);
}

static bool end_tables(struct kt_trace_report *report, struct kt_trace_reader *r)
{
	return (!has_times(report) || kt_report_times_end(&report->times, r)) &&
	       kt_report_counts_end(&report->summary, r);
}

/* Limits the report to the time that was selected. */
static void cut_extent(struct kt_extent *extent, const struct trace_selection *selection)
{
	if (selection->begin > extent->begin)
		extent->begin = selection->begin;
	if (selection->end && selection->end < extent->end)
		extent->end = selection->end;
	if (extent->begin > extent->end)
		extent->begin = extent->end;
}

/*
 * Reads the whole trace. If the records of a CPU cannot be read, that is reported and sets the
 * status, and what was read of it counts.
 */
static int read_trace(struct kt_trace_report *report, struct kt_trace_reader *r,
		      struct report_options *o, int *status)
{
	struct read_progress progress = {.reader = r};
	struct kt_error err;
	struct kt_hit hit;
	int ret;

	if (!begin_tables(report, r))
		return -ENOMEM;
	while (!trace_selection_is_done(&o->selection) &&
	       (ret = kt_trace_reader_next(r, &hit, &err)) != 0) {
		if (ret < 0)
			*status = report_error(report_command.name, &err);
		else if (add_hit(report, o, &hit) < 0)
			return -ENOMEM;
		read_progress_step(&progress);
	}
	read_progress_end(&progress);
	if (!end_tables(report, r))
		return -ENOMEM;
	if (!kt_trace_reader_extent(r, KT_MAIN, &report->extent) &&
	    !kt_trace_reader_extent(r, KT_RARE, &report->extent))
		return -ENODATA;
	cut_extent(&report->extent, &o->selection);
	return 0;
}

/*
 * Reads the recorder's counts, unless it is still counting. Counts that do not match the trace are
 * reported, and set the status.
 */
static void read_counts(struct kt_trace_report *report, const struct kt_trace_reader *r,
			int *status)
{
	uint64_t records, found = report->summary.records + report->summary.early;
	struct kt_error err;

	report->is_growing = kt_trace_reader_is_growing(r);
	if (report->is_growing)
		return;
	report->counts = kt_trace_reader_counts(r, &err);
	if (!report->counts && err.code != ENOENT)
		*status = report_error(report_command.name, &err);
	if (!report->counts)
		return;
	if (report->is_partial)
		return;
	records = kt_event_counts_sum(report->counts).records;
	if (records == found)
		return;
	fprintf(stderr,
		"ktrace %s: %" PRIu64 " events were recorded, but %" PRIu64 " are in the trace\n",
		report_command.name, records, found);
	*status = EXIT_FAILED;
}

static int print_report(const struct kt_trace_report *report, const struct report_options *o)
{
	static struct kt_text text;
	struct pager pager;
	int ret;

	text.to = stdout;
	text.colors = color_is_wanted(o->color, STDOUT_FILENO);
	pager_begin(&pager, o->no_pager);
	ret = o->json ? kt_report_json_print(stdout, report) : kt_report_text_print(&text, report);
	pager_end(&pager);
	return ret;
}

static int report_failure(const struct kt_trace_report *report, int error)
{
	struct kt_error err;

	kt_fail(&err, error, "%s", error == ENODATA ? "it is empty" : strerror(error));
	kt_fail_because(&err, "cannot summarize the trace %s", report->path);
	return report_error(report_command.name, &err);
}

/* Reads and prints the trace. */
static int print_trace(struct kt_trace_report *report, struct kt_trace_reader *r,
		       struct report_options *o)
{
	int status = EXIT_OK, ret = read_trace(report, r, o, &status);

	if (ret == 0 && report->groups) {
		status = field_groups_end(&o->groups, report_command.name, status);
		if (status != EXIT_OK)
			return status;
	}
	if (!report->groups)
		trace_selection_report_held(&o->selection, report_command.name);
	if (ret == 0) {
		read_counts(report, r, &status);
		ret = print_report(report, o);
	}
	return ret < 0 ? report_failure(report, -ret) : status;
}

static int report_trace(const char *dir, struct report_options *o)
{
	struct kt_trace_reader *r = open_trace(report_command.name, dir);
	struct kt_trace_report report = {
		.path = dir ? dir : TRACE_DIR,
		.reader = r,
		.is_partial = trace_selection_is_partial(&o->selection),
		.each_task = o->each_task,
		.all = o->all,
	};
	int status;

	if (!r)
		return EXIT_FAILED;
	status = field_groups_open(&o->groups, report_command.name, kt_trace_reader_metadata(r),
				   &o->selection);
	report.groups = o->groups.of;
	if (status == EXIT_OK)
		status = trace_selection_open(&o->selection, report_command.name, dir, r);
	if (status == EXIT_OK)
		status = print_trace(&report, r, o);
	kt_event_counts_free(report.counts);
	kt_report_counts_free(&report.summary);
	kt_report_times_free(&report.times);
	field_groups_close(&o->groups);
	kt_trace_reader_free(r);
	return status;
}

static int run_report(int argc, char **argv)
{
	struct report_options o = {.selection.events = new_event_options(argv[0], argc)};
	int status = EXIT_FAILED;

	if (o.selection.events)
		status = parse_command_line(&report_command, &o, argc, argv);
	if (status == EXIT_OK && argc > optind + 1)
		status = report_unexpected(argv[0], argv[optind + 1]);
	if (status == EXIT_OK)
		status = report_trace(argv[optind], &o);
	trace_selection_close(&o.selection);
	return status;
}

static const struct command_option options[] = {
	{.name = "tasks",
	 .help = "print a row for each task instead of one per comm",
	 .set = set_flag,
	 .offset = offsetof(struct report_options, each_task)},
	{.name = "all",
	 .help = "print all rows of each table, not only the first",
	 .set = set_flag,
	 .offset = offsetof(struct report_options, all)},
	FIELD_GROUPS_OPTIONS(struct report_options, groups),
	OPTION_JSON(struct report_options, json,
		    "print one JSON object with every task, CPU and loss; times in ns"),
	TRACE_SELECTION_OPTIONS(struct report_options, selection, 't', 'C'),
	OPTION_COLOR(struct report_options, color),
	OPTION_NO_PAGER(struct report_options, no_pager),
	{},
};

static const struct command_example examples[] = {
	{"ktrace report", "Summarize the trace in ktrace.out"},
	{"ktrace record -a -e 'sched_switch,sched_wak*' sleep 10; ktrace report --tasks",
	 "Show who waits for a CPU, and for whom tasks wait"},
	{"ktrace report -e %file -f 'ret < 0'", "Count calls that failed with a file"},
	{"ktrace report -e write --by comm,path --sum ret",
	 "Show who writes to which files, of a trace recorded with -y"},
	{"ktrace report -e 'syscalls:*' --by event --quantiles duration",
	 "Show how long system calls take"},
	{"ktrace report -e 'syscalls:*' -f 'ret < 0' --by event,error,comm",
	 "Show which calls fail, and why"},
	{"ktrace report -e sched_switch --by stack,comm",
	 "Show where tasks wait, of a trace recorded with -k"},
	{"ktrace report --json | jq -r '.tasks[] | \"\\(.tid) \\(.count)\"'",
	 "Print how many events each task hit"},
	{},
};

const struct command report_command = {
	.name = "report",
	.operands = "[DIR]",
	.summary = "summarize a trace",
	.about = "DIR is a trace of 'ktrace record' or 'ktrace snapshot'; it defaults to "
		 "ktrace.out.\n\n"
		 "Prints when, where and of what it was recorded; events and their rates; system "
		 "calls; how long tasks ran, waited for a CPU and were blocked, and who woke "
		 "them; disk requests and interrupts; CPUs; and what was lost, where and why.",
	.options = options,
	.examples = examples,
	.run = run_report,
};
