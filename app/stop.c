// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace stop: stop a flight recorder and discard its data. */
#include <errno.h>
#include <stdio.h>

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "base/error.h"
#include "session/flight/flight.h"

#define NAME "stop"

static int stop_flight(const char *name)
{
	struct kt_error err;

	if (kt_flight_remove(name, &err) < 0)
		return report_error(NAME, &err);
	fprintf(stderr, "ktrace " NAME ": '%s' is stopped\n", name);
	return EXIT_OK;
}

static int run_stop(int argc, char **argv)
{
	return run_on_flight(&stop_command, argc, argv, stop_flight);
}

static const struct command_example examples[] = {
	{"ktrace stop", "Stop the flight recorder of the default name"},
	{"ktrace stop execs", "Stop another one"},
	{},
};

const struct command stop_command = {
	.name = NAME,
	.operands = "[NAME]",
	.summary = "stop a flight recorder and discard its data",
	.about = "Detaches its probes and frees its buffers; the kernel completes this shortly "
		 "after the command has exited. Also removes what a killed ktrace left behind. "
		 "NAME defaults to 'flight'.",
	.examples = examples,
	.run = run_stop,
};
