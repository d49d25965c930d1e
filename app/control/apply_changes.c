// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/apply_changes.h"

#include <stddef.h>
#include <stdio.h>

#include "app/cli/command.h"
#include "base/error.h"
#include "session/flight/flight.h"
#include "session/flight/flight_control.h"
#include "session/flight/flight_info.h"

static void print_switched(const char *command, const struct kt_flight *f)
{
	const struct kt_flight_control *s = kt_flight_get_control(f);
	size_t i, n = kt_flight_get_info(f)->n_events, on = 0;

	for (i = 0; i < n; i++)
		on += kt_flight_control_event(s, i).number != 0;
	fprintf(stderr, "ktrace %s: '%s' %s %zu of its %zu event%s\n", command, kt_flight_name(f),
		kt_flight_control_state(s).is_open ? "records" : "is paused; it would record", on,
		n, n == 1 ? "" : "s");
}

int apply_changes(const char *command, struct kt_flight *f)
{
	struct kt_error err;

	if (kt_flight_control_commit(kt_flight_get_control(f), &err) < 0)
		return report_error(command, &err);
	print_switched(command, f);
	return EXIT_OK;
}

int apply_change_by_name(const char *command, const char *name,
			 void prepare(struct kt_flight_control *s))
{
	struct kt_error err;
	struct kt_flight *f = kt_flight_lock(name, &err);
	int status;

	if (!f)
		return report_error(command, &err);
	prepare(kt_flight_get_control(f));
	status = apply_changes(command, f);
	kt_flight_free(f);
	return status;
}
