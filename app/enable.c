// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace enable: record disabled events of a flight recorder again (doc/flight.md). */
#include <signal.h>
#include <stdbool.h>

#include "app/cli/command.h"
#include "app/cli/signals.h"
#include "app/control/enable_command.h"
#include "app/control/event_enable.h"

static int enable_selected(struct kt_flight *f, const bool *which, struct kt_error *err)
{
	sigset_t signals;

	take_signals(&signals);
	return enable_events(f, which, &signals, err);
}

static int run_enable(int argc, char **argv)
{
	return run_enable_command(&enable_command, argc, argv, enable_selected);
}

static const struct command_example examples[] = {
	{"ktrace enable -e 'sched:sched_wak*'", "Enable wakeups"},
	{"ktrace enable -e '*:*' night", "Enable all events of another one"},
	{},
};

const struct command enable_command = {
	.name = "enable",
	.operands = "[NAME]",
	.summary = "enable events of a flight recorder",
	.about = "The events are recorded again with their filters, all from the same moment on. "
		 "If one of them cannot be recorded, none is enabled. Events that 'ktrace start' "
		 "did not select cannot be added: start another flight recorder for them. NAME "
		 "defaults to 'flight'.",
	.options = enable_command_options,
	.examples = examples,
	.run = run_enable,
};
