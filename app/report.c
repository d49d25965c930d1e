// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace report: print a summary of a trace. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/control/trace_dir.h"
#include "base/error.h"
#include "trace/event_counts.h"
#include "trace/read/trace_reader.h"
#include "values/text.h"
#include "view/report_json.h"
#include "view/report_text.h"
#include "view/trace_report.h"

/*
 * Reads the whole trace. If the records of a CPU cannot be read, that is reported and sets the
 * status, and what was read of it counts.
 */
static int read_trace(struct kt_trace_report *report, struct kt_trace_reader *r, int *status)
{
	struct kt_report_counts *s = &report->summary;
	struct kt_cpu_time *u = &report->usage;
	struct kt_error err;
	struct kt_hit hit;
	int ret;

	kt_cpu_time_begin(u, r);
	if (!kt_report_counts_begin(s, r))
		return -ENOMEM;
	while ((ret = kt_trace_reader_next(r, &hit, &err)) != 0) {
		if (ret < 0)
			*status = report_error(report_command.name, &err);
		else if (!kt_report_counts_add(s, &hit) || !kt_cpu_time_add(u, r, &hit))
			return -ENOMEM;
	}
	if (!kt_cpu_time_end(u, r) || !kt_report_counts_end(s, r))
		return -ENOMEM;
	return kt_trace_reader_extent(r, KT_MAIN, &report->extent) ||
			       kt_trace_reader_extent(r, KT_RARE, &report->extent)
		       ? 0
		       : -ENODATA;
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
	records = kt_event_counts_sum(report->counts).records;
	if (records == found)
		return;
	fprintf(stderr,
		"ktrace %s: %" PRIu64 " events were recorded, but %" PRIu64 " are in the trace\n",
		report_command.name, records, found);
	*status = EXIT_FAILED;
}

static int print_report(const struct kt_trace_report *report, bool json)
{
	static struct kt_text text;

	if (json)
		return kt_report_json_print(stdout, report);
	text.to = stdout;
	return kt_report_text_print(&text, report);
}

static int report_failure(const struct kt_trace_report *report, int error)
{
	struct kt_error err;

	kt_fail(&err, error, "%s", error == ENODATA ? "it is empty" : strerror(error));
	kt_fail_because(&err, "cannot summarize the trace %s", report->path);
	return report_error(report_command.name, &err);
}

static int report_trace(const char *dir, bool json, bool each_task)
{
	struct kt_trace_reader *r = open_trace(report_command.name, dir);
	struct kt_trace_report report = {
		.path = dir ? dir : TRACE_DIR, .reader = r, .each_task = each_task};
	int status = EXIT_OK, ret;

	if (!r)
		return EXIT_FAILED;
	ret = read_trace(&report, r, &status);
	if (ret == 0) {
		read_counts(&report, r, &status);
		ret = print_report(&report, json);
	}
	if (ret < 0)
		status = report_failure(&report, -ret);
	kt_event_counts_free(report.counts);
	kt_report_counts_free(&report.summary);
	kt_cpu_time_free(&report.usage);
	kt_trace_reader_free(r);
	return status;
}

struct report_options {
	bool json, each_task;
};

static int run_report(int argc, char **argv)
{
	struct report_options o = {};
	int status = parse_command_line(&report_command, &o, argc, argv);

	if (status != EXIT_OK)
		return status;
	if (argc > optind + 1)
		return report_unexpected(argv[0], argv[optind + 1]);
	return report_trace(argv[optind], o.json, o.each_task);
}

static const struct command_option options[] = {
	{.name = "tasks",
	 .help = "print a row for each task instead of one per comm",
	 .set = set_flag,
	 .offset = offsetof(struct report_options, each_task)},
	OPTION_JSON(struct report_options, json,
		    "print one JSON object with every task, CPU and loss; times in ns"),
	{},
};

static const struct command_example examples[] = {
	{"ktrace report", "Summarize the trace in ktrace.out"},
	{"ktrace record -e sched_switch make -j4; ktrace report",
	 "Show how long each task of a build ran"},
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
		 "Prints when, where and of what it was recorded; events and their rates; the "
		 "busiest tasks, and how long they ran if sched:sched_switch was recorded; CPUs; "
		 "and what was lost, where and why.",
	.options = options,
	.examples = examples,
	.run = run_report,
};
