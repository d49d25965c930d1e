// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace disable: some events of a session are recorded no more (doc/flight.md). */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/choice.h"
#include "app/command.h"
#include "app/options.h"
#include "base/error.h"
#include "catalog/names.h"
#include "session/about.h"
#include "session/flight.h"
#include "session/switches.h"

#define NAME "disable"

/* For the caller to free. On error NULL. */
static struct kt_names *names_of(const struct kt_about *about, const char *lister,
				 struct kt_error *err)
{
	struct kt_name *names = calloc(about->n_events, sizeof(*names));
	struct kt_names *of;
	size_t i;

	if (!names) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	for (i = 0; i < about->n_events; i++)
		names[i] = (struct kt_name){about->events[i].system, about->events[i].name};
	of = kt_names_of(names, about->n_events, lister, err);
	free(names);
	return of;
}

/* Of all picks, in the first one's chosen. The exit status. */
static int choose_of(const struct kt_about *about, struct pick *picks, const char *lister)
{
	struct kt_error err;
	struct kt_names *names = names_of(about, lister, &err);
	int said, status = EXIT_OK;
	struct pick *pick;
	size_t i;

	if (!names)
		return say_error(NAME, &err);
	for (pick = picks; pick->patterns; pick++) {
		said = choose_among(names, NAME, pick);
		status = said > status ? said : status;
		for (i = 0; status == EXIT_OK && i < about->n_events; i++)
			picks->chosen[i] |= pick->chosen[i];
	}
	kt_names_free(names);
	return status;
}

static void say_disabled(const char *name, const struct kt_flight *f)
{
	size_t i, n = kt_flight_about(f)->n_events, on = 0;

	for (i = 0; i < n; i++)
		on += kt_switches_at(kt_flight_switches(f), i).number != 0;
	fprintf(stderr, "ktrace " NAME ": '%s' records %zu of its %zu event%s\n", name, on, n,
		n == 1 ? "" : "s");
}

static int switch_off(struct kt_flight *f, const bool *which)
{
	struct kt_switches *s = kt_flight_switches(f);
	struct kt_error err;
	size_t i;

	for (i = 0; i < kt_flight_about(f)->n_events; i++)
		if (which[i])
			kt_switches_disable(s, i);
	return kt_switches_commit(s, &err) < 0 ? say_error(NAME, &err) : EXIT_OK;
}

static int disable(const char *name, struct pick *picks)
{
	char lister[sizeof("ktrace status ") + KT_FLIGHT_NAME_MAX];
	struct kt_error err;
	struct kt_flight *f = kt_flight_hold(name, &err);
	int status;

	if (!f)
		return say_error(NAME, &err);
	snprintf(lister, sizeof(lister), "ktrace status %s", name);
	status = choose_of(kt_flight_about(f), picks, lister);
	if (status == EXIT_OK)
		status = switch_off(f, picks->chosen);
	if (status == EXIT_OK)
		say_disabled(name, f);
	kt_flight_free(f);
	return status;
}

static int parse(struct pick *picks, int argc, char **argv)
{
	static const struct option options[] = {
		{"event", required_argument, NULL, 'e'},
		{},
	};
	int c;

	while ((c = next_option(argc, argv, "e:", options)) != -1) {
		if (c != 'e')
			return EXIT_USAGE;
		option_event(picks, optarg);
	}
	if (argc > optind + 1)
		return unexpected(argv[0], argv[optind + 1]);
	if (!picks->patterns)
		return misused(NAME, "which events is to be said by '-e'");
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct pick *picks = new_picks(NAME, argc), *pick;
	int status = picks ? parse(picks, argc, argv) : EXIT_FAILED;

	if (status == EXIT_OK)
		status = disable(argv[optind] ? argv[optind] : FLIGHT_NAME, picks);
	for (pick = picks; pick && pick->patterns; pick++)
		free(pick->chosen);
	free(picks);
	return status;
}

const struct command disable_command = {
	.name = NAME,
	.args = " -e PATTERN [NAME]",
	.summary = "takes events out of a flight recorder, which goes on with the rest",
	.help = "NAME is what 'ktrace start' called it: 'flight' if none is named.\n"
		"\n"
		"No hit of these events is recorded or counted any more, of all of them from one\n"
		"moment on, and they cost the machine nothing. What the rings hold of them\n"
		"remains there. 'ktrace status' tells which are disabled, and since when.\n"
		"\n"
		"  -e, --event PATTERN  which events of the session, as 'ktrace start' takes it:\n"
		"                       SYSTEM:EVENT, globs, several with commas; can be repeated\n"
		"\n"
		"examples:\n"
		"  ktrace disable -e 'sched:sched_wak*'\n"
		"  ktrace disable -e irq:\\*,timer:\\* -e net_dev_xmit night\n",
	.run = run,
};
