/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is common to the commands that switch events of a flight, as
 *
 *	ktrace disable -e PATTERN... [NAME]
 *
 *	static int disable(struct kt_flight *f, const bool *which, struct kt_error *err);
 *
 *	return switch_events(argc, argv, disable);
 */
#ifndef KT_APP_CONTROL_ENABLE_COMMAND_H
#define KT_APP_CONTROL_ENABLE_COMMAND_H

#include <stdbool.h>

struct kt_error;
struct kt_flight;

/*
 * Calls prepare for the flight, which is held, with which of its events are meant, by index; that
 * is to switch them (app/control/event_enable.h), and return 0, or -errno, where all remains as it
 * was. Commits it, and says what came of it. Returns the exit status.
 */
int run_enable_command(int argc, char **argv,
		       int prepare(struct kt_flight *f, const bool *which, struct kt_error *err));

#endif
