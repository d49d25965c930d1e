// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace resume: resume a paused flight recorder (doc/flight.md). */
#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/control/apply_changes.h"
#include "session/flight/flight_control.h"

#define NAME "resume"

static int resume_flight(const char *name)
{
	return apply_change_by_name(NAME, name, kt_flight_control_resume);
}

static int run_resume(int argc, char **argv)
{
	return run_on_flight(&resume_command, argc, argv, resume_flight);
}

static const struct command_example examples[] = {
	{"ktrace resume", "Resume it"},
	{},
};

const struct command resume_command = {
	.name = NAME,
	.operands = "[NAME]",
	.summary = "resume a paused flight recorder",
	.about = "Enabled events are recorded again, all from the same moment on. NAME defaults to "
		 "'flight'.",
	.examples = examples,
	.run = run_resume,
};
