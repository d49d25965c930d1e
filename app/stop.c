// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace stop: stop a flight recorder and discard its data. */
#include <errno.h>
#include <stdio.h>

#include "app/cli/command.h"
#include "base/error.h"
#include "session/flight/flight.h"

#define NAME "stop"

static int stop(const char *name)
{
	struct kt_error err;

	if (kt_flight_remove(name, &err) < 0)
		return report_error(NAME, &err);
	fprintf(stderr, "ktrace " NAME ": '%s' has ended\n", name);
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	return run_on_flight(argc, argv, stop);
}

const struct command stop_command = {
	.name = NAME,
	.args = " [NAME]",
	.summary = "ends a flight recorder, and nothing of it remains",
	.help = "NAME is what 'ktrace start' called it: 'flight' if none is named.\n"
		"\n"
		"Its probes are removed and its rings freed, with what is in them. The kernel\n"
		"does so a moment after the command has ended. What a ktrace has left behind\n"
		"that was killed while it started or stopped one is removed as well.\n"
		"\n"
		"examples:\n"
		"  ktrace stop\n"
		"  ktrace stop execs\n",
	.run = run,
};
