// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ktrace snapshot: save a flight recorder's buffers as a trace while it continues (doc/flight.md).
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/signals.h"
#include "app/control/snapshot_on.h"
#include "app/control/take_snapshot.h"
#include "base/error.h"
#include "events/tracefs.h"
#include "session/flight/flight.h"

#define NAME "snapshot"

static int take_one(struct snapshot_request *t)
{
	struct kt_error err;
	struct kt_flight *flight = kt_flight_lock(t->name, &err);
	int status;

	if (!flight)
		return report_error(NAME, &err);
	t->tracefs = kt_tracefs_open(&err);
	if (t->tracefs >= 0) {
		status = take_snapshot(t, flight);
		close(t->tracefs);
	} else {
		status = report_error(NAME, &err);
	}
	kt_flight_free(flight);
	return status;
}

struct snapshot {
	struct snapshot_request take;
	struct snapshot_on on;
};

static int parse(struct snapshot *s, int argc, char **argv)
{
	int status = parse_command_line(&snapshot_command, s, argc, argv);

	if (status != EXIT_OK)
		return status;
	if (argc > optind + 1)
		return report_unexpected(argv[0], argv[optind + 1]);
	if (argv[optind])
		s->take.name = argv[optind];
	s->take.is_dated = has_trigger(s->on.event_options);
	return EXIT_OK;
}

static int run_snapshot(int argc, char **argv)
{
	sigset_t signals;
	struct snapshot s = {
		.take = {.name = FLIGHT_NAME, .signals = &signals},
		.on = {.event_options = new_event_options(NAME, argc), .take = &s.take},
	};
	int status;

	if (!s.on.event_options)
		return EXIT_FAILED;
	status = parse(&s, argc, argv);
	if (status == EXIT_OK) {
		take_signals(&signals);
		status = has_trigger(s.on.event_options) ? snapshot_on_run(&s.on)
							 : take_one(&s.take);
	}
	free(s.on.event_options);
	return status;
}

static const struct command_option options[] = {
	{.letter = 'o',
	 .name = "output",
	 .arg = "DIR",
	 .help = "write to DIR; moves an existing trace to DIR.old; with --on to DIR-DATE-TIME",
	 .initial = "NAME-DATE-TIME",
	 .set = set_text,
	 .offset = offsetof(struct snapshot, take.dir)},
	{.name = "on",
	 .arg = "TRIGGER",
	 .help = "wait for hits of 'EVENT if FILTER' until Ctrl-C, and take a snapshot at each one",
	 .set = set_trigger,
	 .offset = offsetof(struct snapshot, on.event_options),
	 .repeats = true},
	{.name = "after",
	 .arg = "TIME",
	 .help = "take the snapshot this much later: 200ms, 10s",
	 .initial = "0",
	 .set = set_time,
	 .offset = offsetof(struct snapshot, on.after),
	 .needs = "on"},
	{.name = "every",
	 .arg = "TIME",
	 .help = "minimum time between two snapshots; earlier hits share the next one",
	 .initial = "0",
	 .set = set_time,
	 .offset = offsetof(struct snapshot, on.every),
	 .needs = "on"},
	{.name = "max",
	 .arg = "N",
	 .help = "exit after this many snapshots",
	 .set = set_count,
	 .offset = offsetof(struct snapshot, on.max),
	 .needs = "on"},
	{},
};

static const struct command_example examples[] = {
	{"ktrace snapshot --on 'sched_process_exit if exit_code & 127' -o /var/tmp/",
	 "Save what led to it whenever a process is killed by a signal"},
	{"ktrace snapshot", "Save what happened, into a directory with name and time"},
	{"ktrace snapshot -o /tmp/incident && ktrace print /tmp/incident",
	 "Save it elsewhere, and print it"},
	{"ktrace snapshot execs", "Save the flight recorder of the name execs"},
	{"ktrace snapshot --on oom:mark_victim --after 200ms --every 10s -o /var/tmp/",
	 "Save what led to each process that is killed for lack of memory"},
	{"ktrace snapshot --on 'block_rq_complete if error != 0' --max 5 disks",
	 "Save what led to the next five errors of disks"},
	{},
};

const struct command snapshot_command = {
	.name = NAME,
	.operands = "[NAME]",
	.summary = "save a flight recorder's buffers as a trace",
	.about = "Recording continues in the spare buffers meanwhile. Each event appears in "
		 "exactly one snapshot; overwritten events are counted. A snapshot that fails or "
		 "is interrupted loses nothing: the next one saves its events. A flight recorder "
		 "that a trigger has frozen records again.\n\n"
		 "NAME defaults to 'flight'.",
	.options = options,
	.examples = examples,
	.run = run_snapshot,
};
