// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace pause: pause recording of a flight recorder (doc/flight.md). */
#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/control/apply_changes.h"
#include "session/flight/flight_control.h"

#define NAME "pause"

static int pause_flight(const char *name)
{
	return apply_change_by_name(NAME, name, kt_flight_control_pause);
}

static int run_pause(int argc, char **argv)
{
	return run_on_flight(&pause_command, argc, argv, pause_flight);
}

static const struct command_example examples[] = {
	{"ktrace pause; ktrace status", "Pause, and look at the statistics"},
	{"ktrace pause night && ktrace snapshot night && ktrace resume night",
	 "Save the events of a time"},
	{},
};

const struct command pause_command = {
	.name = NAME,
	.operands = "[NAME]",
	.summary = "pause a flight recorder",
	.about = "Nothing is recorded or counted, and no trigger is hit, until 'ktrace resume'. "
		 "Buffers keep their events; probes remain attached, at the cost of a check. NAME "
		 "defaults to 'flight'.",
	.examples = examples,
	.run = run_pause,
};
