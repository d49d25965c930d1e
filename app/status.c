// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace status: show running flight recorders and their statistics. */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/control/release.h"
#include "base/error.h"
#include "session/flight/flight.h"
#include "session/flight/flight_stats.h"
#include "values/text.h"
#include "view/flight_status.h"

#define NAME "status"

static int print_status(const struct kt_status *s, bool json, struct kt_error *err)
{
	static struct kt_text text;
	int ret = 0;

	if (json)
		ret = kt_flight_status_print_json(stdout, s);
	text.to = stdout;
	if (!json)
		kt_flight_status_print(&text, s);
	return ret < 0 ? kt_fail(err, -ret, "%s", strerror(-ret)) : 0;
}

/*
 * Prints one flight, after an empty line unless it is the first; with each event if its name was
 * given.
 */
static int show_flight(const char *name, bool is_asked_for, bool json, struct kt_error *err)
{
	static bool is_next;
	struct kt_flight_stats stats;
	struct kt_flight *f;
	int ret;

	do {
		f = kt_flight_open(name, err);
		ret = f ? kt_flight_stats_read(&stats, f, err) : -err->code;
		if (ret < 0)
			kt_flight_free(f);
	} while (ret == -EAGAIN);
	if (ret == 0) {
		if (is_next && !json)
			putchar('\n');
		is_next = true;
		ret = print_status(
			&(struct kt_status){name, kt_flight_get_info(f), &stats, is_asked_for},
			json, err);
		kt_flight_stats_clear(&stats);
		kt_flight_free(f);
	}
	return ret;
}

/* A flight found by listing may have ended meanwhile, which is no error. */
static int show_next(const char *name, bool json)
{
	struct kt_error err;
	int ret = kt_flight_check_name(name, &err);

	if (ret < 0) {
		kt_fail(&err, EPROTO, "'%s' among the flight recorders is not ktrace's", name);
		return report_error(NAME, &err);
	}
	ret = show_flight(name, false, json, &err);
	return ret == 0 || ret == -ENOENT ? EXIT_OK : report_error(NAME, &err);
}

static int show_all(bool json)
{
	struct kt_error err;
	char *names = kt_flight_names(&err);
	int status = EXIT_OK;
	const char *name;

	if (!names)
		return report_error(NAME, &err);
	if (!*names)
		fputs("ktrace " NAME ": no flight recorder is running\n", stderr);
	for (name = names; *name; name += strlen(name) + 1)
		if (show_next(name, json) != EXIT_OK)
			status = EXIT_FAILED;
	free(names);
	report_releasing(NAME);
	return status;
}

struct status_options {
	bool json;
};

static int run_status(int argc, char **argv)
{
	struct status_options o = {};
	struct kt_error err;
	int status = parse_command_line(&status_command, &o, argc, argv);

	if (status != EXIT_OK)
		return status;
	if (argc > optind + 1)
		return report_unexpected(argv[0], argv[optind + 1]);
	if (!argv[optind])
		return show_all(o.json);
	return show_flight(argv[optind], true, o.json, &err) < 0 ? report_error(NAME, &err)
								 : EXIT_OK;
}

static const struct command_option options[] = {
	OPTION_JSON(struct status_options, json,
		    "print one JSON object per flight recorder, with events and losses; times in "
		    "ns"),
	{},
};

static const struct command_example examples[] = {
	{"ktrace status", "Show all flight recorders"},
	{"ktrace status flight", "Show one with each of its events"},
	{"ktrace status --json | jq -r '\"\\(.session) \\(.hits) \\(.lost)\"'",
	 "Print figures for a script"},
	{},
};

const struct command status_command = {
	.name = NAME,
	.operands = "[NAME]",
	.summary = "show running flight recorders and their statistics",
	.about = "Prints since when each one runs, who started it and by which command; how many "
		 "events it recorded and lost; which time its buffers cover, how full they are, "
		 "and their memory. With NAME also its events, by number of hits. What a killed "
		 "ktrace left behind is reported, too; and probes that the kernel is still "
		 "detaching, after a recording has ended.",
	.options = options,
	.examples = examples,
	.run = run_status,
};
