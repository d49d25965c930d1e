// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace disable: stop recording some events of a flight recorder (doc/flight.md). */
#include <stdbool.h>

#include "app/cli/command.h"
#include "app/control/enable_command.h"
#include "app/control/event_enable.h"

static int disable_selected(struct kt_flight *f, const bool *which, struct kt_error *err)
{
	(void)err;
	disable_events(f, which);
	return 0;
}

static int run_disable(int argc, char **argv)
{
	return run_enable_command(&disable_command, argc, argv, disable_selected);
}

static const struct command_example examples[] = {
	{"ktrace disable -e 'sched:sched_wak*'", "Disable wakeups"},
	{"ktrace disable -e irq:\\*,timer:\\* -e net_dev_xmit night",
	 "Disable events of another one"},
	{},
};

const struct command disable_command = {
	.name = "disable",
	.operands = "[NAME]",
	.summary = "disable events of a flight recorder",
	.about = "The events are neither recorded nor counted, all from the same moment on, and "
		 "cost nothing. Buffers keep what was recorded. 'ktrace status NAME' shows which "
		 "events are disabled, and since when. NAME defaults to 'flight'.",
	.options = enable_command_options,
	.examples = examples,
	.run = run_disable,
};
