// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace report: print a summary of a trace. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/command.h"
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
		"ktrace %s: %" PRIu64 " events were written to the trace, and %" PRIu64
		" are in it\n",
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

	kt_fail(&err, error, "%s", error == ENODATA ? "nothing is in it" : strerror(error));
	kt_fail_because(&err, "cannot sum up the trace %s", report->path);
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

static int run(int argc, char **argv)
{
	enum { JSON = 256 };
	static const struct option options[] = {
		{"json", no_argument, NULL, JSON},
		{"tasks", no_argument, NULL, 't'},
		{},
	};
	bool json = false, each_task = false;
	int c;

	while ((c = next_option(argc, argv, "t", options)) != -1) {
		if (c == JSON)
			json = true;
		else if (c == 't')
			each_task = true;
		else
			return EXIT_USAGE;
	}
	if (argc > optind + 1)
		return report_unexpected(argv[0], argv[optind + 1]);
	return report_trace(argv[optind], json, each_task);
}

const struct command report_command = {
	.name = "report",
	.args = " [-t] [--json] [DIR]",
	.summary = "a trace summed up: events, tasks, CPU times, CPUs, losses",
	.help = "DIR is where 'ktrace record' left a trace: ktrace.out if none is named.\n"
		"\n"
		"Says when it was recorded, where and of whom; how often each event was hit, in\n"
		"all and a second, with which filter, and when it is complete; which tasks hit\n"
		"most, and for how long each ran, where sched:sched_switch was recorded; the\n"
		"same of each CPU; and how many hits were lost, of which event, on which CPU,\n"
		"and why.\n"
		"\n"
		"  -t, --tasks  each task in a row of its own, not all of one name in one\n"
		"  --json       one JSON object with every task, CPU and loss; times in ns\n"
		"\n"
		"examples:\n"
		"  ktrace report\n"
		"  ktrace record -e sched_switch make -j4; ktrace report\n"
		"  ktrace report --json | jq -r '.tasks[] | \"\\(.tid) \\(.count)\"'\n",
	.run = run,
};
