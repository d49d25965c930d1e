// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace status: show running flight recorders and their statistics. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/command.h"
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
		fputs("ktrace " NAME ": no session is running\n", stderr);
	for (name = names; *name; name += strlen(name) + 1)
		if (show_next(name, json) != EXIT_OK)
			status = EXIT_FAILED;
	free(names);
	return status;
}

static int run(int argc, char **argv)
{
	enum { JSON = 256 };
	static const struct option options[] = {
		{"json", no_argument, NULL, JSON},
		{},
	};
	struct kt_error err;
	bool json = false;
	int c;

	while ((c = next_option(argc, argv, "", options)) != -1) {
		if (c != JSON)
			return EXIT_USAGE;
		json = true;
	}
	if (argc > optind + 1)
		return report_unexpected(argv[0], argv[optind + 1]);
	if (!argv[optind])
		return show_all(json);
	return show_flight(argv[optind], true, json, &err) < 0 ? report_error(NAME, &err) : EXIT_OK;
}

const struct command status_command = {
	.name = NAME,
	.args = " [--json] [NAME]",
	.summary = "which flight recorders go on, and what they have come to",
	.help = "Of each that 'ktrace start' has begun: for how long it has been going on, since\n"
		"when, who started it and by which command; how often its events were hit, how\n"
		"many hits a second there were in the time that the rings hold, how many were\n"
		"lost and why; how many are in the rings, and how far back these go; how full\n"
		"the rings are, and the memory of all of it. Of the one called NAME also each\n"
		"event. What a ktrace has left behind that was killed is told, too.\n"
		"\n"
		"  --json  one JSON object a session, with each event and loss; times in ns\n"
		"\n"
		"examples:\n"
		"  ktrace status\n"
		"  ktrace status flight\n"
		"  ktrace status --json | jq -r '\"\\(.session) \\(.hits) \\(.lost)\"'\n",
	.run = run,
};
