// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace disable: stop recording some events of a flight recorder (doc/flight.md). */
#include <stdbool.h>

#include "app/cli/command.h"
#include "app/control/enable_command.h"
#include "app/control/event_enable.h"

static int disable(struct kt_flight *f, const bool *which, struct kt_error *err)
{
	(void)err;
	disable_events(f, which);
	return 0;
}

static int run(int argc, char **argv)
{
	return run_enable_command(argc, argv, disable);
}

const struct command disable_command = {
	.name = "disable",
	.args = " -e PATTERN [NAME]",
	.summary = "takes events out of a flight recorder, which goes on with the rest",
	.help = "NAME is what 'ktrace start' called it: 'flight' if none is named.\n"
		"\n"
		"No hit of these events is recorded or counted any more, of all of them from one\n"
		"moment on, and they cost the machine nothing. What the rings hold of them\n"
		"remains there. 'ktrace status' tells which are disabled, and since when.\n"
		"\n"
		"  -e, --event PATTERN  which events of the session, as 'ktrace start' takes it:\n"
		"                       SYSTEM:EVENT, globs, several with commas; can be\n"
		"                       repeated. '!irq:*': not these, and without others all but\n"
		"                       these\n"
		"\n"
		"examples:\n"
		"  ktrace disable -e 'sched:sched_wak*'\n"
		"  ktrace disable -e irq:\\*,timer:\\* -e net_dev_xmit night\n",
	.run = run,
};
