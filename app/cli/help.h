/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the help of a subcommand from its tables (app/cli/command.h). */
#ifndef KT_APP_CLI_HELP_H
#define KT_APP_CLI_HELP_H

struct command;

/* Prints what `ktrace COMMAND --help` says, within 80 columns, to standard output. */
void print_command_help(const struct command *c);

#endif
