// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace resume: resume a paused flight recorder (doc/flight.md). */
#include "app/cli/command.h"
#include "app/control/apply_changes.h"
#include "session/flight/flight_control.h"

#define NAME "resume"

static int resume(const char *name)
{
	return apply_change_by_name(NAME, name, kt_flight_control_resume);
}

static int run(int argc, char **argv)
{
	return run_on_flight(argc, argv, resume);
}

const struct command resume_command = {
	.name = NAME,
	.args = " [NAME]",
	.summary = "has a flight recorder record again that was paused",
	.help = "NAME is what 'ktrace start' called it: 'flight' if none is named.\n"
		"\n"
		"From one moment on every hit of all events that are enabled is recorded. To one\n"
		"that is not paused nothing happens.\n"
		"\n"
		"examples:\n"
		"  ktrace resume\n"
		"  ktrace resume night\n",
	.run = run,
};
