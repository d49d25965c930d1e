// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace pause: pause recording of a flight recorder (doc/flight.md). */
#include "app/cli/command.h"
#include "app/control/apply_changes.h"
#include "session/flight/flight_control.h"

#define NAME "pause"

static int pause_flight(const char *name)
{
	return apply_change_by_name(NAME, name, kt_flight_control_pause);
}

static int run(int argc, char **argv)
{
	return run_on_flight(argc, argv, pause_flight);
}

const struct command pause_command = {
	.name = NAME,
	.args = " [NAME]",
	.summary = "has a flight recorder record nothing for a while",
	.help = "NAME is what 'ktrace start' called it: 'flight' if none is named.\n"
		"\n"
		"From one moment on nothing is recorded or counted, and no trigger is hit, until\n"
		"'ktrace resume'. What the rings hold remains there. The events stay as they are,\n"
		"and their probes attached, which find in a moment that there is nothing to do.\n"
		"\n"
		"examples:\n"
		"  ktrace pause; ktrace status\n"
		"  ktrace pause night && ktrace snapshot night && ktrace resume night\n",
	.run = run,
};
