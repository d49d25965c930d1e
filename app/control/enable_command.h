/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Common part of the commands that enable or disable events of a flight:
 *
 *	ktrace disable -e PATTERN... [NAME]
 *
 *	static int disable(struct kt_flight *f, const bool *which, struct kt_error *err);
 *
 *	return run_enable_command(&disable_command, argc, argv, disable);
 */
#ifndef KT_APP_CONTROL_ENABLE_COMMAND_H
#define KT_APP_CONTROL_ENABLE_COMMAND_H

#include <stdbool.h>

#include "app/cli/command.h"

struct kt_error;
struct kt_flight;

/* The options of these commands. */
extern const struct command_option enable_command_options[];

/*
 * Parses the command line, locks the flight and calls prepare() with the selected events by index,
 * which must prepare the changes (app/control/event_enable.h) and returns 0; or -errno without
 * changes. Applies them and reports the result. Returns the exit status.
 */
int run_enable_command(const struct command *c, int argc, char **argv,
		       int prepare(struct kt_flight *f, const bool *which, struct kt_error *err));

#endif
