/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the command line of a subcommand by its table of options (app/cli/command.h).
 *
 *	struct start_flight s = {.ring = FLIGHT_RING_SIZE};	// defaults
 *	int status = parse_command_line(&start_command, &s, argc, argv);
 *
 *	if (status == EXIT_OK && argv[optind])
 *		...					// the first operand
 */
#ifndef KT_APP_CLI_COMMAND_LINE_H
#define KT_APP_CLI_COMMAND_LINE_H

#include <stdbool.h>

struct command;

/*
 * Parses the options into the command's settings, and sets optind (getopt(3)) to the first operand.
 * Returns EXIT_OK; or the exit status, after reporting an error or noting that help is wanted.
 */
int parse_command_line(const struct command *c, void *settings, int argc, char **argv);

/* --help or -h was given: main() prints the command's help, whatever the command returned. */
extern bool help_is_wanted;

/*
 * Runs a command whose only argument is the name of a flight recorder, FLIGHT_NAME by default.
 * Returns the exit status.
 */
int run_on_flight(const struct command *c, int argc, char **argv, int act(const char *name));

#endif
