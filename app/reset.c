// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace reset: clear buffers and counters of a flight recorder (doc/flight.md). */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include "app/cli/command.h"
#include "base/error.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"

#define NAME "reset"

static int reset(const char *name)
{
	struct kt_error err;
	struct kt_flight *f = kt_flight_lock(name, &err);
	bool was_taken;
	int ret;

	if (!f)
		return report_error(NAME, &err);
	was_taken = kt_buffer_sets_is_consumed(kt_flight_buffer_sets(f));
	ret = kt_buffer_sets_reset(kt_flight_buffer_sets(f), &err);
	kt_flight_free(f);
	if (ret < 0)
		return report_error(NAME, &err);
	fprintf(stderr, "ktrace " NAME ": '%s' holds nothing, and counts anew\n%s", name,
		was_taken ? "" : "  what an interrupted snapshot was to take is given up, too\n");
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	return run_on_flight(argc, argv, reset);
}

const struct command reset_command = {
	.name = NAME,
	.args = " [NAME]",
	.summary = "gives up what a flight recorder holds, which counts anew",
	.help = "NAME is what 'ktrace start' called it: 'flight' if none is named.\n"
		"\n"
		"From one moment on its rings are empty and its figures 0, while it goes on:\n"
		"what comes after, and nothing before, is in the next snapshot and in what\n"
		"'ktrace status' says. Also what an interrupted snapshot was to take is given\n"
		"up. To keep it all take a snapshot first.\n"
		"\n"
		"examples:\n"
		"  ktrace reset && make && ktrace snapshot -o /tmp/make\n"
		"  ktrace reset execs\n",
	.run = run,
};
