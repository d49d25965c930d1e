// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace reset: clear buffers and counters of a flight recorder (doc/flight.md). */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "base/error.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"

#define NAME "reset"

static int reset_flight(const char *name)
{
	struct kt_error err;
	struct kt_flight *f = kt_flight_lock(name, &err);
	bool was_consumed;
	int ret;

	if (!f)
		return report_error(NAME, &err);
	was_consumed = kt_buffer_sets_is_consumed(kt_flight_buffer_sets(f));
	ret = kt_buffer_sets_reset(kt_flight_buffer_sets(f), &err);
	kt_flight_free(f);
	if (ret < 0)
		return report_error(NAME, &err);
	fprintf(stderr, "ktrace " NAME ": '%s' is cleared\n%s", name,
		was_consumed ? "" : "  events of an interrupted snapshot were discarded, too\n");
	return EXIT_OK;
}

static int run_reset(int argc, char **argv)
{
	return run_on_flight(&reset_command, argc, argv, reset_flight);
}

static const struct command_example examples[] = {
	{"ktrace reset && make && ktrace snapshot -o /tmp/make", "Record exactly one build"},
	{"ktrace reset execs", "Clear another one"},
	{},
};

const struct command reset_command = {
	.name = NAME,
	.operands = "[NAME]",
	.summary = "clear a flight recorder's buffers and counters",
	.about = "Recording continues. Events of an interrupted snapshot are discarded, too; to "
		 "keep them take a snapshot first. A frozen flight recorder records again. NAME "
		 "defaults to 'flight'.",
	.examples = examples,
	.run = run_reset,
};
