// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace enable: record disabled events of a flight recorder again (doc/flight.md). */
#include <signal.h>
#include <stdbool.h>

#include "app/cli/command.h"
#include "app/cli/signals.h"
#include "app/control/enable_command.h"
#include "app/control/event_enable.h"

static int enable(struct kt_flight *f, const bool *which, struct kt_error *err)
{
	sigset_t signals;

	take_signals(&signals);
	return enable_events(f, which, &signals, err);
}

static int run(int argc, char **argv)
{
	return run_enable_command(argc, argv, enable);
}

const struct command enable_command = {
	.name = "enable",
	.args = " -e PATTERN [NAME]",
	.summary = "has a flight recorder record events again that were disabled",
	.help = "NAME is what 'ktrace start' called it: 'flight' if none is named.\n"
		"\n"
		"Every hit of these events is recorded again, of all of them from one moment on,\n"
		"with the filters that they had. To those that are enabled nothing happens. Where\n"
		"one of them cannot be recorded that is said, and none is enabled. An event that\n"
		"the session was not started with cannot be added: a second session beside it can\n"
		"have it, or one that is started with it and has it disabled until it is wanted.\n"
		"\n"
		"  -e, --event PATTERN  which events of the session, as 'ktrace start' takes it:\n"
		"                       SYSTEM:EVENT, globs, several with commas; can be\n"
		"                       repeated. '!irq:*': not these, and without others all but\n"
		"                       these\n"
		"\n"
		"examples:\n"
		"  ktrace enable -e 'sched:sched_wak*'\n"
		"  ktrace enable -e '*:*' night\n",
	.run = run,
};
