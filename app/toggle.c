// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/toggle.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "app/attach.h"
#include "app/signals.h"
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

static int enable_all(struct enable *e, const bool *which, const sigset_t *signals,
		      struct kt_error *err)
{
	const struct kt_switches *s = kt_flight_switches(e->flight);
	int ret = 0;
	size_t i;

	raise_files();
	for (i = 0; i < kt_flight_about(e->flight)->n_events && ret == 0; i++) {
		if (!which[i] || kt_switches_at(s, i).number)
			continue;
		if (signals && is_ended(signals))
			return kt_fail(err, EINTR, "ended before any event was enabled");
		ret = enable_one(e, i, err);
	}
	return ret;
}

int toggle_on(struct kt_flight *f, const bool *which, const sigset_t *signals, struct kt_error *err)
{
	struct enable e = {
		.flight = f,
		.probes = kt_banks_probes(kt_flight_banks(f)),
		.tracefs = kt_tracefs_open(err),
	};
	int ret;

	if (e.tracefs < 0)
		return -err->code;
	e.btf = kt_btf_new();
	ret = e.btf ? enable_all(&e, which, signals, err)
		    : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_btf_free(e.btf);
	close(e.tracefs);
	return ret;
}

void toggle_off(struct kt_flight *f, const bool *which)
{
	size_t i;

	for (i = 0; i < kt_flight_about(f)->n_events; i++)
		if (which[i])
			kt_switches_disable(kt_flight_switches(f), i);
}
