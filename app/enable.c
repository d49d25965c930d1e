// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace enable: events of a session that were disabled are recorded again (doc/flight.md). */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "app/attach.h"
#include "app/command.h"
#include "app/signals.h"
#include "app/switch.h"
#include "base/error.h"
#include "catalog/btf.h"
#include "catalog/curated.h"
#include "catalog/event.h"
#include "catalog/tracefs.h"
#include "session/about.h"
#include "session/banks.h"
#include "session/flight.h"
#include "session/probes.h"
#include "session/switches.h"

struct enable {
	struct kt_flight *flight;
	const bool *which; /* events */
	struct kt_probes probes;
	int tracefs;
	struct kt_btf *btf;
};

static int enable_one(struct enable *e, size_t i, struct kt_error *err)
{
	struct kt_event *event =
		kt_about_read_event(kt_flight_about(e->flight), i, e->tracefs, err);
	struct kt_error refused;
	int ret;

	if (!event)
		return -err->code;
	kt_curate(event, e->btf, &refused); /* where that fails it costs more */
	ret = kt_switches_enable(kt_flight_switches(e->flight), i, &e->probes, event, &refused,
				 err);
	kt_event_free(event);
	return ret;
}

static int enable_all(struct enable *e, struct kt_error *err)
{
	const struct kt_switches *s = kt_flight_switches(e->flight);
	sigset_t signals;
	int ret = 0;
	size_t i;

	raise_files();
	take_signals(&signals);
	for (i = 0; i < kt_flight_about(e->flight)->n_events && ret == 0; i++) {
		if (!e->which[i] || kt_switches_at(s, i).number)
			continue;
		if (is_ended(&signals))
			return kt_fail(err, EINTR, "ended before any event was enabled");
		ret = enable_one(e, i, err);
	}
	return ret;
}

static int enable(struct kt_flight *f, const bool *which, struct kt_error *err)
{
	struct enable e = {
		.flight = f,
		.which = which,
		.probes = kt_banks_probes(kt_flight_banks(f)),
		.tracefs = kt_tracefs_open(err),
	};
	int ret;

	if (e.tracefs < 0)
		return -err->code;
	e.btf = kt_btf_new();
	ret = e.btf ? enable_all(&e, err) : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_btf_free(e.btf);
	close(e.tracefs);
	return ret;
}

static int run(int argc, char **argv)
{
	return switch_events(argc, argv, enable);
}

const struct command enable_command = {
	.name = "enable",
	.args = " -e PATTERN [NAME]",
	.summary = "has a flight recorder record events again that were disabled",
	.help = "NAME is what 'ktrace start' called it: 'flight' if none is named.\n"
		"\n"
		"Every hit of these events is recorded again, of all of them from one moment on,\n"
		"with the filters that they had. To those that are enabled nothing happens. Where\n"
		"one of them cannot be recorded that is said, and none is enabled.\n"
		"\n"
		"  -e, --event PATTERN  which events of the session, as 'ktrace start' takes it:\n"
		"                       SYSTEM:EVENT, globs, several with commas; can be repeated\n"
		"\n"
		"examples:\n"
		"  ktrace enable -e 'sched:sched_wak*'\n"
		"  ktrace enable -e '*:*' night\n",
	.run = run,
};
