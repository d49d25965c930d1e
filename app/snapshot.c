// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ktrace snapshot: save a flight recorder's buffers as a trace while it continues (doc/flight.md).
 */
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/cli/command.h"
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

static int parse(struct snapshot_on *v, int argc, char **argv)
{
	enum { AFTER = 256, EVERY, MAX, ON };
	static const struct option options[] = {
		{"after", required_argument, NULL, AFTER},
		{"every", required_argument, NULL, EVERY},
		{"max", required_argument, NULL, MAX},
		{"on", required_argument, NULL, ON},
		{"output", required_argument, NULL, 'o'},
		{},
	};
	bool is_of_hits = false;
	int c, status = EXIT_OK;

	while (status == EXIT_OK && (c = next_option(argc, argv, "o:", options)) != -1) {
		if (c == 'o')
			v->take->dir = optarg;
		else if (c == ON)
			status = option_freeze(NAME, v->event_options, optarg);
		else if (c == AFTER)
			status = option_time(NAME, &v->after, optarg);
		else if (c == EVERY)
			status = option_time(NAME, &v->every, optarg);
		else if (c == MAX)
			status = option_count(NAME, &v->max, optarg);
		else
			status = EXIT_USAGE;
		is_of_hits = is_of_hits || c == AFTER || c == EVERY || c == MAX;
	}
	if (status != EXIT_OK)
		return status;
	if (argc > optind + 1)
		return report_unexpected(argv[0], argv[optind + 1]);
	if (argv[optind])
		v->take->name = argv[optind];
	v->take->is_dated = has_trigger(v->event_options);
	if (is_of_hits && !has_trigger(v->event_options))
		return report_misuse(
			NAME, "'--after', '--every' and '--max' are of '--on': there is none");
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	sigset_t signals;
	struct snapshot_request take = {.name = FLIGHT_NAME, .signals = &signals};
	struct snapshot_on on = {.event_options = new_event_options(NAME, argc), .take = &take};
	int status;

	if (!on.event_options)
		return EXIT_FAILED;
	status = parse(&on, argc, argv);
	if (status == EXIT_OK) {
		take_signals(&signals);
		status = has_trigger(on.event_options) ? snapshot_on_run(&on) : take_one(&take);
	}
	free(on.event_options);
	return status;
}

const struct command snapshot_command = {
	.name = NAME,
	.args = " [--on TRIGGER]... [--after TIME] [--every TIME] [--max N]\n"
		"                       [-o DIR] [NAME]",
	.summary = "what a flight recorder holds, as a trace, while it goes on",
	.help = "NAME is what 'ktrace start' called it: 'flight' if none is named.\n"
		"\n"
		"Writes what is in its rings now as a trace, which 'ktrace print' and others\n"
		"open as they do one of 'ktrace record'. Recording does not stop for it: from\n"
		"one moment on it goes to the rings that were to spare, so each event is in one\n"
		"snapshot and in no other, unless it was overwritten, and then it is counted.\n"
		"If it cannot be written, or is interrupted, all of it is kept for the next\n"
		"snapshot. A session that a trigger has frozen records again from then on.\n"
		"\n"
		"  --on TRIGGER            'EVENT if FILTER', or events alone: waits until Ctrl-C\n"
		"                          for such hits, which the session need not record, and\n"
		"                          makes one at each. Hits while one is made have one\n"
		"                          together behind it. Can be repeated: any of them\n"
		"  --after TIME            how long the session goes on behind that hit, with us,\n"
		"                          ms, s, min or h (0)\n"
		"  --every TIME            from one to the next, or longer: hits that come sooner\n"
		"                          have theirs then, one together (0)\n"
		"  --max N                 ends after so many\n"
		"  -o, --output DIR        where to (NAME-DATE-TIME); a trace that is there is\n"
		"                          moved to DIR.old, and the one there removed. What a\n"
		"                          snapshot before was to take goes to DIR.earlier. With\n"
		"                          '--on' each goes to DIR-DATE-TIME, and where DIR ends\n"
		"                          in '/', to DIR/NAME-DATE-TIME\n"
		"\n"
		"examples:\n"
		"  ktrace snapshot\n"
		"  ktrace snapshot -o /tmp/incident && ktrace print /tmp/incident\n"
		"  ktrace snapshot execs\n"
		"  ktrace snapshot --on oom:mark_victim --after 200ms --every 10s -o /var/tmp/\n"
		"  ktrace snapshot --on 'block_rq_complete if error != 0' --max 5 disks\n",
	.run = run,
};
