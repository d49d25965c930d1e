// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/enable_command.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/event_selection.h"
#include "app/cli/options.h"
#include "app/control/apply_changes.h"
#include "base/error.h"
#include "events/event_names.h"
#include "session/flight/flight.h"
#include "session/flight/flight_info.h"

struct order {
	const struct command *command;
	const char *flight;
	struct event_option *event_options;
	int (*prepare)(struct kt_flight *f, const bool *which, struct kt_error *err);
};

/* Returns NULL on error; the caller frees the result. */
static struct kt_event_names *make_names(const struct kt_flight_info *info, const char *there,
					 const char *lister, struct kt_error *err)
{
	struct kt_event_name *names = calloc(info->n_events, sizeof(*names));
	struct kt_event_names *of;
	size_t i;

	if (!names) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	for (i = 0; i < info->n_events; i++)
		names[i] = (struct kt_event_name){info->events[i].system, info->events[i].name};
	of = kt_event_names_of(names, info->n_events, there, lister, err);
	free(names);
	return of;
}

/* Selects the events of all options, into `selected` of the first one. Returns the exit status. */
static int select_events(const struct order *o, const struct kt_flight_info *info)
{
	char there[sizeof(" of flight recorder ''") + KT_FLIGHT_NAME_MAX];
	char lister[sizeof("ktrace status ") + KT_FLIGHT_NAME_MAX];
	struct kt_error err;
	struct kt_event_names *names;
	struct event_option *event_option;
	int status;
	size_t i;

	snprintf(there, sizeof(there), " of flight recorder '%s'", o->flight);
	snprintf(lister, sizeof(lister), "ktrace status %s", o->flight);
	names = make_names(info, there, lister, &err);
	if (!names)
		return report_error(o->command->name, &err);
	status = event_selection_among(names, o->command->name, o->event_options);
	for (event_option = o->event_options; status == EXIT_OK && event_option->patterns;
	     event_option++)
		for (i = 0; i < info->n_events; i++)
			o->event_options->selected[i] |= event_option->selected[i];
	kt_event_names_free(names);
	return status;
}

static int prepare_and_apply(const struct order *o, struct kt_flight *f)
{
	struct kt_error err;

	if (o->prepare(f, o->event_options->selected, &err) < 0)
		return report_error(o->command->name, &err);
	return apply_changes(o->command->name, f);
}

static int run_order(const struct order *o)
{
	struct kt_error err;
	struct kt_flight *f = kt_flight_lock(o->flight, &err);
	int status;

	if (!f)
		return report_error(o->command->name, &err);
	status = select_events(o, kt_flight_get_info(f));
	if (status == EXIT_OK)
		status = prepare_and_apply(o, f);
	kt_flight_free(f);
	return status;
}

static int parse_options(struct order *o, int argc, char **argv)
{
	int status = parse_command_line(o->command, o, argc, argv);

	if (status != EXIT_OK)
		return status;
	if (argc > optind + 1)
		return report_unexpected(o->command->name, argv[optind + 1]);
	if (argv[optind])
		o->flight = argv[optind];
	if (o->event_options->patterns) {
		event_options_set_default(o->event_options, &every_event);
		return EXIT_OK;
	}
	report_misuse(o->command->name, "missing -e PATTERN");
	if (argv[optind])
		fprintf(stderr,
			"  '%s' is the name of a flight recorder here; for events: ktrace "
			"%s -e '%s'\n",
			argv[optind], o->command->name, argv[optind]);
	return EXIT_USAGE;
}

const struct command_option enable_command_options[] = {
	{.letter = 'e',
	 .name = "event",
	 .arg = "PATTERN",
	 .help = "select the flight recorder's events: SYSTEM:EVENT, globs, separated by commas; "
		 "'!' "
		 "excludes",
	 .set = set_event,
	 .offset = offsetof(struct order, event_options),
	 .repeats = true,
	 .is_required = true},
	{},
};

int run_enable_command(const struct command *c, int argc, char **argv,
		       int prepare(struct kt_flight *f, const bool *which, struct kt_error *err))
{
	struct order o = {
		.command = c,
		.flight = FLIGHT_NAME,
		.event_options = new_event_options(argv[0], argc),
		.prepare = prepare,
	};
	int status = o.event_options ? parse_options(&o, argc, argv) : EXIT_FAILED;
	struct event_option *event_option;

	if (status == EXIT_OK)
		status = run_order(&o);
	for (event_option = o.event_options; event_option && event_option->patterns; event_option++)
		free(event_option->selected);
	free(o.event_options);
	return status;
}
